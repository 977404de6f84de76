import type { ListingJobResult } from '../../answers.js';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.js';
import { CLAY, fixturePath, LINEN, MUGS, startService, upload, type TestService } from '../../service.js';

/** Shops of the sandbox that must be set up and connected first. */
const FURTHER_SHOPS = [31_450_228, 37_002_451, 44_107_735];
const SCOPES = ['listings_r', 'listings_w', 'shops_r', 'transactions_r'];

const PHOTOS = Array.from({ length: 10 }, (_, index) => `photo-${String(index + 1).padStart(2, '0')}.jpg`);
const SIZES = Array.from({ length: 10 }, (_, index) => `${200 + index * 50} ml`);
const GLAZES = ['White', 'Blue', 'Sea green', 'Ochre', 'Ash', 'Rosé', 'Tenmoku & iron'];
const COMBINATIONS = SIZES.flatMap((size, row) =>
  GLAZES.map((glaze, column) => ({
    size,
    glaze,
    price: 18 + row * 2.25,
    quantity: 1 + ((row + column) % 5),
    sku: `MUG-${row}-${column}`,
    // One is not for sale.
    enabled: row + column > 0,
  })),
);
const LISTING = {
  title: 'Stoneware mug, ten sizes & seven glazes',
  description: 'Thrown by hand.\n\nDishwasher safe; holds 200 to 650 ml.',
  listing_type: 'physical',
  taxonomy_id: MUGS,
  who_made: 'i_did',
  when_made: 'made_to_order',
  is_supply: false,
  tags: ['stoneware', 'mug', 'handmade mug'],
  materials: ['clay', 'glaze'],
  styles: ['Rustic'],
  is_taxable: true,
  should_auto_renew: true,
  item_weight: 410.5,
  item_weight_unit: 'g',
  item_length: 12,
  item_width: 9,
  item_height: 10.25,
  item_dimensions_unit: 'cm',
};

type Target = {
  shop_id: number;
  shipping_profile_id: number;
  return_policy_id: number;
  processing_profile_id: number;
  shop_section_id: number;
  production_partner_ids: number[];
};
type Store = {
  shipping_profiles: { shipping_profile_id: number }[];
  return_policies: { return_policy_id: number }[];
  processing_profiles: { readiness_state_id: number }[];
  shop_sections: { shop_section_id: number }[];
  production_partners: { production_partner_id: number }[];
};
type Product = {
  sku: string;
  property_values: { property_id: number; property_name: string; values: string[] }[];
  offering: { price_amount: number; quantity: number; is_enabled: boolean; readiness_state_id: number };
};
type Found = {
  listing_id: number;
  shop_id: number;
  state: string;
  fields: Record<string, unknown>;
  images: { listing_image_id: number; rank: number; sha256: string }[];
  videos: { sha256: string }[];
  files: unknown[];
  properties: { property_id: number; value_ids: number[]; values: string[] }[];
  personalization: Record<string, unknown>[];
  variation_images: { property_id: number; value: string; image_id: number }[];
  inventory: { products: Product[] } & Record<string, unknown>;
};

let service: TestService;
let sandbox: Sandbox;
beforeAll(async () => {
  service = await startService();
  await service.control('GET', '/state');
  sandbox = await startSandbox({ database_file: join(service.data_dir, 'sandbox.db') });
});
afterAll(async () => {
  await sandbox.close();
  await service.close();
});

describe('the largest possible listing', () => {
  it('is published correctly in five shops, in every detail', { timeout: 120_000 }, async () => {
    await service.call('stores_list');
    for (const shop_id of FURTHER_SHOPS) await connect(shop_id);
    const targets = await Promise.all(
      [CLAY.shop_id, LINEN.shop_id, ...FURTHER_SHOPS].map((shop_id) => readTarget(shop_id)),
    );
    const photos = await Promise.all(PHOTOS.map((name) => upload(service, name)));
    const hashes = await Promise.all(PHOTOS.map(hash));

    const result = await service.call<ListingJobResult>('listing_create', {
      state: 'active',
      shops: targets,
      listing: LISTING,
      images: photos.map((url) => ({ url })),
      videos: [{ url: await upload(service, 'clip.mp4', 'video') }],
      personalization: { enabled: true, is_required: true, instructions: 'A name', max_chars: 12 },
      category_attributes: {
        357: { value_ids: [2104], values: ['Stoneware'] },
        358: { value_ids: [2140], values: ['Yes'] },
      },
      variations: {
        properties: [
          { property_id: 513, name: 'Size', values: SIZES },
          { property_id: 514, name: 'Glaze', values: GLAZES },
        ],
        offerings: COMBINATIONS,
        variation_images: {
          property: 'Glaze',
          mapping: Object.fromEntries(GLAZES.map((glaze, index) => [glaze, index + 2])),
        },
      },
    });

    expect(result.status).toBe('completed');
    expect(
      result.results?.map(({ shop_id, status, activated, warnings, images }) => ({
        shop_id,
        status,
        activated,
        warnings,
        ranks: images?.map(({ rank }) => rank),
      })),
    ).toEqual(
      targets.map(({ shop_id }) => ({
        shop_id: String(shop_id),
        status: 'ok',
        activated: true,
        warnings: [],
        ranks: PHOTOS.map((_, index) => index + 1),
      })),
    );

    const { listings, fees } = await service.control<{ listings: Found[]; fees: { shop_id: number }[] }>(
      'GET',
      '/state',
    );
    expect(fees.map(({ shop_id }) => shop_id).sort(byNumber)).toEqual(
      targets.map(({ shop_id }) => shop_id).sort(byNumber),
    );
    const video = await hash('clip.mp4');
    const found = targets.map(({ shop_id }) => listings.find((listing) => listing.shop_id === shop_id));
    expect(found.map((listing) => listing && describeFound(listing, hashes))).toEqual(
      targets.map((target) => buildWanted(target, video)),
    );
    expect(listings).toHaveLength(targets.length);
  });
});

/** In the words of the request, with photos by their number. */
function describeFound(listing: Found, hashes: readonly string[]) {
  const { fields, inventory } = listing;
  const images = [...listing.images].sort((a, b) => a.rank - b.rank);
  const photoOf = (image_id: number) =>
    hashes.indexOf(images.find(({ listing_image_id }) => listing_image_id === image_id)?.sha256 ?? '');
  return {
    shop_id: listing.shop_id,
    state: listing.state,
    fields: Object.fromEntries(Object.keys(buildFields({} as Target)).map((name) => [name, fields[name]])),
    photos: images.map(({ rank, sha256 }) => [rank, hashes.indexOf(sha256)]),
    videos: listing.videos.map(({ sha256 }) => sha256),
    files: listing.files,
    attributes: listing.properties
      .map(({ property_id, value_ids, values }) => ({ property_id, value_ids, values }))
      .sort((a, b) => a.property_id - b.property_id),
    personalization: listing.personalization.map(
      ({ instructions, required, max_allowed_characters, question_type }) => ({
        instructions,
        required,
        max_allowed_characters,
        question_type,
      }),
    ),
    products: inventory.products.map(({ sku, property_values, offering }) => ({
      sku,
      values: property_values.map(({ property_id, property_name, values }) => [
        property_id,
        property_name,
        values,
      ]),
      price: offering.price_amount,
      quantity: offering.quantity,
      is_enabled: offering.is_enabled,
      profile: offering.readiness_state_id,
    })),
    axes: [
      inventory['price_on_property'],
      inventory['quantity_on_property'],
      inventory['sku_on_property'],
      inventory['readiness_state_on_property'],
    ],
    photos_by_glaze: Object.fromEntries(
      listing.variation_images.map(({ property_id, value, image_id }) => [
        `${property_id} ${value}`,
        photoOf(image_id),
      ]),
    ),
  };
}

function buildWanted(target: Target, video: string): ReturnType<typeof describeFound> {
  return {
    shop_id: target.shop_id,
    state: 'active',
    fields: buildFields(target),
    photos: PHOTOS.map((_, index) => [index + 1, index]),
    videos: [video],
    files: [],
    attributes: [
      { property_id: 357, value_ids: [2104], values: ['Stoneware'] },
      { property_id: 358, value_ids: [2140], values: ['Yes'] },
    ],
    personalization: [
      { instructions: 'A name', required: true, max_allowed_characters: 12, question_type: 'text_input' },
    ],
    products: COMBINATIONS.map(({ size, glaze, price, quantity, sku, enabled }) => ({
      sku,
      values: [
        [513, 'Size', [size]],
        [514, 'Glaze', [glaze]],
      ],
      price: price * 100,
      quantity: enabled ? quantity : 0,
      is_enabled: enabled,
      profile: target.processing_profile_id,
    })),
    axes: [[513], [513, 514], [513, 514], []],
    photos_by_glaze: Object.fromEntries(GLAZES.map((glaze, index) => [`514 ${glaze}`, index + 2])),
  };
}

/** The listing's own fields, except those its inventory determines. */
function buildFields(target: Target) {
  return {
    ...LISTING,
    shipping_profile_id: target.shipping_profile_id,
    return_policy_id: target.return_policy_id,
    shop_section_id: target.shop_section_id,
    production_partner_ids: target.production_partner_ids,
    has_variations: true,
    // Photos by glaze, prices by size: buyers first see the lowest price and the total stock.
    price_amount: 1800,
    quantity: COMBINATIONS.reduce((sum, { quantity, enabled }) => sum + (enabled ? quantity : 0), 0),
  };
}

async function connect(shop_id: number): Promise<void> {
  const { user_id } = await service.control<{ user_id: number }>('POST', '/shops/equip', { shop_id });
  const { account_id } = await service.app.core.accounts.getDefault();
  const { access_token, refresh_token, expires_in } = sandbox.issueGrant(user_id, SCOPES);
  await service.app.store.tokens.saveTokens(
    { account_id, shop_id },
    {
      access_token,
      refresh_token,
      access_expires_at: new Date(Date.now() + expires_in * 1000).toISOString(),
      scopes: SCOPES,
    },
  );
  await service.app.core.shops.connect({ account_id, shop_id });
}

async function readTarget(shop_id: number): Promise<Target> {
  const store = await service.call<Store>('store_sync', { shop_id });
  return {
    shop_id,
    shipping_profile_id: store.shipping_profiles[1]?.shipping_profile_id ?? 0,
    return_policy_id: store.return_policies[0]?.return_policy_id ?? 0,
    processing_profile_id: store.processing_profiles[2]?.readiness_state_id ?? 0,
    shop_section_id: store.shop_sections[1]?.shop_section_id ?? 0,
    production_partner_ids: [store.production_partners[0]?.production_partner_id ?? 0],
  };
}

function byNumber(a: number, b: number): number {
  return a - b;
}

async function hash(name: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(fixturePath(name)))
    .digest('hex');
}

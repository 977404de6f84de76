import type { ListingJobResult } from '../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildMug, CLAY, LINEN, listTargets, MUGS, startService, type TestService } from '../../service.js';

/*
 * Sellers know names while assistants work with ids: answers contain both, and an error about an id lists the
 * valid ones.
 */

const MUGS_PATH = 'Home & Living > Kitchen & Dining > Drink & Barware > Drinkware > Mugs';
const PARTNER = 4410221;
const SECTION = 40118201;

let service: TestService;
let clay: Record<string, unknown>;
let account_id: string;

beforeAll(async () => {
  service = await startService();
  [clay = {}] = await listTargets(service);
  ({ account_id } = await service.app.core.accounts.getDefault());
  await service.call('categories_search', { keywords: 'mug' });
  await service.call('listing_schema', { category_id: MUGS });
});
afterAll(() => service.close());

const NEVER_SEEN = { listing_id: null, state: null, seen_at: null, ends_at: null };

/** Runs with this many additional shops, and forgets them. */
async function withShops(count: number, run: () => Promise<void>) {
  const { shops } = service.app.store;
  const kept = await shops.findShop({ account_id, shop_id: CLAY.shop_id });
  if (!kept) throw new Error('the shop is not connected');
  const ids = Array.from({ length: count }, (_, at) => 70_000_000 + at);
  for (const shop_id of ids) {
    const details = { ...kept.details, shop_id: String(shop_id), shop_name: `Shop${shop_id}` };
    await shops.saveShop({ ...kept, shop_id, details });
  }
  try {
    await run();
  } finally {
    for (const shop_id of ids) await shops.deleteShop({ account_id, shop_id });
  }
}

describe('an answer', () => {
  it("names the objects behind the request's ids before anything is sent", async () => {
    const target = { ...clay, shop_section_id: SECTION, production_partner_ids: [PARTNER] };
    const category_attributes = { 357: { value_ids: [2104] }, 185: { value_ids: [5201], scale_id: 331 } };
    const request = buildMug([target], { category_attributes });
    const names = {
      'shops[0].shop_id': 'ClayAndOak',
      'shops[0].shipping_profile_id': 'Small parcel',
      'shops[0].return_policy_id': 'returns and exchanges within 30 days',
      'shops[0].shop_section_id': 'Mugs',
      'shops[0].production_partner_ids[0]': 'Blue Ridge Sawmill',
      'listing.taxonomy_id': MUGS_PATH,
      'category_attributes.357': 'Drinkware material',
      'category_attributes.357.value_ids[0]': 'Stoneware',
      'category_attributes.185': 'Capacity',
      'category_attributes.185.scale_id': 'Fluid ounces',
      'category_attributes.185.value_ids[0]': '8',
    };
    const checked = await service.call<ListingJobResult>('listing_create', { ...request, dry_run: true });
    expect(checked.names).toEqual(names);
    const draft = await service.call<ListingJobResult>('listing_create', request);
    expect(draft.names).toEqual(names);
    const saved = await service.call('listing_get', { listing_pk: draft.listing_pk });
    expect(saved).toMatchObject({
      names,
      shops: [{ shop_id: String(CLAY.shop_id), shop_name: 'ClayAndOak', ...NEVER_SEEN }],
    });
  });

  it('names the shops of saved listings, even if one is no longer connected', async () => {
    await withShops(1, async () => {
      await service.call(
        'listing_create',
        buildMug([{ ...clay, shop_id: 70_000_000 }], { note: 'elsewhere' }),
      );
    });
    const { listings } = await service.call<{ listings: { shop_ids: string[]; shops: object[] }[] }>(
      'listings_list',
    );
    expect(listings[0]).toMatchObject({
      shop_ids: ['70000000'],
      shops: [{ shop_id: '70000000', shop_name: null, ...NEVER_SEEN }],
    });
  });

  it.each([
    'store_shipping_profiles_live',
    'store_return_policies_live',
    'store_processing_profiles_live',
    'store_shop_sections_live',
  ])('of %s names the shop', async (operation) => {
    expect(await service.call(operation, { shop_id: LINEN.shop_id })).toMatchObject({
      shop_id: String(LINEN.shop_id),
      shop_name: 'NordLinen',
    });
  });

  it('of listing_schema names the category once the tree is saved', async () => {
    expect(await service.call('listing_schema', { category_id: MUGS })).toMatchObject({
      full_path: MUGS_PATH,
    });
  });
});

describe('an error about an id', () => {
  it('of a shop lists up to ten connected ones', async () => {
    const unknown = { shop_id: 999 };
    const { message } = await service.refuse('store_details_cached', unknown);
    expect(message).toBe(
      'Shop 999 is not connected to this account; connected: 48213377 ("ClayAndOak"), 52660914 ("NordLinen").',
    );
    await withShops(39, async () => {
      const refusals = [
        await service.refuse('store_sync', unknown),
        await service.refuse('listing_create', buildMug([{ ...clay, ...unknown }])),
      ];
      for (const refusal of refusals) {
        expect(refusal.message).toMatch(/connected: 48213377 \("ClayAndOak"\), .* and 31 more\.?$/);
      }
    });
  });

  it('lists them also if it is a name, or is missing', async () => {
    const known = 'connected: 48213377 ("ClayAndOak"), 52660914 ("NordLinen")';
    for (const operation of ['store_details_cached', 'store_sync', 'store_return_policies_live']) {
      const { message } = await service.refuse(operation, { shop_id: 'ClayAndOak' });
      expect(message).toBe(`shop_id: must be a number, not a string; ${known}`);
    }
    const named = await service.refuse('listing_create', buildMug(['ClayAndOak' as never, {}]));
    expect(named.message.split('\n').slice(0, 2)).toEqual([
      `shops[0]: must be an object with shop_id, not a string; ${known}`,
      `shops[1].shop_id: is required; ${known}`,
    ]);
  });

  it('of a property lists those of the category, best match of the name first', async () => {
    const body = buildMug([clay], {
      category_attributes: { capacity: { values: ['10 oz'] } },
      variations: { properties: [{ name: 'Glaze', values: ['oat'] }] },
    });
    const { message } = await service.refuse('listing_create', body);
    expect(message.split('\n')).toEqual([
      expect.stringMatching(
        /^variations\.properties\[0\]\.property_id: is required; category 1062 has 513 \(.*\), 514 \(.*\), /,
      ),
      expect.stringMatching(
        /^category_attributes\.capacity: is not a property id; .*; category 1062 has 185 \("Capacity"\), 200 \("Primary color"\), /,
      ),
    ]);
  });

  it('that is missing lists those of the shop', async () => {
    const { message } = await service.refuse(
      'listing_create',
      buildMug([{ shop_id: CLAY.shop_id }, { shop_id: 999 }]),
    );
    expect(message.split('\n')).toEqual([
      'shops[0].shipping_profile_id: is required for a physical listing; store_sync returns the ids; "ClayAndOak" has 211740301 ("Small parcel"), 211740302 ("Heavy parcel"), 211740303 ("Free shipping in the US")',
      'shops[0].return_policy_id: is required for a physical listing; store_sync returns the ids; "ClayAndOak" has 1142500101 ("returns and exchanges within 30 days"), 1142500102 ("no returns or exchanges")',
      'shops[1].shop_id: shop 999 is not connected to this account; connected: 48213377 ("ClayAndOak"), 52660914 ("NordLinen")',
    ]);
  });

  it('of a category is reported for a draft, too, once the tree is saved, without a call', async () => {
    const read = () => service.control<{ calls: Record<string, number> }>('GET', '/state');
    const before = (await read()).calls;
    const request = buildMug([clay]);
    const { message } = await service.refuse('listing_create', {
      ...request,
      listing: { ...request.listing, taxonomy_id: 99_999_999 },
    });
    expect(message).toBe(
      'listing.taxonomy_id: is 99999999, which is not a marketplace category; the title suggests 1062 ("Home & Living > Kitchen & Dining > Drink & Barware > Drinkware > Mugs"); categories_search finds categories by keyword',
    );
    expect((await read()).calls).toEqual(before);
  });

  it('of a listing or a job lists the newest, by title', async () => {
    const { job_id, listing_pk } = await service.call<ListingJobResult>(
      'listing_create',
      buildMug([clay], { state: 'publish' }),
    );
    for (const operation of ['listing_get', 'listing_delete']) {
      const { message } = await service.refuse(operation, { listing_pk: 999 });
      expect(message).toMatch(
        new RegExp(`^There is no listing 999; newest listings: ${listing_pk} \\("Stoneware mug"\\), `),
      );
    }
    const { message } = await service.refuse('listing_create_status', { job_id: 'job_nonsense' });
    expect(message).toBe(
      `There is no job with this id; the latest job of each listing: ${job_id} ("Stoneware mug").`,
    );
  });

  it('of a delivery lists the newest', async () => {
    const refuse = () => service.refuse('webhook_delivery_retry', { delivery_id: 999 });
    expect((await refuse()).message).toBe('There is no delivery 999; newest deliveries: none.');
    await service.call('webhook_endpoint_set', { url: 'http://127.0.0.1:9/hook' });
    await service.call('webhook_test');
    expect((await refuse()).message).toMatch(
      /^There is no delivery 999; newest deliveries: \d+ \("webhook\.test, failed"\)\.$/,
    );
  });
});

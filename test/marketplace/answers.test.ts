import { afterEach, describe, expect, it } from 'vitest';
import { buildRig, SHOP, type Rig } from './rig.js';
import { buildWireInventory, buildWireListing } from './samples.js';
import { startScriptedServer, type ScriptedServer, type SeenRequest } from './scripted_server.js';

let server: ScriptedServer;
let rig: Rig;

afterEach(async () => {
  await rig.client.close();
  await server.close();
});

/** Gives the same answer to everything. */
const open = (json: unknown) => openWith(() => json);

async function openWith(answer: (request: SeenRequest) => unknown) {
  server = await startScriptedServer((request) => ({ status: 200, json: answer(request) }));
  rig = buildRig(server.url, { call_timeout_ms: 2_000 });
  return rig.client;
}

const list = (...results: unknown[]) => ({ count: results.length, results });

describe('a listing in an answer', () => {
  it('is converted: text decoded, prices as numbers, null for missing values', async () => {
    const client = await open(buildWireListing());
    expect(await client.getListing(SHOP, 7)).toEqual({
      listing_id: 1_500_000_000_001,
      state: 'draft',
      title: 'Salt & Pepper "Mug"',
      description: "It's a mug.",
      url: 'https://www.etsy.com/listing/1500000000001/mug',
      listing_type: 'physical',
      taxonomy_id: 1062,
      price: 19.99,
      currency_code: 'USD',
      quantity: 4,
      created_at_epoch_s: 1_790_000_000,
      updated_at_epoch_s: 1_790_000_500,
      ends_at_epoch_s: null,
      language: 'en-US',
      featured_rank: null,
      production_partner_ids: [4],
      skus: ['S&P'],
      who_made: 'i_did',
      when_made: 'made_to_order',
      is_supply: false,
      tags: ['mug', 'salt & pepper'],
      materials: ['stoneware'],
      styles: ['Rustic'],
      shipping_profile_id: 11,
      return_policy_id: null,
      shop_section_id: null,
      shop_id: null,
      is_customizable: true,
      is_taxable: true,
      should_auto_renew: false,
      item_weight: 350,
      item_weight_unit: 'g',
      item_length: null,
      item_width: null,
      item_height: null,
      item_dimensions_unit: null,
    });
  });

  it('loses NUL characters, which not every database can store', async () => {
    const spelled = String.raw`c\u0000`;
    const client = await open(buildWireListing({ title: 'a\0b', description: `${spelled}\0` }));
    expect(await client.getListing(SHOP, 7)).toMatchObject({
      title: 'ab',
      description: spelled,
    });
  });

  it('is converted from older names for a state, a time and the type download', async () => {
    const client = await open(
      buildWireListing({
        state: 'edit',
        listing_type: 'download',
        created_timestamp: null,
        creation_timestamp: 5,
      }),
    );
    expect(await client.getListing(SHOP, 7)).toMatchObject({
      state: 'inactive',
      listing_type: 'digital',
      created_at_epoch_s: 5,
    });
  });

  it('has the end of its four months and its featured rank once it is active', async () => {
    const client = await open(
      buildWireListing({
        state: 'active',
        featured_rank: 2,
        updated_timestamp: null,
        last_modified_timestamp: 6,
      }),
    );
    expect(await client.getListing(SHOP, 7)).toMatchObject({
      ends_at_epoch_s: 1_800_000_000,
      featured_rank: 2,
      updated_at_epoch_s: 6,
    });
  });

  it('comes with everything that belongs to it in one call', async () => {
    const client = await open(
      buildWireListing({
        images: [
          { listing_image_id: 1, url_fullxfull: 'u', rank: 1, created_timestamp: 5, alt_text: 'S &amp; P' },
        ],
        videos: [{ video_id: 2, video_url: 'v' }],
        translations: {
          'en-US': { language: 'en-US', title: 'Mug', description: 'A mug', tags: [] },
          de: { language: 'de', title: 'Salz &amp; Pfeffer', description: 'Aus Ton', tags: ['t &amp; t'] },
          fr: null,
        },
        personalization: {
          personalization_questions: [
            {
              question_id: 8,
              question_text: 'Your name',
              instructions: 'At most &quot;20&quot;',
              question_type: 'text_input',
              required: true,
              max_allowed_characters: 20,
              max_allowed_files: null,
              add_on_price: { amount: 250, divisor: 100, currency_code: 'USD' },
              options: null,
            },
            {
              question_id: 9,
              question_text: 'Colour',
              instructions: null,
              question_type: 'dropdown',
              required: false,
              options: [{ option_id: 3, label: 'Red &amp; blue' }],
            },
          ],
        },
      }),
    );
    const details = await client.getListingDetails(SHOP, 7);
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]).toMatchObject({
      path: '/v3/application/listings/7',
      query: { includes: 'Images,Videos,Translations,Personalization' },
    });
    expect(server.seen[0]?.headers.authorization).toBeDefined();
    expect(details).toEqual({
      listing: await client.getListing(SHOP, 7),
      images: [
        {
          listing_image_id: 1,
          url_fullxfull: 'u',
          rank: 1,
          created_at_epoch_s: 5,
          width: null,
          height: null,
          alt_text: 'S & P',
        },
      ],
      videos: [{ video_id: 2, video_url: 'v' }],
      translations: [{ language: 'de', title: 'Salz & Pfeffer', description: 'Aus Ton', tags: ['t & t'] }],
      questions: [
        {
          question_id: 8,
          question_text: 'Your name',
          instructions: 'At most "20"',
          question_type: 'text_input',
          required: true,
          max_allowed_characters: 20,
          max_allowed_files: null,
          add_on_price: 2.5,
          options: [],
        },
        {
          question_id: 9,
          question_text: 'Colour',
          instructions: null,
          question_type: 'dropdown',
          required: false,
          max_allowed_characters: null,
          max_allowed_files: null,
          add_on_price: null,
          options: [{ option_id: 3, label: 'Red & blue' }],
        },
      ],
    });
  });

  it('comes with its inventory', async () => {
    const client = await open({ ...buildWireInventory(), listing: buildWireListing({ listing_id: 7 }) });
    const { inventory, listing } = await client.getInventoryWithListing(SHOP, 7);
    expect(server.seen[0]).toMatchObject({
      path: '/v3/application/listings/7/inventory',
      query: { includes: 'Listing' },
    });
    expect(inventory.products.map(({ sku }) => sku)).toEqual(['MUG-S', 'MUG-L']);
    expect(listing).toMatchObject({ listing_id: 7, price: 19.99 });
  });
});

describe('listings of a shop', () => {
  it('come page by page with photos and a total', async () => {
    const image = { listing_image_id: 1, url_fullxfull: 'u', rank: 1, created_timestamp: 5 };
    const client = await open({ count: 205, results: [buildWireListing({ images: [image] })] });
    const { count, results } = await client.listShopListings(SHOP, { state: 'expired', limit: 1, offset: 3 });
    expect(count).toBe(205);
    expect(results).toMatchObject([{ title: 'Salt & Pepper "Mug"', images: [{ listing_image_id: 1 }] }]);
    expect(server.seen.map(({ path, query }) => ({ path, query }))).toEqual([
      {
        path: '/v3/application/shops/501/listings',
        query: { state: 'expired', limit: '1', offset: '3', includes: 'Images' },
      },
    ]);
  });

  it('come by id, the way the owner sees them', async () => {
    const client = await open(list(buildWireListing({ listing_id: 8, state: 'inactive' })));
    const listings = await client.listListingsById(SHOP, [7, 8]);
    expect(listings).toMatchObject([{ listing_id: 8, state: 'inactive' }]);
    expect(server.seen[0]).toMatchObject({
      path: '/v3/application/listings/batch',
      query: { listing_ids: '7,8' },
    });
    expect(server.seen[0]?.headers.authorization).toBeDefined();
  });
});

describe('the drafts of a shop', () => {
  it('come from all pages, each draft once even if the pages shift', async () => {
    const all = Array.from({ length: 205 }, (_, index) => buildWireListing({ listing_id: 1_000 + index }));
    const client = await openWith(({ query }) => {
      const offset = Number(query['offset']);
      // A draft created in the meantime shifts one from each page to the next.
      const moved = offset === 0 ? 0 : 1;
      return { count: all.length, results: all.slice(offset - moved, offset - moved + 100) };
    });
    const drafts = await client.listListings(SHOP, 'draft');
    expect(new Set(drafts.map(({ listing_id }) => listing_id)).size).toBe(drafts.length);
    expect(drafts).toHaveLength(all.length);
    expect(server.seen.map(({ path, query }) => ({ path, query }))).toEqual(
      ['0', '100', '200'].map((offset) => ({
        path: '/v3/application/shops/501/listings',
        query: { state: 'draft', limit: '100', offset },
      })),
    );
  });

  it('continue after a page that is full, even without a count', async () => {
    const page = Array.from({ length: 100 }, (_, index) => buildWireListing({ listing_id: index + 1 }));
    const client = await openWith(({ query }) => ({
      results: query['offset'] === '0' ? page : [buildWireListing({ listing_id: 999 })],
    }));
    expect(await client.listListings(SHOP, 'draft')).toHaveLength(101);
    expect(server.seen).toHaveLength(2);
  });

  it('end where the marketplace ends, regardless of its count', async () => {
    const client = await open({ count: 1_000_000, results: [buildWireListing()] });
    expect(await client.listListings(SHOP, 'draft')).toHaveLength(1);
    expect(server.seen).toHaveLength(121);
  });
});

describe('a shop in answers', () => {
  it('has its details', async () => {
    const wire = {
      shop_id: 501,
      user_id: 77,
      shop_name: 'ClayAndOak',
      currency_code: 'USD',
      shipping_from_country_iso: 'US',
      listing_active_count: 3,
      review_average: 4.8,
      review_count: null,
      is_vacation: false,
      url: 'https://www.etsy.com/shop/ClayAndOak',
      title: 'not needed',
    };
    const client = await open(wire);
    const { title, ...needed } = wire;
    expect(title).toBe('not needed');
    expect(await client.getShop(SHOP)).toEqual({ ...needed, shop_id: '501' });
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('has shipping profiles, with the domestic cost first and without deleted ones', async () => {
    const client = await open(
      list(
        profile(1, { shipping_profile_destinations: [destination('SE', 900), destination('FI', 450)] }),
        profile(2, { shipping_profile_destinations: [destination('SE', 905), destination(null, 5)] }),
        profile(3, { is_deleted: true }),
        profile(4, { title: null, min_processing_days: 1, max_processing_days: 3 }),
        profile(5, {
          shipping_profile_destinations: [{ destination_country_iso: 'JP', primary_cost: cost(500, 1) }],
        }),
      ),
    );
    const none = { min_processing_days: null, max_processing_days: null };
    const named = { title: 'Home & away', currency_code: 'EUR', ...none };
    expect(await client.listShippingProfiles(SHOP)).toEqual([
      { shipping_profile_id: 1, primary_cost: '4.50', ...named },
      { shipping_profile_id: 2, primary_cost: '9.05', ...named },
      {
        shipping_profile_id: 4,
        title: '',
        min_processing_days: 1,
        max_processing_days: 3,
        primary_cost: null,
        currency_code: null,
      },
      { shipping_profile_id: 5, primary_cost: '500', ...named },
    ]);
    expect(server.seen[0]?.headers.authorization).toBe('Bearer 77.first-access');
  });

  it('has sections, return policies, processing profiles and production partners', async () => {
    const section = { shop_section_id: 1, title: 'Cups &amp; mugs', rank: 1, active_listing_count: 4 };
    const policy = { return_policy_id: 2, accepts_returns: true, accepts_exchanges: false };
    const processing = {
      readiness_state_id: 3,
      readiness_state: 'made_to_order',
      min_processing_days: 5,
      max_processing_days: 10,
      processing_days_display_label: '5 - 10 days',
    };
    const partner = { production_partner_id: 4, partner_name: 'Kiln &amp; Co', location: 'Turku' };
    const client = await openWith(({ path }) => {
      if (path.endsWith('/sections')) return list({ ...section, user_id: 77 });
      if (path.endsWith('/return')) return list({ ...policy, return_deadline: null, shop_id: 501 });
      if (path.endsWith('/readiness-state-definitions')) return list({ ...processing, shop_id: 501 });
      return list(partner);
    });
    expect(await client.listShopSections(SHOP)).toEqual([{ ...section, title: 'Cups & mugs' }]);
    expect(await client.listReturnPolicies(SHOP)).toEqual([{ ...policy, return_deadline: null }]);
    expect(await client.listProcessingProfiles(SHOP)).toEqual([processing]);
    expect(await client.listProductionPartners(SHOP)).toEqual([{ ...partner, partner_name: 'Kiln & Co' }]);
  });
});

describe('categories', () => {
  it('are the flattened tree, each with its path', async () => {
    const leaf = { id: 3, name: 'Mugs', children: [] };
    const client = await open(
      list(
        { id: 1, name: 'Home &amp; Living', children: [{ id: 2, name: 'Drinkware', children: [leaf] }] },
        { id: 9, name: 'Toys', children: [] },
      ),
    );
    expect(await client.listCategories()).toEqual([
      { category_id: 1, name: 'Home & Living', full_path: ['Home & Living'], is_leaf: false },
      { category_id: 2, name: 'Drinkware', full_path: ['Home & Living', 'Drinkware'], is_leaf: false },
      { category_id: 3, name: 'Mugs', full_path: ['Home & Living', 'Drinkware', 'Mugs'], is_leaf: true },
      { category_id: 9, name: 'Toys', full_path: ['Toys'], is_leaf: true },
    ]);
  });

  it('are unreadable if the tree is endlessly deep', async () => {
    let node: unknown = { id: 1, name: 'x', children: [] };
    for (let depth = 0; depth < 30; depth += 1) node = { id: 1, name: 'x', children: [node] };
    const client = await open(list(node));
    await expect(client.listCategories()).rejects.toMatchObject({
      failure: 'unavailable',
      message: 'HTTP 200 with a category tree without an end',
    });
  });

  it('have properties with their possible uses', async () => {
    const client = await open(
      list(
        property(1, { supports_attributes: true }),
        property(2, { supports_variations: true }),
        property(3, { supports_attributes: true, supports_variations: true }),
        property(4, {}),
      ),
    );
    expect(await client.getCategoryProperties(1062)).toEqual({
      attributes: [attribute(1), attribute(3)],
      variations: [variation(2), variation(3)],
    });
    expect(server.seen[0]?.path).toBe('/v3/application/seller-taxonomy/nodes/1062/properties');
  });
});

describe('parts of a listing', () => {
  it('are images, videos, files and attributes', async () => {
    const client = await openWith(({ path }) => {
      if (path.endsWith('/variation-images')) {
        return list({ property_id: 513, value_id: 9, value: 'Salt &amp; clay', image_id: 1 });
      }
      if (path.endsWith('/images')) {
        const size = { full_width: 400, full_height: null };
        return list({
          listing_image_id: 1,
          url_fullxfull: 'u',
          rank: 1,
          red: 3,
          created_timestamp: 5,
          ...size,
        });
      }
      if (path.endsWith('/videos')) return list({ video_id: 2, video_url: 'v', width: 1 });
      if (path.endsWith('/files')) return list({ listing_file_id: 3, filename: 'f', rank: 1, size_bytes: 8 });
      return list(
        { property_id: 200, property_name: 'Color', scale_id: null, value_ids: [1], values: ['A &amp; B'] },
        { property_id: 100, property_name: null, scale_id: 7, value_ids: [2], values: ['M'] },
      );
    });
    expect(await client.listImages(SHOP, 7)).toEqual([
      {
        listing_image_id: 1,
        url_fullxfull: 'u',
        rank: 1,
        created_at_epoch_s: 5,
        width: 400,
        height: null,
        alt_text: '',
      },
    ]);
    expect(await client.listVariationImages(SHOP, 7)).toEqual([
      { property_id: 513, value_id: 9, value: 'Salt & clay', image_id: 1 },
    ]);
    expect(await client.listVideos(SHOP, 7)).toEqual([{ video_id: 2, video_url: 'v' }]);
    expect(await client.listFiles(SHOP, 7)).toEqual([
      { listing_file_id: 3, filename: 'f', rank: 1, size_bytes: 8 },
    ]);
    expect(await client.listAttributes(SHOP, 7)).toEqual([
      { property_id: 200, value_ids: [1], values: ['A & B'] },
      { property_id: 100, value_ids: [2], values: ['M'], scale_id: 7 },
    ]);
    // Of a draft, only its owner can see these.
    expect(server.seen.every(({ headers }) => headers.authorization !== undefined)).toBe(true);
  });
});

describe('a search', () => {
  it('leaves the results unchanged', async () => {
    const result = { listing_id: 1, title: 'A &amp; B', anything: [{ new: null }] };
    const client = await open({ count: 4_000, results: [result] });
    expect(await client.searchActiveListings({ keywords: 'a b&c', limit: 5, offset: 10 })).toEqual({
      count: 4_000,
      results: [result],
    });
    expect(server.seen[0]).toMatchObject({
      path: '/v3/application/listings/active',
      query: { keywords: 'a b&c', limit: '5', offset: '10' },
    });
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });
});

describe('the marketplace’s clock', () => {
  it('is read from its answers, minus half the round trip', async () => {
    const client = await open(list());
    expect(client.getClockSkew()).toBe(0);
    await rig.client.close();
    await server.close();
    server = await startScriptedServer(() => {
      rig.clock.advance(400);
      return {
        status: 200,
        json: list(),
        headers: { date: new Date(rig.clock.now().getTime() + 90_000).toUTCString() },
      };
    });
    rig = buildRig(server.url);
    await rig.client.listShopSections(SHOP);
    // The header's second is truncated: 10:01:30.4 is sent as 10:01:30 and taken as 10:01:30.5, 0.2 s after
    // the middle of the call, which begins when its connection is open.
    expect(rig.client.getClockSkew()).toBeCloseTo(90_300, -2);
  });
});

const cost = (amount: number, divisor = 100) => ({ amount, divisor, currency_code: 'EUR' });

const destination = (destination_country_iso: string | null, amount: number) => ({
  destination_country_iso,
  primary_cost: cost(amount),
});

const profile = (shipping_profile_id: number, fields: Record<string, unknown>) => ({
  shipping_profile_id,
  title: 'Home &amp; away',
  origin_country_iso: 'FI',
  is_deleted: false,
  shipping_profile_destinations: [],
  ...fields,
});

const property = (property_id: number, fields: Record<string, unknown>) => ({
  property_id,
  name: 'color',
  display_name: 'Colo&#117;r',
  scales: [{ scale_id: 5, display_name: 'US', description: 'sizes' }],
  is_required: true,
  supports_attributes: false,
  supports_variations: false,
  is_multivalued: true,
  max_values_allowed: 2,
  possible_values: [{ value_id: 1, name: 'Red', scale_id: null, equal_to: [] }],
  selected_values: [],
  ...fields,
});

const variation = (property_id: number) => ({
  property_id,
  name: 'color',
  display_name: 'Colour',
  scales: [{ scale_id: 5, display_name: 'US', description: 'sizes' }],
  possible_values: [{ value_id: 1, name: 'Red', scale_id: null }],
});

const attribute = (property_id: number) => ({
  ...variation(property_id),
  is_required: true,
  is_multivalued: true,
  max_values: 2,
});

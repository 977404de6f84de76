import type { ListingJobResult } from '../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConnectedShop } from '../../../src/core/ports/index.js';
import { buildMug, CLAY, LINEN, listTargets, MUGS, startService, type TestService } from '../../service.js';

/*
 * Ids that belong to a shop or a category: in the interface's own words if it has some, with the valid ids.
 */

const RUGS = 1035;

let service: TestService;
let clay: Record<string, unknown>;
let linen: Record<string, unknown>;
const calls = async () => (await service.control<{ calls: Record<string, number> }>('GET', '/state')).calls;

beforeAll(async () => {
  service = await startService();
  [clay = {}, linen = {}] = await listTargets(service);
  for (const category_id of [MUGS, RUGS]) await service.call('listing_schema', { category_id });
});
afterAll(() => service.close());

/** The lines of the refusal of a body that is otherwise valid. */
async function refuse(body: object): Promise<string[]> {
  const { code, message } = await service.refuse('listing_create', { dry_run: true, ...body });
  expect(code).toBe('VALIDATION_FAILED');
  return message.split('\n');
}

const check = (body: object) => service.call<ListingJobResult>('listing_create', { dry_run: true, ...body });
const inClay = (more: object, body: Record<string, unknown> = {}) => buildMug([{ ...clay, ...more }], body);

/** The mug with other fields of its listing. */
function buildListing(fields: object, body: Record<string, unknown> = {}) {
  const request = buildMug([clay], body);
  return { ...request, listing: { ...request.listing, ...fields } };
}

describe('shops[].shop_id', () => {
  it('must be connected; the error lists the connected ones', async () => {
    expect(await refuse(buildMug([{ ...clay, shop_id: 999 }, linen]))).toEqual([
      'shops[0].shop_id: shop 999 is not connected to this account; connected: 48213377 ("ClayAndOak"), 52660914 ("NordLinen")',
    ]);
  });
});

const OWN: [field: string, wrong: string, kept: string][] = [
  [
    'shop_section_id',
    'shop section 44902511',
    '40118201 ("Mugs"), 40118202 ("Bowls & Plates"), 40118203 ("Oak Boards"), 40118204 ("Vases"), 40118205 ("Gift Sets")',
  ],
  [
    'shipping_profile_id',
    'shipping profile 223915881',
    '211740301 ("Small parcel"), 211740302 ("Heavy parcel"), 211740303 ("Free shipping in the US")',
  ],
  [
    'return_policy_id',
    'return policy 1158300401',
    '1142500101 ("returns and exchanges within 30 days"), 1142500102 ("no returns or exchanges")',
  ],
  [
    'processing_profile_id',
    'processing profile 1391700000401',
    '1386200000101 ("1 - 2 days"), 1386200000102 ("3 - 5 days"), 1386200000103 ("5 - 10 days")',
  ],
];

describe.each(OWN)('shops[].%s', (field, wrong, kept) => {
  const id = Number(/\d+/.exec(wrong)?.[0]);

  it('of another shop is refused, with the ids of this one; for a draft with how to see new ones', async () => {
    const { message, hint } = await service.refuse('listing_create', {
      ...inClay({ [field]: id }),
      dry_run: true,
    });
    expect(message).toBe(
      `shops[0].${field}: "ClayAndOak" has no ${wrong}; it has ${kept}; if the ${wrong.replace(/ \d+$/, '')} is new, call store_sync first`,
    );
    expect(hint).toContain('store_sync');
  });
  it('is looked up live once before it is refused for publish', async () => {
    const before = await calls();
    expect(await refuse(inClay({ [field]: id }, { state: 'publish' }))).toEqual([
      `shops[0].${field}: "ClayAndOak" has no ${wrong}; it has ${kept}`,
    ]);
    const after = await calls();
    const more = Object.keys(after).filter((name) => after[name] !== before[name]);
    expect(more).toHaveLength(1);
    expect((after[more[0] ?? ''] ?? 0) - (before[more[0] ?? ''] ?? 0)).toBe(1);
  });
});

describe('shops[].production_partner_ids', () => {
  it('are checked individually for each shop', async () => {
    expect(await refuse(inClay({ production_partner_ids: [4410221, 4730512] }))).toEqual([
      'shops[0].production_partner_ids[1]: "ClayAndOak" has no production partner 4730512; it has 4410221 ("Blue Ridge Sawmill"); if the production partner is new, call store_sync first',
    ]);
  });
});

describe('variations.offerings[].processing_profile_id', () => {
  it('is checked for every shop of the request', async () => {
    const variations = {
      properties: [{ property_id: 513, name: 'Size', values: ['S'] }],
      offerings: [{ size: 'S', processing_profile_id: 1386200000101 }],
    };
    const [line, ...others] = await refuse(buildMug([clay, linen], { variations }));
    expect(others).toEqual([]);
    expect(line).toMatch(
      /^variations\.offerings\[0\]\.processing_profile_id: "NordLinen" has no processing profile 1386200000101; it has 1391700000401 /,
    );
  });
});

const ref = async (shop_id: number) => ({
  account_id: (await service.app.core.accounts.getDefault()).account_id,
  shop_id,
});

const inYen = (shop: ConnectedShop) => ({ ...shop, details: { ...shop.details, currency_code: 'JPY' } });

const without = (shop: ConnectedShop) => ({ ...shop, lists: { ...shop.lists, processing_profiles: [] } });

const hostile = (shop: ConnectedShop) => ({
  ...shop,
  lists: {
    ...shop.lists,
    shop_sections: [
      { shop_section_id: 1, title: 'a\nshops[0].price: \u202eb', rank: 1, active_listing_count: 0 },
    ],
  },
});

/** Runs with the saved shop changed, and restores it. */
async function withShop(
  shop_id: number,
  edit: (shop: ConnectedShop) => ConnectedShop,
  run: () => Promise<void>,
) {
  const kept = await service.app.store.shops.findShop(await ref(shop_id));
  if (!kept) throw new Error('the shop is not connected');
  await service.app.store.shops.saveShop(edit(kept));
  try {
    await run();
  } finally {
    await service.app.store.shops.saveShop(kept);
  }
}

describe('saved shops', () => {
  it('shops[].price and the others have no decimals in a currency without', async () => {
    await withShop(LINEN.shop_id, inYen, async () => {
      const variations = {
        properties: [{ property_id: 513, name: 'Size', values: ['S', 'L'] }],
        offerings: [
          { size: 'S', price: 1200 },
          { size: 'L', price: 1200.5 },
        ],
      };
      expect(await refuse(buildMug([clay, linen], { variations }))).toEqual([
        'listing.price: is 24.5; prices in JPY have no decimal places',
        'variations.offerings[1].price: is 1200.5; prices in JPY have no decimal places',
      ]);
      expect(await refuse(buildMug([clay, { ...linen, price: 0.2 }]))).toEqual([
        'shops[1].price: is 0.2; prices in JPY have no decimal places',
      ]);
      expect((await check(buildMug([clay, { ...linen, price: 2500 }]))).status).toBe('valid');
    });
  });

  it('require a processing profile for physical listings', async () => {
    await withShop(CLAY.shop_id, without, async () => {
      expect(await refuse(buildMug([clay]))).toEqual([
        'shops[0].processing_profile_id: cannot be set: "ClayAndOak" has no processing profiles; create one in Shop Manager, then call store_sync',
      ]);
    });
  });

  it('cannot break a line of the message with their names', async () => {
    await withShop(CLAY.shop_id, hostile, async () => {
      expect(await refuse(inClay({ shop_section_id: 2 }))).toEqual([
        'shops[0].shop_section_id: "ClayAndOak" has no shop section 2; it has 1 ("a shops[0].price:  b"); if the shop section is new, call store_sync first',
      ]);
    });
  });
});

describe('listing.price', () => {
  it('of 0.1 + 0.2 is sent as 0.30', async () => {
    const { shops } = await check(buildListing({ price: 0.1 + 0.2 }, { state: 'publish' }));
    expect(shops?.map(({ price }) => price)).toEqual([0.3]);
  });
});

describe('listing.taxonomy_id', () => {
  it('must be a category of the marketplace', async () => {
    expect(await refuse(buildListing({ taxonomy_id: 999999 }, { state: 'publish' }))).toEqual([
      'listing.taxonomy_id: is 999999, which is not a marketplace category; the title suggests 1062 ("Home & Living > Kitchen & Dining > Drink & Barware > Drinkware > Mugs"); categories_search finds categories by keyword',
    ]);
  });
});

const refuseAttributes = (category_attributes: object) => refuse(buildMug([clay], { category_attributes }));

describe('listing.taxonomy_id of a draft', () => {
  it('is accepted unchecked while no tree is saved', async () => {
    const other = await startService();
    try {
      const [target = {}] = await listTargets(other);
      const request = buildMug([target]);
      const listing = { ...request.listing, taxonomy_id: 99_999_999 };
      expect(await other.call('listing_create', { ...request, listing })).toMatchObject({ status: 'draft' });
    } finally {
      await other.close();
    }
  });
});

describe('category_attributes', () => {
  it('are attributes of the category', async () => {
    const [line, ...others] = await refuseAttributes({ 100: { value_ids: [1101] } });
    expect(others).toEqual([]);
    expect(line).toMatch(
      /^category_attributes\.100: is not an attribute of category 1062; the category has 200 \("Primary color"\), .*185 \("Capacity"\)/,
    );
  });
  it('category_attributes.<property_id>.value_ids: values of that attribute, as many as it takes', async () => {
    expect(await refuseAttributes({ 358: { value_ids: [2140] }, 357: { value_ids: [2140, 2100] } })).toEqual([
      'category_attributes.357.value_ids[0]: is 2140, which is not a value of "Drinkware material"; use one of 2100 ("Ceramic"), 2101 ("Enamel"), 2102 ("Glass"), 2103 ("Porcelain"), 2104 ("Stoneware"), 2105 ("Wood")',
    ]);
    expect(await refuseAttributes({ 358: { value_ids: [2140, 2141] } })).toEqual([
      'category_attributes.358: has 2 values; "Dishwasher safe" allows at most 1',
    ]);
    expect(
      (
        await check(
          buildMug([clay], { category_attributes: { 357: { value_ids: [2100, 2101, 2102, 2103, 2104] } } }),
        )
      ).status,
    ).toBe('valid');
    expect(await refuseAttributes({ 357: { value_ids: [2100, 2101, 2102, 2103, 2104, 2105] } })).toEqual([
      'category_attributes.357: has 6 values; "Drinkware material" allows at most 5',
    ]);
  });
  it('category_attributes.<property_id>.values: what the value ids stand for, or names of values', async () => {
    const right = { 357: { value_ids: [2104], values: [' stoneware'] }, 358: { values: ['YES'] } };
    expect((await check(buildMug([clay], { category_attributes: right }))).status).toBe('valid');
    expect(await refuseAttributes({ 357: { value_ids: [2104], values: ['Wood'] } })).toEqual([
      'category_attributes.357.values[0]: must be "Stoneware", the name of value 2104',
    ]);
    expect(await refuseAttributes({ 358: { values: ['Maybe'] } })).toEqual([
      'category_attributes.358.values[0]: is not a value of "Dishwasher safe"; use one of 2140 ("Yes"), 2141 ("No")',
    ]);
  });
  it('category_attributes.<property_id>.scale_id: a scale of the attribute, and that of the value', async () => {
    expect(
      (await check(buildMug([clay], { category_attributes: { 185: { value_ids: [5201], scale_id: 331 } } })))
        .status,
    ).toBe('valid');
    expect(await refuseAttributes({ 185: { value_ids: [5201], scale_id: 332 } })).toEqual([
      'category_attributes.185.value_ids[0]: is 5201 ("8"), which belongs to scale 331 ("Fluid ounces"); use that scale or another value',
    ]);
    expect(await refuseAttributes({ 185: { value_ids: [5201], scale_id: 5 } })).toEqual([
      'category_attributes.185.value_ids[0]: is 5201 ("8"), which belongs to scale 331 ("Fluid ounces"); use that scale or another value',
      'category_attributes.185.scale_id: is 5, which is not a scale of "Capacity"; use one of 331 ("Fluid ounces"), 332 ("Milliliters")',
    ]);
    expect(await refuseAttributes({ 358: { value_ids: [2140], scale_id: 5 } })).toEqual([
      'category_attributes.358.scale_id: is 5, which is not a scale of "Dishwasher safe"; it has no scales',
    ]);
  });
  it('that are required are asked for only when the listing is activated', async () => {
    const rug = { taxonomy_id: RUGS };
    const needed =
      'category_attributes.365: is required for state active ("Rug shape"); listing_schema returns its values: 2800 ("Oval"), 2801 ("Rectangle"), 2802 ("Round"), 2803 ("Runner")';
    expect(await refuse(buildListing(rug, { state: 'active' }))).toEqual([
      'images: is required for state active; send 1 to 10 images',
      needed,
    ]);
    expect((await check(buildListing(rug, { state: 'publish' }))).status).toBe('valid');
    expect((await check(buildListing(rug))).status).toBe('valid');
  });
});

describe('variations.properties[].property_id', () => {
  it('is a variation property of the category', async () => {
    const variations = { properties: [{ property_id: 357, name: 'Material', values: ['Wood'] }] };
    const [line, ...others] = await refuse(buildMug([clay], { variations }));
    expect(others).toEqual([]);
    expect(line).toMatch(
      /^variations\.properties\[0\]\.property_id: is 357, which is not a variation property of category 1062; the category has 507 \("Material"\), 513 \("Custom Property"\), 514 \("Custom Property"\), 200 \("Primary color"\), .* and 8 more$/,
    );
  });
});

const vary = (scale_id: number) => ({
  properties: [{ property_id: 504, name: 'Diameter', scale_id, values: ['8'] }],
});

describe('variations.properties[].scale_id', () => {
  it('is a scale of that property', async () => {
    expect((await check(buildMug([clay], { variations: vary(5) }))).status).toBe('valid');
    expect(await refuse(buildMug([clay], { variations: vary(9) }))).toEqual([
      'variations.properties[0].scale_id: is 9, which is not a scale of "Diameter"; use one of 5 ("Inches"), 6 ("Centimeters")',
    ]);
  });
});

describe('all problems of a request', () => {
  it('are reported in one answer: types, rules, shops and category', async () => {
    const body = buildListing(
      { title: 'a & b & c', quantity: '4', tags: ['x', '🍵'], price: 0.1 },
      {
        state: 'publish',
        shops: [
          { ...clay, shop_section_id: 1 },
          { shop_id: 999, shipping_profile_id: 1, return_policy_id: 1 },
        ],
        images: [{ url: 'ftp://a' }],
        category_attributes: { 358: { value_ids: [1] }, 'a.b': { value_ids: true } },
      },
    );
    const lines = await refuse(body);
    expect(lines.map((line) => line.split(': ')[0] ?? '').sort((a, b) => (a < b ? -1 : 1))).toEqual([
      'category_attributes.358.value_ids[0]',
      'category_attributes.a.b',
      'category_attributes.a.b.value_ids',
      'images[0].url',
      'listing.price',
      'listing.quantity',
      'listing.tags[1]',
      'listing.title',
      'shops[0].shop_section_id',
      'shops[1].shop_id',
    ]);
  });
});

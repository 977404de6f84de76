import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPng, CLAY, CLAY_READINESS, imageParts, MUG, openRig } from './harness.js';
import type { Rig } from './harness.js';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.sandbox.close());

type Changes = Record<string, unknown>;

const offering = (changes: Changes = {}) => ({
  price: 30,
  quantity: 4,
  is_enabled: true,
  readiness_state_id: CLAY_READINESS,
  ...changes,
});
const glaze = (value: string, changes: Changes = {}) => ({
  property_id: 513,
  property_name: 'Glaze',
  value_ids: [],
  values: [value],
  ...changes,
});
const color = (value: string, value_ids: number[] = []) => ({ property_id: 200, value_ids, values: [value] });
const capacity = (value: string, value_ids: number[], scale_id?: number) => ({
  property_id: 185,
  value_ids,
  values: [value],
  scale_id,
});
const product = (property_values: unknown[], offered: Changes = {}, sku = '') => ({
  sku,
  property_values,
  offerings: [offering(offered)],
});

const put = (listing_id: number, json: unknown, query = '') =>
  rig.call('PUT', `/listings/${listing_id}/inventory${query}`, { json });

const grid = (price: (shade: string, size: string) => number) =>
  ['Sand', 'Moss'].flatMap((shade) =>
    ['Red', 'Blue'].map((size) => product([glaze(shade), color(size)], { price: price(shade, size) })),
  );

const GLAZES = {
  products: [
    product([glaze('Sand')], { price: 30 }),
    product([glaze('Moss')], { price: 36.5 }),
    product([glaze('Rust')], { price: 33, is_enabled: false }),
  ],
  price_on_property: [513],
};

describe('updateListingInventory', () => {
  it('stores the request and derives price, quantity and has_variations', async () => {
    const listing_id = await rig.createMug();
    const { status, body } = await put(listing_id, GLAZES);
    expect(status).toBe(200);
    expect(body.price_on_property).toEqual([513]);
    expect(body.products[1]).toEqual({
      product_id: expect.any(Number),
      sku: '',
      is_deleted: false,
      offerings: [
        {
          offering_id: expect.any(Number),
          quantity: 4,
          is_enabled: true,
          is_deleted: false,
          price: { amount: 3650, divisor: 100, currency_code: 'USD' },
          readiness_state_id: CLAY_READINESS,
        },
      ],
      property_values: [
        {
          property_id: 513,
          property_name: 'Glaze',
          scale_id: null,
          scale_name: null,
          value_ids: [expect.any(Number)],
          values: ['Moss'],
        },
      ],
    });
    const listing = await rig.call('GET', `/listings/${listing_id}`);
    expect(listing.body).toMatchObject({
      has_variations: true,
      quantity: 8,
      price: { amount: 3000, divisor: 100, currency_code: 'USD' },
    });
  });

  it("assigns new product and offering ids with each write, and the shop's lasting value ids", async () => {
    const listing_id = await rig.createMug();
    const first = (
      await put(listing_id, { products: [product([color('Blue', [3])]), product([color('Red', [14])])] })
    ).body;
    const second = (
      await put(listing_id, { products: [product([color('Blue', [3])]), product([color('Red', [14])])] })
    ).body;
    const idOf = (body: typeof first, index: number) => body.products[index].property_values[0].value_ids[0];
    expect(second.products[0].product_id).not.toBe(first.products[0].product_id);
    expect(second.products[0].offerings[0].offering_id).not.toBe(first.products[0].offerings[0].offering_id);
    expect(idOf(first, 0)).not.toBe(3);
    expect(idOf(first, 0)).not.toBe(idOf(first, 1));
    expect([idOf(second, 0), idOf(second, 1)]).toEqual([idOf(first, 0), idOf(first, 1)]);
    const reused = await put(listing_id, { products: [product([color('Blue', [idOf(first, 0)])])] });
    expect(reused.status).toBe(200);
  });

  it("accepts the shop's own value id only with the scale it was assigned for", async () => {
    const listing_id = await rig.createMug();
    const { body } = await put(listing_id, { products: [product([capacity('11', [], 331)])] });
    const [own] = body.products[0].property_values[0].value_ids as number[];
    if (own === undefined) throw new Error('a value has an id');
    const again = (scale_id?: number) =>
      put(listing_id, { products: [product([capacity('11', [own], scale_id)])] });
    expect((await again(332)).status).toBe(400);
    expect((await again()).status).toBe(400);
    expect((await again(331)).status).toBe(200);
  });

  it('silently merges products with equal values', async () => {
    const listing_id = await rig.createMug();
    const { body } = await put(listing_id, {
      products: [product([glaze('Sand')]), product([glaze('Sand')]), product([glaze('Moss')])],
    });
    expect(body.products).toHaveLength(2);
  });

  it('accepts a SKU for a listing without variations and shows it only to its owner', async () => {
    const listing_id = await rig.createMug();
    await put(listing_id, { products: [product([], {}, 'MUG-1')] });
    const owned = await rig.call('GET', `/listings/batch/inventory?listing_ids=${listing_id}`);
    expect(owned.body.results[0]).toMatchObject({
      skus: ['MUG-1'],
      inventory: { products: [{ sku: 'MUG-1' }] },
    });
    const open = await rig.call('GET', `/listings/${listing_id}`, { headers: { authorization: '' } });
    expect(open.body.skus).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['no products', { products: [] }, 'Missing Input Parameter: [products]'],
    [
      'no property_values',
      { products: [{ sku: '', offerings: [offering()] }] },
      "Property values can't be empty",
    ],
    [
      'a price object',
      { products: [product([], { price: { amount: 1, divisor: 100 } })] },
      "Expected float value for 'price' (got NULL).",
    ],
    [
      'a price as text',
      { products: [product([], { price: '12' })] },
      "Expected float value for 'price' (got NULL).",
    ],
    [
      'no offerings',
      { products: [{ sku: '', property_values: [] }] },
      "Expected float value for 'price' (got NULL).",
    ],
    [
      'no readiness',
      { products: [product([], { readiness_state_id: null })] },
      'All offerings need readiness state',
    ],
    [
      'a nameless custom property',
      { products: [product([glaze('Sand', { property_name: undefined })])] },
      "Expected string value for 'property_name' (got NULL)",
    ],
    [
      'three variations',
      {
        products: [
          product([glaze('Sand'), color('Red'), { property_id: 507, value_ids: [], values: ['Clay'] }]),
        ],
      },
      'Could not update inventory with unsupported number of variations. The maximum number of supported variations is 2.',
    ],
  ])("refuses %s with the marketplace's message", async (_name, json, error) => {
    const listing_id = await rig.createMug();
    const { status, body } = await put(listing_id, json);
    expect({ status, body }).toEqual({ status: 400, body: { error } });
  });

  it.each<[string, unknown]>([
    [
      'a readiness state of another shop',
      { products: [product([], { readiness_state_id: 1_391_700_000_401 })] },
    ],
    ['no price', { products: [product([], { price: 0 })] }],
    ['a price above the maximum', { products: [product([], { price: 1e300 })] }],
    ['nothing for sale', { products: [product([], { quantity: 0 })] }],
    ['everything hidden', { products: [product([], { is_enabled: false })] }],
    ['a long SKU', { products: [product([], {}, 'x'.repeat(33))] }],
    ['parentheses', { products: [product([glaze('Sand (light)')])] }],
    ['a value of another property', { products: [product([color('Blue', [5201])])] }],
    ['a value without its scale', { products: [product([capacity('12', [5203])])] }],
    ['a value of another scale', { products: [product([capacity('12', [5203], 332)])] }],
    [
      'a property that cannot vary',
      { products: [product([{ property_id: 46803063659, value_ids: [], values: ['Easter'] }])] },
    ],
    ['an unknown property', { products: [product([{ property_id: 99, value_ids: [], values: ['x'] }])] }],
    ['a scale of another property', { products: [product([{ ...color('Blue'), scale_id: 5 }])] }],
    ['unequal properties', { products: [product([glaze('Sand')]), product([color('Blue')])] }],
    ['a quantity above the cap', { products: [product([], { quantity: 1000 })] }],
    ['prices that differ on no property', { products: GLAZES.products }],
    [
      'SKUs that differ on no property',
      { products: [product([glaze('Sand')], {}, 'A'), product([glaze('Moss')], {}, 'B')] },
    ],
    ['an axis that cannot vary', { ...GLAZES, price_on_property: [200] }],
  ])('refuses %s', async (_name, json) => {
    const listing_id = await rig.createMug();
    const { status, body } = await put(listing_id, json);
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.any(String) } });
    const kept = await rig.call('GET', `/listings/${listing_id}/inventory`);
    expect(kept.body.products).toHaveLength(1);
  });

  it('requires for each axis that products sharing a value agree', async () => {
    const listing_id = await rig.createMug();
    const byGlaze = grid((shade) => (shade === 'Sand' ? 20 : 25));
    const byBoth = grid((shade, size) => (shade === 'Sand' ? 20 : 25) + size.length);
    expect((await put(listing_id, { products: byGlaze, price_on_property: [513] })).status).toBe(200);
    expect((await put(listing_id, { products: byBoth, price_on_property: [513] })).status).toBe(400);
    expect((await put(listing_id, { products: byBoth, price_on_property: [513, 200] })).status).toBe(200);
  });

  it('accepts three variations only from a caller that declares them, and never two of three axes', async () => {
    const listing_id = await rig.createMug();
    const third = { property_id: 507, value_ids: [], values: ['Clay'] };
    const products = [
      product([glaze('Sand'), color('Red'), third]),
      product([glaze('Moss'), color('Red'), third]),
    ];
    const query = '?max_variations_supported=3';
    expect((await put(listing_id, { products, price_on_property: [513, 200] }, query)).body).toEqual({
      error:
        'price_on_property: unsupported number of property IDs. Supports only zero, one, or all variation properties (3).',
    });
    expect((await put(listing_id, { products }, query)).status).toBe(200);
    expect((await put(listing_id, { products: [product([glaze('Sand')])] })).status).toBe(400);
    expect((await put(listing_id, { products }, '?max_variations_supported=4')).body).toEqual({
      error: 'Invalid value (4) for query parameter max_variations_supported.',
    });
  });

  it('names the missing field if the body has another type', async () => {
    const listing_id = await rig.createMug();
    const { body } = await rig.call('PUT', `/listings/${listing_id}/inventory`, { form: { products: '[]' } });
    expect(body).toEqual({ error: 'Missing Input Parameter: [products]' });
  });

  it('refuses variations and a processing profile on a digital listing', async () => {
    const { body } = await rig.call('POST', `/shops/${CLAY.shop_id}/listings`, {
      form: { ...MUG, type: 'download', readiness_state_id: '', shipping_profile_id: '', taxonomy_id: '78' },
    });
    const { listing_id } = body;
    expect((await put(listing_id, { products: [product([])] })).status).toBe(400);
    const bare = { readiness_state_id: null };
    expect((await put(listing_id, { products: [product([glaze('Sand')], bare)] })).status).toBe(400);
    expect((await put(listing_id, { products: [product([], bare, 'DIG-1')] })).status).toBe(200);
  });
});

describe('updateVariationImages', () => {
  it('links values of the inventory to images of the listing, and loses them with the value', async () => {
    await rig.control('POST', '/settings', { inventory_drops_variation_images: false });
    const listing_id = await rig.createMug();
    const images = `/shops/${CLAY.shop_id}/listings/${listing_id}/images`;
    const image_id = (await rig.call('POST', images, { parts: imageParts(buildPng(1)) })).body
      .listing_image_id;
    const { body } = await put(listing_id, GLAZES);
    const products: { property_values: { value_ids: number[] }[] }[] = body.products;
    const [sand, moss] = products.map((entry) => entry.property_values[0]?.value_ids[0]);
    const path = `/shops/${CLAY.shop_id}/listings/${listing_id}/variation-images`;
    const link = (list: unknown) => rig.call('POST', path, { json: { variation_images: list } });
    const linked = await link([
      { property_id: 513, value_id: sand, image_id },
      { property_id: 513, value_id: moss, image_id },
    ]);
    expect(linked.status).toBe(200);
    expect(linked.body).toEqual({
      count: 2,
      results: [
        { property_id: 513, value_id: sand, value: 'Sand', image_id },
        { property_id: 513, value_id: moss, value: 'Moss', image_id },
      ],
    });
    expect((await link([{ property_id: 513, value_id: 1, image_id }])).status).toBe(400);
    expect((await link([{ property_id: 513, value_id: sand, image_id: 1 }])).status).toBe(400);
    const twice = { property_id: 513, value_id: sand, image_id };
    expect((await link([twice, twice])).status).toBe(400);
    expect((await link([twice, { property_id: 200, value_id: sand, image_id }])).status).toBe(400);
    await put(listing_id, { products: [product([glaze('Moss')]), product([glaze('Charcoal')])] });
    const left = await rig.call('GET', path);
    expect(left.body.results).toEqual([{ property_id: 513, value_id: moss, value: 'Moss', image_id }]);

    await rig.control('POST', '/settings', { inventory_drops_variation_images: true });
    await put(listing_id, { products: [product([glaze('Moss')]), product([glaze('Charcoal')])] });
    expect((await rig.call('GET', path)).body.results).toEqual([]);
  });
});

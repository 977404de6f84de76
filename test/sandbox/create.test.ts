import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLAY, MUG, NORD, openRig, pluck } from './harness.js';
import type { Rig } from './harness.js';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.sandbox.close());

const path = `/shops/${CLAY.shop_id}/listings`;
const create = async (changes: Record<string, string | undefined>) => {
  const form = Object.fromEntries(
    Object.entries({ ...MUG, ...changes }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const { status, body } = await rig.call('POST', path, { form });
  return { status, body };
};

describe('createDraftListing', () => {
  it('makes a draft with an id beyond 32 bits, encoded text, and money in hundredths', async () => {
    const { status, body } = await create({
      title: `Mug & "Cup" <it's>`,
      tags: 'mug,tea lover',
      styles: 'Rustic',
      item_weight: '1.5',
      item_weight_unit: 'lb',
    });
    expect(status).toBe(201);
    expect(body.listing_id).toBeGreaterThan(2 ** 32);
    expect(body).toMatchObject({
      shop_id: CLAY.shop_id,
      state: 'draft',
      title: 'Mug &amp; &quot;Cup&quot; &lt;it&#39;s&gt;',
      price: { amount: 3450, divisor: 100, currency_code: 'USD' },
      quantity: 5,
      tags: ['mug', 'tea lover'],
      style: ['Rustic'],
      item_weight: 1.5,
      item_weight_unit: 'lb',
      listing_type: 'physical',
      has_variations: false,
      readiness_state_id: null,
    });
  });

  it.each([
    ['readiness_state_id', 'A readiness_state_id is required for physical listings.'],
    ['title', 'Missing Input Parameter: [title]'],
    ['taxonomy_id', 'Missing Input Parameter: [taxonomy_id]'],
    ['shipping_profile_id', 'A shipping_profile_id is required for physical listings.'],
  ])('requires %s', async (name, error) => {
    expect(await create({ [name]: undefined })).toEqual({ status: 400, body: { error } });
  });

  it.each([
    ['a profile of another shop', { shipping_profile_id: '223915881' }],
    ['a processing profile of another shop', { readiness_state_id: '1391700000401' }],
    ['a section of another shop', { shop_section_id: '44902511' }],
    ['a return policy of another shop', { return_policy_id: '1158300401' }],
    ['a partner of another shop', { production_partner_ids: '4730512' }],
    ['an unknown category', { taxonomy_id: '999999' }],
    ['an unknown enum value', { when_made: '2020_2025' }],
    ['no price', { price: '0' }],
    ['a price with a currency', { price: '$12' }],
    ['no quantity', { quantity: '0' }],
    ['a quantity above the cap', { quantity: '1000' }],
    ['when_made without who_made', { who_made: undefined, when_made: 'made_to_order' }],
    ['personalization', { is_personalizable: 'true' }],
    ['a weight of zero', { item_weight: '0' }],
    ['a boolean in words', { is_supply: 'yes' }],
  ])('refuses %s', async (_name, changes) => {
    const { status, body } = await create(changes);
    expect(status).toBe(400);
    expect(body).toEqual({ error: expect.any(String) });
  });

  it.each([
    ['/title', { title: 'Mug 😀' }, 'contains invalid characters'],
    ['/title', { title: 'A & B & C' }, 'can contain & only once'],
    ['/title', { title: 'x'.repeat(141) }, 'cannot be more than 140 characters'],
    ['/tags', { tags: '["mug"' }, 'contains invalid characters'],
    ['/tags', { tags: '-mug' }, 'contains invalid characters'],
    ['/tags', { tags: 'x'.repeat(21) }, 'cannot be more than 20 characters'],
    [
      '/tags',
      { tags: Array.from({ length: 14 }, (_, index) => `tag ${index}`).join(',') },
      'cannot be more than 13 items',
    ],
    ['/materials', { materials: 'clay-glaze' }, 'contains invalid characters'],
    ['/styles', { styles: 'a,b,c' }, 'cannot be more than 2 items'],
    ['/images', { image_ids: '' }, 'cannot be less than 1 items'],
  ])('answers errors in %s as a bare array', async (where, changes, message) => {
    const { status, body } = await create(changes);
    expect(status).toBe(400);
    expect(body).toEqual([{ path: where, type: expect.any(String), message }]);
  });

  it('ignores a SKU, and accepts a digital draft without shipping', async () => {
    const digital = await create({
      type: 'download',
      sku: 'ABC',
      shipping_profile_id: undefined,
      readiness_state_id: undefined,
      taxonomy_id: '78',
    });
    expect(digital.status).toBe(201);
    const { body } = await rig.call('GET', `/listings/${digital.body.listing_id}/inventory`);
    expect(body.products[0]).toMatchObject({ sku: '', offerings: [{ readiness_state_id: null }] });
  });

  it('refuses JSON in place of a form', async () => {
    expect((await rig.call('POST', path, { json: MUG })).status).toBe(400);
  });

  it('lists drafts newest first, and only after the configured lag', async () => {
    await rig.control('POST', '/settings', { draft_list_lag_ms: 60_000 });
    const listing_id = await rig.createMug();
    const listed = async () => {
      const { body } = await rig.call('GET', `${path}?state=draft&limit=100`);
      return pluck(body.results, 'listing_id');
    };
    expect(await listed()).not.toContain(listing_id);
    await rig.control('POST', '/settings', { draft_list_lag_ms: 0 });
    expect((await listed())[0]).toBe(listing_id);
    expect((await rig.call('GET', `${path}?state=draft&offset=12001`)).status).toBe(400);
    expect((await rig.call('GET', `${path}?limit=101`)).status).toBe(400);
    expect((await rig.call('GET', `${path}?state=edit`)).status).toBe(400);
  });

  it('refuses or drops fields if a test says so', async () => {
    await rig.control('POST', '/settings', {
      refuse: [{ operation: 'createDraftListing', field: 'materials', message: 'no materials today' }],
      ignore_fields: ['tags'],
    });
    expect(await create({ materials: 'clay' })).toEqual({
      status: 400,
      body: { error: 'no materials today' },
    });
    expect((await create({ tags: 'mug' })).body.tags).toEqual([]);
    await rig.control('POST', '/settings', { refuse: [], ignore_fields: [] });
  });

  it('keeps the product-safety fields, removes an empty one, and can omit them from answers', async () => {
    const listing_id = await rig.createMug({
      gpsr_manufacturer_id: '71',
      gpsr_safety_warnings: 'Hot & heavy',
    });
    const read = async () => (await rig.call('GET', `/listings/${listing_id}`)).body;
    expect(await read()).toMatchObject({
      gpsr_manufacturer_type: null,
      gpsr_manufacturer_id: 71,
      gpsr_safety_warnings: 'Hot &amp; heavy',
    });
    await rig.control('POST', `/listings/${listing_id}/edit`, {
      gpsr_serial_number: 'MUG-7',
      gpsr_safety_warnings: null,
    });
    expect(await read()).toMatchObject({ gpsr_serial_number: 'MUG-7', gpsr_safety_warnings: null });
    const update = `/shops/${CLAY.shop_id}/listings/${listing_id}`;
    await rig.call('PATCH', update, { form: { gpsr_manufacturer_id: '', type: 'physical' } });
    expect(await read()).toMatchObject({ gpsr_manufacturer_id: null, gpsr_serial_number: 'MUG-7' });
    expect((await create({ gpsr_manufacturer_id: 'kiln' })).body).toEqual({
      error: 'Invalid value (kiln) for parameter gpsr_manufacturer_id.',
    });
    await rig.control('POST', '/settings', { shows_gpsr: false });
    expect(Object.keys(await read()).filter((name) => name.startsWith('gpsr'))).toEqual([]);
    await rig.control('POST', '/settings', { shows_gpsr: true });
  });

  it('deletes a listing for its owner only', async () => {
    const listing_id = await rig.createMug();
    const other = rig.sandbox.issueGrant(NORD.user_id, ['listings_d']).access_token;
    const headers = { authorization: `Bearer ${other}` };
    expect((await rig.call('DELETE', `/listings/${listing_id}`, { headers })).status).toBe(403);
    expect((await rig.call('DELETE', `/listings/${listing_id}`)).status).toBe(204);
    expect((await rig.call('GET', `/listings/${listing_id}`)).status).toBe(404);
  });
});

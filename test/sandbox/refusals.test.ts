import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  buildPng,
  CLAY,
  CLAY_READINESS,
  CLAY_RETURNS,
  imageParts,
  MUG,
  NORD,
  openRig,
  type Rig,
} from './harness.js';

/* Refusals by the marketplace although each single field is valid. */

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
beforeEach(() => rig.control('POST', '/reset'));
afterAll(() => rig.sandbox.close());

type Form = Record<string, string>;

const pathOf = (listing_id: number) => `/shops/${CLAY.shop_id}/listings/${listing_id}`;
const create = async (form: Form) =>
  (await rig.call('POST', `/shops/${CLAY.shop_id}/listings`, { form: { ...MUG, ...form } })).status;
const update = async (listing_id: number, form: Form) =>
  (await rig.call('PATCH', pathOf(listing_id), { form })).status;
const makeLive = async () => {
  const listing_id = await rig.createMug({ return_policy_id: String(CLAY_RETURNS) });
  await rig.call('POST', `${pathOf(listing_id)}/images`, { parts: imageParts(buildPng(1)) });
  expect(await update(listing_id, { state: 'active' })).toBe(200);
  return listing_id;
};

describe('a product that someone else makes', () => {
  const OTHERS = { who_made: 'someone_else', when_made: 'made_to_order', is_supply: 'false' };

  it('needs a production partner, unless it is vintage or a supply', async () => {
    expect(await create(OTHERS)).toBe(400);
    expect(await create({ ...OTHERS, production_partner_ids: '4410221' })).toBe(201);
    expect(await create({ ...OTHERS, is_supply: 'true' })).toBe(201);
    expect(await create({ ...OTHERS, when_made: '1990s' })).toBe(201);
  });

  it('needs one on an update too', async () => {
    const listing_id = await rig.createMug();
    expect(await update(listing_id, OTHERS)).toBe(400);
    expect(await update(listing_id, { ...OTHERS, production_partner_ids: '4410221' })).toBe(200);
  });
});

it('who_made, when_made and is_supply must be sent together in an update', async () => {
  const listing_id = await rig.createMug();
  expect(await update(listing_id, { when_made: '1990s' })).toBe(400);
  expect(await update(listing_id, { who_made: 'i_did', when_made: '1990s', is_supply: 'false' })).toBe(200);
});

it('a price is at most 50,000 USD, in a shop that sells in USD', async () => {
  expect(await create({ price: '50000' })).toBe(201);
  expect(await create({ price: '50000.01' })).toBe(400);
  const listing_id = await rig.createMug();
  const setPrice = async (price: number) => {
    const offerings = [{ price, quantity: 1, is_enabled: true, readiness_state_id: CLAY_READINESS }];
    const json = { products: [{ sku: '', property_values: [], offerings }] };
    return (await rig.call('PUT', `/listings/${listing_id}/inventory`, { json })).status;
  };
  expect([await setPrice(50_000), await setPrice(50_000.01)]).toEqual([200, 400]);
});

it('nothing can be activated in a shop on vacation', async () => {
  const listing_id = await makeLive();
  expect(await update(listing_id, { state: 'inactive' })).toBe(200);
  await rig.control('POST', '/settings', { vacation_shop_ids: [CLAY.shop_id] });
  expect(await update(listing_id, { state: 'active' })).toBe(400);
  await rig.control('POST', '/settings', { vacation_shop_ids: [NORD.shop_id] });
  expect(await update(listing_id, { state: 'active' })).toBe(200);
});

it('an active listing cannot move to a category that requires an attribute it lacks', async () => {
  const listing_id = await makeLive();
  expect(await update(listing_id, { taxonomy_id: '1238' })).toBe(400);
  expect(await update(await rig.createMug(), { taxonomy_id: '1238' })).toBe(200);
});

it('periods have the names of one year', async () => {
  for (const [calendar_year, name, former] of [
    [2026, '2020_2026', '2020_2025'],
    [2027, '2020_2027', '2020_2026'],
  ] as const) {
    await rig.control('POST', '/settings', { calendar_year });
    expect([await create({ when_made: name }), await create({ when_made: former })]).toEqual([201, 400]);
  }
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildMug, CLAY, TARGETS, upload } from '../service.js';
import { agreeTo } from '../../src/dashboard/pages/listing/sale/publish.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

/*
 * Publishing is offered if it would do something, for the amount that is charged; forgetting is offered if
 * the operation allows it.
 */

const LINEN_ID = String(TARGETS.linen.shop_id);

type Made = { listing_pk: number; results: { shop_id: string; listing_id: number }[] };

let dashboard: TestDashboard;
let visitor: Visitor;
let image: string;
beforeAll(async () => {
  dashboard = await startDashboard({ CONFIRM_SPENDING: 'off' });
  visitor = await dashboard.signIn();
  image = await upload(dashboard.service, 'mug-front.jpg');
});
afterAll(() => dashboard.close());

const call = <Output>(id: string, input: object) => dashboard.service.call<Output>(id, input);
const control = <Answer>(path: string, body: object) => dashboard.service.control<Answer>('POST', path, body);
const see = async (listing_pk: number, page = '') =>
  toText((await visitor.get(`/dashboard/listings/${listing_pk}${page}`)).text);

async function importOne(state: string): Promise<number> {
  const { listing_ids } = await control<{ listing_ids: number[] }>('/listings', { shop_id: CLAY.shop_id });
  await control(`/listings/${listing_ids[0]}/edit`, { state });
  const { results } = await call<{ results: { listing_pk: number }[] }>('listing_import', {
    shop_id: CLAY.shop_id,
    listing_ids,
  });
  return results[0]?.listing_pk ?? 0;
}

it('publishing is not offered for an imported listing that is inactive: it is reactivated', async () => {
  const listing_pk = await importOne('inactive');
  const words = await see(listing_pk);
  expect(words).toContain('Activate…');
  expect(words).not.toContain('Publish…');
  const { status, location } = await visitor.get(`/dashboard/listings/${listing_pk}/put-live`);
  expect([status, location]).toEqual([303, `/dashboard/listings/${listing_pk}`]);
});

it('an imported listing can be forgotten, and stays in its shop', async () => {
  const listing_pk = await importOne('inactive');
  expect(await see(listing_pk)).toContain('Remove from this app… Nothing changes on Etsy.');
  const question = await see(listing_pk, '/delete');
  expect(question).toContain('Remove this listing from this app?');
  expect(question).toContain('Nothing changes on Etsy');
  expect(question).toMatch(/ClayAndOak :\s+listing \d+, inactive/);
  const { location } = await visitor.post(`/dashboard/listings/${listing_pk}/delete`);
  expect(location).toBe('/dashboard/listings?done=listing_removed');
  expect((await visitor.get(`/dashboard/listings/${listing_pk}`)).status).toBe(404);
});

it('a listing that is gone from its shops can be forgotten', async () => {
  const mug = buildMug([TARGETS.clay], { state: 'active', images: [{ url: image }] });
  const made = await call<Made>('listing_create', { ...mug, idempotency_key: crypto.randomUUID() });
  expect(await see(made.listing_pk)).not.toContain('Remove from this app…');
  await control(`/listings/${made.results[0]?.listing_id}/edit`, { state: 'removed' });
  // Reads the listing again, and changes nothing.
  await dashboard.service.invoke('listing_publish', { listing_pk: made.listing_pk, state: 'active' });
  expect(await see(made.listing_pk)).toContain('Remove from this app… Nothing changes on Etsy.');
});

describe('publishing in one more shop than the listing was live in', () => {
  let made: Made;
  beforeEach(async () => {
    const mug = buildMug([TARGETS.clay], { state: 'active', images: [{ url: image }] });
    made = await call<Made>('listing_create', { ...mug, idempotency_key: crypto.randomUUID() });
    const { listing_pk } = made;
    await call('listing_copy', { listing_pk, shops: [{ ...TARGETS.linen, price: 22 }], state: 'publish' });
  });

  it("costs only the other shop's fee", async () => {
    const { listing_pk } = made;
    expect(await see(listing_pk)).toContain('Costs $0.20.');
    const question = await see(listing_pk, '/put-live');
    expect(question).toContain('Buyers will see it in the shops with a fee.');
    expect(question).toContain('ClayAndOak already active NordLinen $0.20 Total $0.20');
    await visitor.post(`/dashboard/listings/${listing_pk}/put-live`, { sum: '0.20', shops: LINEN_ID });
    await expect.poll(() => see(listing_pk)).toContain('Active Buyers can see and order it.');
  });

  it('asks again if the same amount is for another shop than the one shown', async () => {
    const { listing_pk } = made;
    const { status, text } = await visitor.post(`/dashboard/listings/${listing_pk}/put-live`, {
      sum: '0.20',
      shops: String(CLAY.shop_id),
    });
    expect(status).toBe(400);
    expect(toText(text)).toContain('The fees or the listing have changed since this page was opened.');
    expect(toText(text)).toContain('ClayAndOak already active NordLinen $0.20 Total $0.20');
    expect(await see(listing_pk)).toContain('Costs $0.20.');
  });

  it('asks again if the listing was changed since it was shown', async () => {
    const { listing_pk } = made;
    const shown = { sum: '0.20', shops: LINEN_ID, as_of: '2026-01-01T00:00:00.000Z' };
    const { status, text } = await visitor.post(`/dashboard/listings/${listing_pk}/put-live`, shown);
    expect(status).toBe(400);
    expect(toText(text)).toContain('The fees or the listing have changed since this page was opened.');
    await visitor.post(`/dashboard/listings/${listing_pk}/publish`, { as_of: shown.as_of });
    expect(await see(listing_pk)).toContain('Costs $0.20.');
  });

  it('spends nothing if the fees have changed between the check and the job', async () => {
    const { listing_pk } = made;
    const shown = { sum: '0.20', shop_ids: [String(CLAY.shop_id)] };
    const refusal = await dashboard.service.refuse(
      'listing_publish',
      { listing_pk, state: 'active' },
      { face: 'dashboard', askConsent: agreeTo(shown) },
    );
    expect(refusal.message).toBe('The fees have changed since they were shown. Nothing was created.');
    expect(await see(listing_pk)).toContain('Costs $0.20.');
  });

  it('says that the listing is inactive in the first shop, and leaves it so', async () => {
    const { listing_pk } = made;
    await call('listing_publish', { listing_pk, state: 'inactive', shops: [CLAY.shop_id] });
    const question = await see(listing_pk, '/put-live');
    expect(question).toContain(`ClayAndOak inactive NordLinen $0.20 Total $0.20`);
  });
});

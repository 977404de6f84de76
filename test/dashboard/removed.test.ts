import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeListing, type Made } from '../core/listings/update/rig.js';
import { buildMug, CLAY, LINEN, listTargets } from '../service.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

let dashboard: TestDashboard;
let seller: Visitor;
beforeAll(async () => {
  dashboard = await startDashboard({ CONFIRM_SPENDING: 'off' });
  seller = await dashboard.signIn();
});
afterAll(() => dashboard.close());

const toPath = ({ listing_pk }: Made) => `/dashboard/listings/${listing_pk}`;
const see = async (made: Made) => toText((await seller.get(toPath(made))).text);

/** A listing that Etsy has removed from the first shops. */
async function makeRemoved(title: string, count: number): Promise<Made> {
  const { service } = dashboard;
  const made = await makeListing(service, { photos: 1, listing: { title } });
  for (const { listing_id } of made.shops.slice(0, count))
    await service.control('POST', `/listings/${listing_id}/edit`, { state: 'removed' });
  // Reads the listing again, and changes nothing.
  await service.invoke('listing_publish', { listing_pk: made.listing_pk, state: 'active' });
  return made;
}

it('offers one new draft for a listing that was removed from a shop', async () => {
  const made = await makeRemoved('Removed mug', 1);
  const page = await see(made);
  expect(page).toContain(
    'Make a new draft Etsy removed the listing from ClayAndOak, or someone deleted it there',
  );
  expect(page).toMatch(/ClayAndOak Removed Checked just now\. 24\.50 USD Fee paid/);
  const key = /name="key" value="([^"]+)"/.exec((await seller.get(toPath(made))).text)?.[1] ?? '';
  const { status, location } = await seller.post(`${toPath(made)}/remake`, { key });
  expect(status).toBe(303);
  expect((await seller.post(`${toPath(made)}/remake`, { key })).location).toBe(location);
  const listing_pk = Number(/listings\/(\d+)\/edit$/.exec(location)?.[1]);
  expect(listing_pk).not.toBe(made.listing_pk);
  const draft = await dashboard.service.call('listing_get', { listing_pk });
  expect(draft).toMatchObject({ title: 'Removed mug', status: 'draft', shop_ids: [`${CLAY.shop_id}`] });
  expect((await seller.get(location)).status).toBe(200);
});

it('a listing removed from all of its shops is offered as a new draft, or to be removed here', async () => {
  const page = await see(await makeRemoved('Gone mug', 2));
  expect(page).toContain('Make a new draft Etsy removed the listing from ClayAndOak and NordLinen');
  expect(page).toContain('Remove from this app…');
  expect(page).not.toContain('Deactivate…');
});

it('a new draft is not offered for a listing that is in all of its shops', async () => {
  const made = await makeRemoved('Kept mug', 0);
  expect(await see(made)).not.toContain('Make a new draft');
  expect((await seller.post(`${toPath(made)}/remake`, { key: 'kept' })).location).toBe(toPath(made));
});

it('a listing that no shop has yet cannot be copied to another shop', async () => {
  const { service } = dashboard;
  const shops = (await listTargets(service)).slice(0, 1);
  const action = { type: 'status', status: 400, body: { error: 'No.' } };
  await service.control('POST', '/faults', { rules: [{ operation: 'createDraftListing', action }] });
  const mug = buildMug(shops, { state: 'publish' });
  const { listing_pk } = await service.call<{ listing_pk: number }>('listing_create', mug);
  await service.control('DELETE', '/faults');
  const page = toText((await seller.get(`/dashboard/listings/${listing_pk}`)).text);
  expect(page).toContain('Finish what failed');
  expect(page).not.toContain('Copy to another shop…');
});

it('a listing can be copied to a connected shop that it is not in', async () => {
  const { service } = dashboard;
  const shops = (await listTargets(service)).slice(0, 1);
  const made = await makeListing(service, { photos: 1, more: { shops } });
  const { text } = await seller.get(toPath(made));
  expect(text).toContain(`href="/dashboard/changes/new?do=copy&amp;listing=${made.listing_pk}"`);
  expect(await see(await makeListing(service, { photos: 1 }))).not.toContain('Copy to another shop…');
  for (const { shop_id } of [CLAY, LINEN]) await seller.post(`/dashboard/shops/${shop_id}/disconnect`);
  const page = toText((await seller.get(`/dashboard/changes/new?do=copy&listing=${made.listing_pk}`)).text);
  expect(page).toContain('No shop is connected.');
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildMug, LINEN, listTargets, upload } from '../service.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

let dashboard: TestDashboard;
let seller: Visitor;
beforeAll(async () => {
  dashboard = await startDashboard({ CONFIRM_SPENDING: 'off' });
  seller = await dashboard.signIn();
});
afterAll(() => dashboard.close());

type Made = { listing_pk: number; results: { shop_id: string; listing_id: number }[] };
type World = { listings: { listing_id: number; fields: { title: string } }[] };

const EDITED = 'A title from Etsy';

/** A mug in two shops whose title was edited in one of them. */
async function makeEdited(title: string) {
  const images = [{ url: await upload(dashboard.service, 'mug-front.jpg') }];
  const mug = buildMug(await listTargets(dashboard.service), { images });
  const made = await dashboard.service.call<Made>('listing_create', {
    ...mug,
    listing: { ...mug.listing, title },
    state: 'active',
  });
  const listing_id = made.results.find(({ shop_id }) => shop_id === String(LINEN.shop_id))?.listing_id ?? 0;
  await dashboard.service.control('POST', `/listings/${listing_id}/edit`, { title: EDITED });
  // Reads the listing again, and changes nothing.
  await dashboard.service.call('listing_publish', { listing_pk: made.listing_pk, state: 'active' });
  return { path: `/dashboard/listings/${made.listing_pk}`, listing_id };
}

const see = async (path: string) => toText((await seller.get(path)).text);
async function readTitle(listing_id: number) {
  const { listings } = await dashboard.service.control<World>('GET', '/state');
  return listings.find((listing) => listing.listing_id === listing_id)?.fields.title;
}

it('the page shows both values of a field edited on Etsy, and adopts the shop’s', async () => {
  const { path, listing_id } = await makeEdited('Kept mug');
  const page = await see(path);
  expect(page).toMatch(/Edited on Etsy\. .* Title from Kept mug → A title from Etsy/);
  const { status } = await seller.post(`/dashboard/shops/${LINEN.shop_id}/bring-in`, {
    listing: String(listing_id),
  });
  expect(status).toBe(303);
  expect(await see(path)).not.toContain('Edited on Etsy');
  expect(await readTitle(listing_id)).toBe(EDITED);
});

it('an edit made on Etsy is replaced after its plan was reviewed', async () => {
  const { path, listing_id } = await makeEdited('Replaced mug');
  const { location } = await seller.post(`${path}/replace-edit`, { shop_id: String(LINEN.shop_id) });
  const plan = await see(location);
  expect(plan).toContain('1 change to 1 listing');
  expect(plan).toContain('A title from Etsy → Replaced mug');
  expect(await readTitle(listing_id)).toBe(EDITED);
  const started = await seller.post(`${location}/start`, { sum: '0.00', shops: '' });
  expect(started.status).toBe(303);
  expect(await readTitle(listing_id)).toBe('Replaced mug');
  expect(await see(path)).not.toContain('Edited on Etsy');
});

it('the list of listings shows which were edited on Etsy', async () => {
  const { path } = await makeEdited('Listed mug');
  const listed = /Listed mug Active checked just now Edited on Etsy ClayAndOak/;
  expect(await see('/dashboard/listings')).toMatch(listed);
  const { location } = await seller.post(`${path}/replace-edit`, { shop_id: String(LINEN.shop_id) });
  await seller.post(`${location}/start`, { sum: '0.00', shops: '' });
  expect(await see('/dashboard/listings')).toMatch(/Listed mug Active checked just now ClayAndOak/);
});

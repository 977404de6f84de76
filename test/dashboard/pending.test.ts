import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeListing } from '../core/listings/update/rig.js';
import { startDashboard, toText, type TestDashboard } from './visitor.js';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());

it("a listing's page shows values that wait for stock", async () => {
  const { service } = dashboard;
  const { listing_pk, shops } = await makeListing(service, { photos: 1, listing: { quantity: 2 } });
  const { shop_id, listing_id } = shops[0] ?? { shop_id: 0, listing_id: 0 };
  const visitor = await dashboard.signIn();
  const readPage = async () => toText((await visitor.get(`/dashboard/listings/${listing_pk}`)).text);
  await service.control('POST', `/listings/${listing_id}/sell`, { quantity: 2 });
  await service.call('listing_update', {
    listing_pk,
    changes: { listing: { price: 46 } },
    shops: [shop_id],
  });
  const text = await readPage();
  expect(text).toContain('Waiting for stock:');
  expect(text).toContain('price: 46.00 USD , now 24.50 USD');
  expect(text).not.toContain('differs from the one saved here');
  await service.call('listing_undo', { listing_pk });
  expect(await readPage()).not.toContain('Waiting for stock');
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeListing } from '../core/listings/update/rig.js';
import { LINEN } from '../service.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

let dashboard: TestDashboard;
let seller: Visitor;
beforeAll(async () => {
  dashboard = await startDashboard({ CONFIRM_SPENDING: 'off' });
  seller = await dashboard.signIn();
});
afterAll(() => dashboard.close());

it('the history of a listing says what an edit changed, and in which shop one failed', async () => {
  const { service } = dashboard;
  const { listing_pk } = await makeListing(service, { photos: 1 });
  const see = async () => toText((await seller.get(`/dashboard/listings/${listing_pk}`)).text);
  const changes = { listing: { title: 'A blue mug', description: 'Blue.' } };
  await service.call('listing_update', { listing_pk, changes });
  const edited = await see();
  expect(edited).toMatch(/Finished \S+ \S+ \d+, [\d:]+ UTC Edit started: title, description /);
  expect(edited).not.toContain('failed');

  const action = { type: 'status', status: 400, body: { error: 'No such tag.' } };
  await service.control('POST', '/faults', {
    rules: [{ operation: 'updateListing', shop_id: LINEN.shop_id, times: 9, action }],
  });
  await service.call('listing_update', { listing_pk, changes: { listing: { tags: ['blue'] } } });
  await service.control('DELETE', '/faults');
  const failed = await see();
  expect(failed).toMatch(/What was done Failed in NordLinen .* Edit started: tags /);
  expect(failed).toContain('The last change failed in NordLinen: ');
  expect(failed.match(/No such tag/g)).toHaveLength(1);

  await service.call('listing_update', { listing_pk, changes: { listing: { tags: ['sea'] } } });
  expect(await see()).not.toContain('The last change failed');
});

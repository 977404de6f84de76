import type { ListingJobResult, UpdateResult } from '../../../answers.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type TestService } from '../../../service.js';
import { edit, readListings, makeListing } from '../update/rig.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

it('activates a draft without restoring parts that only an update had added and someone removed manually', async () => {
  const made = await makeListing(service, { state: 'publish', photos: 1 });
  const { listing_pk } = made;
  const changes = {
    category_attributes: { 357: { value_ids: [2104], values: ['Stoneware'] } },
    personalization: { enabled: true, instructions: 'A name' },
  };
  const changed = await service.call<UpdateResult>('listing_update', { listing_pk, changes });
  expect(changed.results).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
  expect(await readListings(service, made)).toMatchObject([
    { properties: [{ property_id: 357 }], personalization: [{}] },
    { properties: [{ property_id: 357 }], personalization: [{}] },
  ]);
  await edit(service, made, { attributes: { 357: null }, personalization: null });
  const live = await service.call<ListingJobResult>('listing_publish', { listing_pk, state: 'active' });
  expect(live.results).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
  const nothing = { state: 'active', properties: [], personalization: [] };
  expect(await readListings(service, made)).toMatchObject([nothing, nothing]);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, upload, type TestService } from '../../../service.js';
import { readListings, makeListing } from './rig.js';

type Told = { results?: { status: string; warnings?: unknown[] }[] };

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
});
afterAll(() => service.close());

it('activates a draft with its updated photos and video, and sends none again', async () => {
  const film = await upload(service, 'clip.mp4', 'video');
  const made = await makeListing(service, { state: 'publish', more: { videos: [{ url: film }] } });
  const { listing_pk } = made;
  const images = [{ url: await upload(service, 'photo-08.jpg') }];
  await service.call('listing_update', { listing_pk, changes: { images, videos: [] } });
  const [there] = await readListings(service, made);
  expect(there?.images).toHaveLength(1);

  const { results } = await service.call<Told>('listing_publish', { listing_pk, state: 'active' });
  expect(results?.map(({ status }) => status)).toEqual(['ok', 'ok']);
  const live = await readListings(service, made);
  expect(live.map((one) => one?.state)).toEqual(['active', 'active']);
  expect(live[0]?.images).toEqual(there?.images);
  expect(live[0]?.videos).toEqual([]);
});

it('does not activate a draft whose photos were partly updated as if they were the saved ones', async () => {
  const made = await makeListing(service, { state: 'publish' });
  const { listing_pk } = made;
  const refuse = {
    operation: 'uploadListingImage',
    after: 1,
    times: 1,
    action: { type: 'status', status: 400 },
  };
  await service.control('POST', '/faults', { rules: [refuse] });
  const images = [
    { url: await upload(service, 'photo-05.jpg') },
    { url: await upload(service, 'photo-06.jpg') },
  ];
  const shops = [made.shops[0]?.shop_id];
  const changed = await service.call<Told>('listing_update', { listing_pk, shops, changes: { images } });
  expect(changed.results?.map(({ status }) => status)).toEqual(['error']);

  const published = await service.call<Told>('listing_publish', { listing_pk, shops, state: 'active' });
  const warning = expect.objectContaining({ code: 'marketplace_changed', fields: ['images'] });
  expect(published.results?.[0]?.warnings).toContainEqual(warning);
});

it('keeps values an update does not write as the base for later edits, even if they could not be read back', async () => {
  const made = await makeListing(service);
  const { listing_pk } = made;
  const [shop] = made.shops;
  const shops = [shop?.shop_id];
  const silent = { operation: 'getListing', after: 1, times: 100, action: { type: 'status', status: 500 } };
  await service.control('POST', '/faults', { rules: [silent] });
  const images = [{ url: await upload(service, 'photo-05.jpg') }];
  const changed = await service.call<Told>('listing_update', { listing_pk, shops, changes: { images } });
  expect(changed.results).toMatchObject([
    { status: 'error', error: expect.stringMatching(/^The listing could not be read back/) as string },
  ]);
  await service.control('DELETE', '/faults');
  await service.control('POST', `/listings/${shop?.listing_id}/edit`, { title: 'By hand' });

  const title = { listing: { title: 'Ours' } };
  const refused = await service.call<Told>('listing_update', { listing_pk, shops, changes: title });
  expect(refused.results).toMatchObject([{ status: 'error', details: { code: 'DRIFT' } }]);
});

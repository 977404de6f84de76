import type { ListingJobResult } from '../../../answers.js';
import { expect, it, onTestFinished } from 'vitest';
import { buildEmptyChange } from '../../../../src/core/ports/listing/progress.js';
import { buildMug, CLAY, LINEN, listTargets, startService, upload } from '../../../service.js';
import { buildSnapshot } from './pieces.js';
import { createPowerCut, finish, readListings, makeJob, makeListing } from './rig.js';

const MINUTE_MS = 60_000;
const FIVE_MONTHS_MS = 5 * 31 * 24 * 60 * MINUTE_MS;

it('pays no fee for an activation that was free when it was decided and is resumed later', async () => {
  const service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  onTestFinished(() => service.close());
  const made = await makeListing(service);
  const { listing_pk, shops } = made;
  await service.call('listing_publish', { listing_pk, state: 'inactive' });
  const countFees = async () => (await service.control<{ fees: unknown[] }>('GET', '/state')).fees.length;
  const fees = await countFees();

  const { listings } = service.app.store;
  const { account_id, job_id } = await makeJob(
    service,
    made,
    { kind: 'state', state: 'active', is_paid: false, seen_state: 'inactive' },
    'on_sale',
  );
  const claim = await listings.claimJob(account_id, job_id, MINUTE_MS);
  if (!claim) throw new Error('the job could not be claimed');
  const { listing } = buildSnapshot();
  for (const { shop_id, listing_id } of shops) {
    const before = { listing: { ...listing, listing_id, shop_id, state: 'inactive' as const } };
    const progress = { ...buildEmptyChange(), before, target: { state: 'active' as const } };
    await listings.saveJobPart(claim, { part_id: shop_id, progress });
  }
  await listings.releaseClaim(claim);
  const listing_ids = shops.map(({ listing_id }) => listing_id);
  await service.control('POST', '/clock', { advance_ms: FIVE_MONTHS_MS, listing_ids });

  const { results } = await finish(service, job_id);
  expect(await countFees()).toBe(fees);
  expect(results).toMatchObject([{ status: 'error' }, { status: 'error' }]);
  expect(results?.[0]?.error).toMatch(/incurs a fee/);
  expect((await readListings(service, made)).map((there) => there?.state)).toEqual(['inactive', 'inactive']);
});

it('activates a draft with the photos that an earlier run updated', async () => {
  const power = createPowerCut();
  const service = await startService({}, { wrapPorts: power.wrapPorts });
  onTestFinished(() => service.close());
  const made = await makeListing(service, { state: 'publish' });
  const { listing_pk } = made;
  const { account_id } = await service.app.core.accounts.getDefault();
  const url = await upload(service, 'photo-03.jpg');
  const file = await service.app.core.uploads.findByUrl(account_id, url);
  if (!file) throw new Error('it was just uploaded');
  const images = [{ url, path: 'changes.images[0]', id: null, file: { ...file, url }, alt_text: 'New' }];
  power.setPoint('after store.listings.saveJobPart("ended":"ok")');
  const { job_id } = await makeJob(service, made, {
    kind: 'change',
    changes: { images },
    on_drift: 'refuse',
  });
  await service.app.core.listings.resume();
  expect(await power.waitForJob(service)).toBe(job_id);
  power.setPoint(undefined);
  await finish(service, job_id);

  const listIds = async () =>
    (await readListings(service, made)).map((there) =>
      there?.images.map(({ listing_image_id }) => listing_image_id),
    );
  const changed = await listIds();
  expect(changed.map((ids) => ids?.length)).toEqual([1, 1]);
  const live = await service.call('listing_publish', { listing_pk, state: 'active' });
  expect(live).toMatchObject({ results: [{ status: 'ok' }, { status: 'ok' }] });
  expect(await listIds()).toEqual(changed);
});

it('keeps the reported values of a shop as the base for later edits, even if an earlier run published it and it cannot be read', async () => {
  let service = await startService();
  onTestFinished(() => service.close());
  const strike = (...rules: object[]) => service.control('POST', '/faults', { rules });
  const body = buildMug(await listTargets(service), { state: 'publish', idempotency_key: 'mug' });
  await service.call('listing_schema', { category_id: body.listing.taxonomy_id });
  await strike({
    operation: 'createDraftListing',
    shop_id: LINEN.shop_id,
    action: { type: 'commit_then_slow', ms: 500 },
  });
  const answer = service.call<ListingJobResult>('listing_create', body);
  const { account_id } = await service.app.core.accounts.getDefault();
  const findDone = async () => {
    const [known] = await service.app.store.listings.listPublications(account_id, 1);
    return known?.progress.done;
  };
  await expect.poll(findDone, { interval: 5 }).toContain('verify');
  await service.app.core.listings.stop();
  const { listing_pk } = await answer;

  const { listings } = await service.control<{ listings: { listing_id: number; shop_id: number }[] }>(
    'GET',
    '/state',
  );
  const first = listings.find(({ shop_id }) => shop_id === CLAY.shop_id)?.listing_id;
  await service.control('POST', `/listings/${first}/edit`, { title: 'By hand' });
  const silent = { times: 100, shop_id: CLAY.shop_id, action: { type: 'status', status: 500, body: {} } };
  await strike({ operation: 'getListing', ...silent }, { operation: 'getListingInventory', ...silent });
  const { data_dir } = service;
  await service.close({ keep: true });
  service = await startService({}, { data_dir });
  expect(await service.call('listing_create', body)).toMatchObject({ status: 'completed' });
  await service.control('DELETE', '/faults');

  const changed = await service.call<ListingJobResult>('listing_update', {
    listing_pk,
    shops: [CLAY.shop_id],
    changes: { listing: { title: 'Ours' } },
  });
  expect(changed.results).toMatchObject([{ status: 'error', details: { code: 'DRIFT' } }]);
});

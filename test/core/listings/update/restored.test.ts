import type { UpdateResult } from '../../../answers.js';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupDatabase } from '../../../../src/store/index.js';
import { systemClock } from '../../../../src/world/clock.js';
import { startService, type TestService } from '../../../service.js';
import type { CrashPoint } from '../../../wrapped/crash_point.js';
import { createPowerCut, finish, readListings, makeListing, type Made } from './rig.js';

/* An update in flight in a restored backup: it may have been made and undone since the backup. */

const CHANGES = { listing: { title: 'Stoneware cup' } };

let service: TestService;
let folders: string[];
let made: Made;
const power = createPowerCut();
const options = {
  wrapPorts: power.wrapPorts,
};

beforeEach(async () => {
  power.setPoint(undefined);
  service = await startService({}, options);
  folders = [service.data_dir];
  made = await makeListing(service);
  await pauseForNextSecond();
});
afterEach(async () => {
  await service.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** The marketplace reports the time of a change in whole seconds. */
const pauseForNextSecond = () => pause(1_100);

/** Starts an update that stops at this point, and makes a backup there. */
async function backUpAt(point: CrashPoint): Promise<{ job_id: string; file: string }> {
  power.setPoint(point);
  const { listing_pk } = made;
  void service.call<UpdateResult>('listing_update', { listing_pk, changes: CHANGES });
  const job_id = await power.waitForJob(service);
  power.setPoint(undefined);
  return { job_id, file: await backUp() };
}

async function backUp(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'listing-backup-'));
  folders.push(folder);
  const file = join(folder, 'service.db');
  await backupDatabase({ data_dir: service.data_dir, file, now: new Date() });
  return file;
}

/**
 * Restores the backup into a new folder. The marketplace continues unchanged. @param ahead_s how far the
 * computer's clock is ahead while the service runs
 */
async function restore(file: string, ahead_s = 0): Promise<void> {
  const { data_dir } = service;
  await service.close({ keep: true });
  const restored = await mkdtemp(join(tmpdir(), 'listing-restored-'));
  folders.push(restored);
  await cp(file, join(restored, 'service.db'));
  for (const name of ['master.key', 'marketplace', 'blobs', 'sandbox.db']) {
    await cp(join(data_dir, name), join(restored, name), { recursive: true });
  }
  const clock = { ...systemClock, now: () => new Date(Date.now() + 1_000 * ahead_s) };
  service = await startService({}, { ...options, data_dir: restored, clock });
}

const listTitles = async () => (await readListings(service, made)).map((listing) => listing?.fields.title);
const listStopped = async () =>
  service.app.core.listings.listStoppedAfterRestore(
    (await service.app.core.accounts.getDefault()).account_id,
  );
const POINTS: CrashPoint[] = [
  'before marketplace.updateListing',
  'store.listings.claimJob > before marketplace.getListingDetails',
];

describe.each(POINTS)('a backup made at %s and restored', (point) => {
  it.each([
    ['', 0],
    [' while the clock is behind', -900],
  ])(
    'does not repeat an update that was made and undone since%s, and lists both values',
    async (_, ahead_s) => {
      const { job_id, file } = await backUpAt(point);
      expect((await finish(service, job_id)).results).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
      await pauseForNextSecond();
      await service.call('listing_undo', { listing_pk: made.listing_pk });
      expect(await listTitles()).toEqual(['Stoneware mug', 'Stoneware mug']);

      await restore(file, ahead_s);
      const drift = [{ field: 'listing.title', ours: 'Stoneware cup', theirs: 'Stoneware mug' }];
      const stopped = { status: 'error', details: { code: 'DRIFT', drift, after_restore: true } };
      const { results } = await finish(service, job_id);
      expect(results).toMatchObject([stopped, stopped]);
      expect(results?.map(({ diff }) => diff)).toEqual([undefined, undefined]);
      expect(results?.[0]?.error).toContain('A backup was restored after this change began');
      expect(await listTitles()).toEqual(['Stoneware mug', 'Stoneware mug']);
      expect(await listStopped()).toMatchObject([
        { listing_pk: made.listing_pk, title: 'Stoneware mug', shops: [{ drift }, { drift }] },
      ]);

      const again = await service.call<UpdateResult>('listing_update', {
        listing_pk: made.listing_pk,
        changes: CHANGES,
      });
      expect(again.results).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
      expect(await listStopped()).toEqual([]);
    },
  );

  it('finishes the update if nobody changed the listing since', async () => {
    const { job_id, file } = await backUpAt(point);
    await restore(file);
    expect((await finish(service, job_id)).results).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    expect(await listTitles()).toEqual(['Stoneware cup', 'Stoneware cup']);
    expect(await listStopped()).toEqual([]);
  });
});

it('reports an update that was finished after the backup as done', async () => {
  const { job_id, file } = await backUpAt('before marketplace.updateListing');
  await finish(service, job_id);
  await restore(file);
  expect((await finish(service, job_id)).results).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
  expect(await listTitles()).toEqual(['Stoneware cup', 'Stoneware cup']);
});

it('makes an update that begins after the restore, even if the clock was ahead until then', async () => {
  await restore(await backUp(), 900);
  const { data_dir } = service;
  await service.close({ keep: true });
  service = await startService({}, { ...options, data_dir });
  for (const { listing_id } of made.shops) {
    await service.control('POST', `/listings/${listing_id}/edit`, { products: [{ price: 31 }] });
  }
  const { results } = await service.call<UpdateResult>('listing_update', {
    listing_pk: made.listing_pk,
    changes: CHANGES,
  });
  expect(results).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
  expect(await listTitles()).toEqual(['Stoneware cup', 'Stoneware cup']);
  expect(await listStopped()).toEqual([]);
});

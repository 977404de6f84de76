import type { ListingJobResult } from '../../answers.js';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBlobFolder } from '../../../src/blobs/index.js';
import { backUpAll } from '../../../src/compose/backup/back_up_all.js';
import { restoreAll } from '../../../src/compose/backup/restore_all.js';
import type { Blobs } from '../../../src/core/ports/index.js';
import { openAddon } from '../../../src/sqlite.js';
import { mountSmallDisk } from '../../small_disk.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../../service.js';

type World = {
  listings: { listing_id: number; state: string; images: unknown[] }[];
  fees: unknown[];
};

let service: TestService;
let folder: string;
let copy: string;
beforeEach(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), 'listing-backup-all-'));
  copy = join(folder, 'copy');
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const look = () => service.control<World>('GET', '/state');
const openFiles = (data_dir: string) => createBlobFolder(join(data_dir, 'blobs'));
const listFiles = (data_dir: string) => openFiles(data_dir).list(new Date('9999-01-01'));

function backUp(more: { blobs?: Blobs; with_key?: boolean; folder?: string; report?: () => void } = {}) {
  return backUpAll({
    config: { data_dir: service.data_dir, master_key: undefined },
    blobs: openFiles(service.data_dir),
    folder: copy,
    with_key: false,
    now: new Date(),
    report: () => undefined,
    ...more,
  });
}

function restore(data_dir: string, blobs = openFiles(data_dir)) {
  return restoreAll({
    config: { data_dir, master_key: undefined },
    withBlobs: (work) => work(blobs),
    folder: copy,
    now: new Date(),
    report: () => undefined,
  });
}

/** Starts on the restored folder in place of the previous one, whose process has ended. */
async function goOn(data_dir: string): Promise<void> {
  service = await startService({}, { data_dir });
}

/** Backs up while the creation of a mug with a photo is in flight. The mug is active once this returns. */
async function backUpInFlight(): Promise<{ body: object; before: ListingJobResult; key: string }> {
  const [target = {}] = await listTargets(service);
  const url = await upload(service, 'photo-01.jpg');
  await service.call('listing_schema', { category_id: 1062 });
  const { account_id } = await service.app.core.accounts.getDefault();
  const { key } = await service.app.core.accounts.createKey(account_id, 'before');
  const rule = { operation: 'createDraftListing', action: { type: 'slow', ms: 1_500 } };
  await service.control('POST', '/faults', { rules: [rule] });
  const body = buildMug([target], { state: 'active', images: [{ url }], idempotency_key: 'mug' });
  const answer = service.call<ListingJobResult>('listing_create', body);
  await expect.poll(() => service.app.store.listings.listOpenCreates(48213377)).toHaveLength(1);
  await backUp({ with_key: true });
  return { body, before: await answer, key };
}

describe('a backup of everything, restored into an empty place', () => {
  it('resumes the job that was in flight, with the photo, the key and the API key of that time', async () => {
    const { body, key } = await backUpInFlight();
    await service.close();
    const restored = join(folder, 'restored');
    expect(await restore(restored)).toMatchObject({ has_key: true, blobs: { files: 1, lost: [] } });
    expect((await stat(restored)).mode & 0o777).toBe(0o700);
    await goOn(restored);
    const { results } = await service.call<ListingJobResult>('listing_create', body);
    expect(results?.[0]).toMatchObject({ status: 'ok', activated: true });
    const { listings, fees } = await look();
    expect(listings.map(({ state, images }) => [state, images.length])).toEqual([['active', 1]]);
    expect(fees).toHaveLength(1);
    expect(await service.app.core.accounts.findKey(key)).toBeDefined();
  });

  it('creates no second listing and pays no second fee if the marketplace is ahead of the backup', async () => {
    const { body, before } = await backUpInFlight();
    expect(before.results?.[0]).toMatchObject({ activated: true, activation_cost_usd: 0.2 });
    await service.close({ keep: true });
    const restored = join(folder, 'restored');
    await restore(restored);
    await cp(join(service.data_dir, 'sandbox.db'), join(restored, 'sandbox.db'));
    await rm(service.data_dir, { recursive: true });
    await goOn(restored);
    const { results } = await service.call<ListingJobResult>('listing_create', body);
    const { listings, fees } = await look();
    expect([listings.length, fees.length]).toEqual([1, 1]);
    expect(results?.[0]?.listing_id).toBe(before.results?.[0]?.listing_id);
    expect(results?.[0]?.warnings?.map(({ code }) => code)).toContain('found_again');
  });
});

describe('the files of a backup', () => {
  it('include every file that its database refers to, even one added or swept during the backup', async () => {
    await upload(service, 'photo-01.jpg');
    const [first = ''] = await listFiles(service.data_dir);
    const files = openFiles(service.data_dir);
    let lists = 0;
    const blobs: Blobs = {
      ...files,
      async list(put_before) {
        lists += 1;
        // A sweep just before the second check, unknown to the copied database.
        if (lists === 2) await files.delete(first, put_before);
        const listed = await files.list(put_before);
        if (lists === 1) await upload(service, 'photo-02.jpg');
        return listed;
      },
    };
    const made = await backUp({ blobs });
    expect(lists).toBe(2);
    expect(made.blobs).toMatchObject({ files: 2, lost: [] });
    expect(await listFiles(copy)).toContain(first);
    expect(await listFiles(copy)).toHaveLength(2);
  });

  it('omit damaged ones, and name them', async () => {
    await upload(service, 'photo-01.jpg');
    const [sha256 = ''] = await listFiles(service.data_dir);
    await writeFile(join(service.data_dir, 'blobs', sha256.slice(0, 2), sha256.slice(2)), 'other bytes');
    expect((await backUp()).blobs).toMatchObject({ files: 0, lost: [sha256] });
    expect(await listFiles(copy)).toEqual([]);
  });
});

describe('a backup of everything', () => {
  it('includes the key only on request', async () => {
    await backUp();
    expect((await readdir(copy)).toSorted()).toEqual([
      'marketplace',
      'sandbox-connected',
      'sandbox.db',
      'service.db',
    ]);
    await backUp({ with_key: true, folder: `${copy}-2` });
    const key = await readFile(join(service.data_dir, 'master.key'), 'utf8');
    expect(await readFile(join(`${copy}-2`, 'master.key'), 'utf8')).toBe(key);
  });

  it('cannot be made over an existing one, inside the data folder, or without a parent folder', async () => {
    await backUp();
    await expect(backUp()).rejects.toThrow(`${copy} already exists. Use a new folder`);
    await expect(backUp({ folder: join(service.data_dir, 'copy') })).rejects.toThrow(
      'is inside the data folder',
    );
    await expect(backUp({ folder: join(folder, 'no', 'copy') })).rejects.toThrow(
      'its parent folder does not exist',
    );
    expect((await readdir(folder)).toSorted()).toEqual(['copy']);
  });

  it('reports a full disk, and leaves nothing there', async () => {
    await upload(service, 'photo-01.jpg');
    const disk = mountSmallDisk(join(folder, 'disk'), 1);
    if (!disk) return;
    try {
      disk.fill();
      await expect(backUp({ folder: join(disk.folder, 'copy') })).rejects.toThrow(
        /^The disk of .*copy is full\./,
      );
      expect(await readdir(disk.folder)).toEqual(['filler']);
    } finally {
      disk.close();
    }
  });
});

describe('a restore', () => {
  it('refuses a target folder that is not empty, and a source that is not a backup', async () => {
    await backUp();
    await expect(restore(service.data_dir)).rejects.toThrow('is not empty');
    await service.close({ keep: true });
    const live = service.data_dir;
    copy = live;
    await expect(restore(join(folder, 'restored'))).rejects.toThrow('is a database, not a backup');
    copy = folder;
    await expect(restore(join(folder, 'restored'))).rejects.toThrow('There is no backup');
    expect(await readdir(folder)).toEqual(['copy']);
    await rm(live, { recursive: true });
  });

  it('refuses a backup that this release cannot use, before it puts anything in place', async () => {
    await backUp();
    for (const [version, reason] of [
      [40, 'upgrades only version 41 or later'],
      [99, 'knows only'],
    ] as const) {
      const sqlite = openAddon(join(copy, 'service.db'));
      sqlite.pragma(`user_version = ${version}`);
      sqlite.close();
      await expect(restore(join(folder, 'restored'))).rejects.toThrow(
        `service.db has schema version ${version}, and this release ${reason}`,
      );
    }
    expect(await readdir(folder)).toEqual(['copy']);
  });

  it('that did not finish prevents a start, and can be repeated', async () => {
    await upload(service, 'photo-01.jpg');
    await backUp({ with_key: true });
    await service.close();
    const restored = join(folder, 'restored');
    const breaking: Blobs = {
      ...openFiles(restored),
      put: () => Promise.reject(new Error('the process was killed')),
    };
    await expect(restore(restored, breaking)).rejects.toThrow('the process was killed');
    await expect(goOn(restored)).rejects.toThrow(
      /A restore into .* did not finish\. Run listing-service restore again/,
    );
    await restore(restored);
    await goOn(restored);
    expect(await service.app.store.uploads.listUnusedBlobs(await listFiles(restored))).toEqual([]);
    expect(await listFiles(restored)).toHaveLength(1);
  });
});

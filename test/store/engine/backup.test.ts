import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backupDatabase, inspectFolder } from '../../../src/store/index.js';
import { buildListing } from '../samples/listing_samples.js';
import { createTwoAccounts, makeDirectory, openWorld, START } from '../world.js';

const DAY_MS = 86_400_000;
const KEY = Buffer.alloc(32, 1).toString('base64');

describe('backupDatabase', () => {
  it('copies a database in use into a file that a store can open', async () => {
    const { store, data_dir } = await openWorld({ master_key: KEY });
    await createTwoAccounts(store);
    const target = makeDirectory();
    const file = join(target, 'copy.db');
    const umask = process.umask(0);
    const made = await backupDatabase({ data_dir, file, now: new Date(START) }).finally(() =>
      process.umask(umask),
    );

    expect(made).toEqual({ file, size_bytes: statSync(file).size });
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(target)).toEqual(['copy.db']);

    const restored = join(makeDirectory(), 'data');
    mkdirSync(restored);
    renameSync(file, join(restored, 'service.db'));
    const again = await openWorld({ data_dir: restored, master_key: KEY });
    expect(await again.store.accounts.listAccounts()).toEqual(await store.accounts.listAccounts());
  });

  it('marks the copy as a backup, which the first start on it reports', async () => {
    const { store, data_dir } = await openWorld({ master_key: KEY });
    const { mine } = await createTwoAccounts(store);
    await store.listings.createListing(buildListing(mine), 0);
    expect(await store.listings.claimJob(mine, 'job_1', DAY_MS)).toBeDefined();
    const restored = join(makeDirectory(), 'data');
    mkdirSync(restored);
    const backed_up_at = '2026-11-19T08:00:00.000Z';
    const file = join(restored, 'service.db');
    await backupDatabase({ data_dir, file, now: new Date(backed_up_at) });
    const inspect = async () => {
      const { database } = await inspectFolder({ data_dir: restored, master_key: KEY, secret_files: [] });
      return database.state === 'sound' ? database.restore : undefined;
    };
    expect(await inspect()).toEqual({ backed_up_at, restored_at: null });

    const again = await openWorld({ data_dir: restored, master_key: KEY });
    expect(again.log.lines.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        message: 'the database was restored from a backup',
        fields: { backed_up_at, restored_at: START },
      },
    ]);
    expect(await inspect()).toEqual({ backed_up_at, restored_at: START });
    // Its process ended with the original database; this folder has no trace of it.
    expect(await again.store.listings.listClaimableJobs()).toEqual([{ account_id: mine, job_id: 'job_1' }]);
    await again.store.listings.createListing(buildListing(mine, { key: 'later', job_id: 'job_2' }), 0);
    expect(await again.store.listings.findBackupTime(1)).toBe(backed_up_at);
    expect(await again.store.listings.findBackupTime(2)).toBeUndefined();
    expect(await store.listings.findBackupTime(1)).toBeUndefined();

    await again.store.close();
    const third = await openWorld({ data_dir: restored, master_key: KEY });
    expect(third.log.lines).toEqual([]);
  });

  it('refuses to start on the copy while a process still runs on the database it replaced', async () => {
    const { store, data_dir } = await openWorld({ master_key: KEY });
    const { mine } = await createTwoAccounts(store);
    const file = join(makeDirectory(), 'copy.db');
    await backupDatabase({ data_dir, file, now: new Date(START) });
    await store.listings.createListing(buildListing(mine), 0);
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(data_dir, `service.db${suffix}`));
    renameSync(file, join(data_dir, 'service.db'));

    const open = () => openWorld({ data_dir, master_key: KEY });
    await expect(open()).rejects.toThrow('another process still runs on the database that was there');
    await store.close();
    expect(await (await open()).store.listings.listKnownListingIds(101, [1])).toEqual([]);
  });

  it('never overwrites a file', async () => {
    const { data_dir } = await openWorld();
    const file = join(makeDirectory(), 'copy.db');
    writeFileSync(file, 'precious');

    await expect(backupDatabase({ data_dir, file, now: new Date(START) })).rejects.toThrow(
      `The backup file ${file} exists already. Name a new file.`,
    );
    expect(statSync(file).size).toBe(8);
  });

  it('reports that there is nothing to copy, or that the target folder does not exist', async () => {
    const empty = makeDirectory();
    const file = join(empty, 'copy.db');
    await expect(backupDatabase({ data_dir: join(empty, 'none'), file, now: new Date() })).rejects.toThrow(
      /^There is no database at .*service\.db\. Check DATA_DIR\.$/,
    );
    expect(existsSync(file)).toBe(false);

    const { data_dir } = await openWorld();
    await expect(
      backupDatabase({ data_dir, file: join(empty, 'none', 'copy.db'), now: new Date() }),
    ).rejects.toThrow(/cannot be written\. Check the folder\.$/);
  });
});

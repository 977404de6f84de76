import { existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backupDatabase } from '../../src/store/index.js';
import { createTwoAccounts, makeDirectory, openWorld, START } from './world.js';

const KEY = Buffer.alloc(32, 1).toString('base64');

describe('backupDatabase', () => {
  it('copies a database in use into a file that a store opens again', async () => {
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

  it('overwrites nothing', async () => {
    const { data_dir } = await openWorld();
    const file = join(makeDirectory(), 'copy.db');
    writeFileSync(file, 'precious');

    await expect(backupDatabase({ data_dir, file, now: new Date(START) })).rejects.toThrow(
      `The backup file ${file} exists already. Name a new file.`,
    );
    expect(statSync(file).size).toBe(8);
  });

  it('says when there is nothing to copy, or no place for it', async () => {
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

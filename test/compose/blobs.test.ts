import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBlobs, toInstallation } from '../../src/compose/blobs.js';
import { loadConfig } from '../../src/config.js';
import { systemClock } from '../../src/world/clock.js';
import { systemRandomness } from '../../src/world/randomness.js';
import { startService, upload } from '../service.js';
import { createTestLog } from '../store/ports.js';

it('the data folder of a second computer is refused once the shared database names files', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'second-'));
  const service = await startService();
  onTestFinished(async () => {
    await service.close();
    await rm(elsewhere, { recursive: true });
  });
  const world = {
    user_agent: 'test/1',
    clock: systemClock,
    randomness: systemRandomness,
    log: createTestLog(),
  };
  const open = (data_dir: string, more: Record<string, string> = {}) => {
    const environment = { DATA_DIR: data_dir, DATABASE_URL: 'postgres://127.0.0.1/listings', ...more };
    return openBlobs(loadConfig({}, environment), world, toInstallation(service.app.store));
  };
  await upload(service, 'photo-01.jpg');
  await open(service.data_dir);
  await expect(open(elsewhere)).rejects.toThrow(
    /another computer has them\. Set BLOB_STORE on both computers to a bucket/,
  );
  const BLOB_STORE = `file://${join(service.data_dir, 'blobs')}`;
  await open(elsewhere, { BLOB_STORE });
});

it('a BLOB_STORE folder that has none of the files in the database is reported and accepted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shared-'));
  const service = await startService({ BLOB_STORE: `file://${join(folder, 'shared')}` });
  onTestFinished(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });
  const log = createTestLog();
  const world = { user_agent: 'test/1', clock: systemClock, randomness: systemRandomness, log };
  const open = (name: string) => {
    const BLOB_STORE = `file://${join(folder, name)}`;
    return openBlobs(loadConfig({}, { BLOB_STORE }), world, toInstallation(service.app.store));
  };
  await open('before-any-file');
  await upload(service, 'photo-01.jpg');
  await open('shared');
  expect(log.lines).toEqual([]);
  await open('not-mounted');
  expect(log.lines).toEqual([
    {
      level: 'warn',
      message: 'the folder of BLOB_STORE is new, but the database refers to files',
      fields: { folder: join(folder, 'not-mounted') },
    },
  ]);
});

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { examine } from '../../src/compose/examination.js';
import { checkOwner } from '../../src/cli/doctor/installation.js';
import { loadConfig } from '../../src/config.js';
import { startService } from '../service.js';
import { createDatabase, dropDatabase } from './databases.js';

it("keeps a database to the marketplace it was first used with, whatever the instance's folder", async () => {
  const name = `marketplaces_${randomBytes(6).toString('hex')}`;
  const server = inject('postgres_url') ?? '';
  const DATABASE_URL = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await createDatabase(server, name, 'template0');
  const folder = await mkdtemp(join(tmpdir(), 'listing-marketplaces-'));
  onTestFinished(async () => {
    await dropDatabase(server, name);
    await rm(folder, { recursive: true, force: true });
  });
  const settings = {
    DATABASE_URL,
    BLOB_STORE: `file://${join(folder, 'files')}`,
    MASTER_KEY: randomBytes(32).toString('base64'),
  };
  const start = (computer: string, MARKETPLACE: string) =>
    startService({ ...settings, MARKETPLACE }, { data_dir: join(folder, computer) });
  const first = await start('first', 'etsy');
  onTestFinished(() => first.close());
  await expect(start('second', 'sandbox')).rejects.toThrow(
    'The database at DATABASE_URL was created with MARKETPLACE=etsy. Choose another database for MARKETPLACE=sandbox.',
  );
  const config = loadConfig({}, { ...settings, DATA_DIR: join(folder, 'second'), MARKETPLACE: 'sandbox' });
  expect(checkOwner(config, (await examine(config)).strange_owner)).toEqual([
    {
      name: 'database',
      status: 'problem',
      message: 'The database at DATABASE_URL was created with MARKETPLACE=etsy, but MARKETPLACE is sandbox.',
      remedy: 'Set DATABASE_URL to another database for MARKETPLACE=sandbox.',
    },
  ]);
  // A refused start leaves the folder unclaimed, so that the right marketplace can still use it.
  expect(existsSync(join(folder, 'second', 'marketplace'))).toBe(false);
  const second = await start('second', 'etsy');
  await second.close({ keep: true });
  const third = await start('third', 'etsy');
  await third.close({ keep: true });
});

it('leaves the database unclaimed if the folder belongs to another marketplace', async () => {
  const name = `marketplaces_${randomBytes(6).toString('hex')}`;
  const server = inject('postgres_url') ?? '';
  const DATABASE_URL = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await createDatabase(server, name, 'template0');
  const data_dir = await mkdtemp(join(tmpdir(), 'listing-marketplaces-'));
  onTestFinished(async () => {
    await dropDatabase(server, name);
    await rm(data_dir, { recursive: true, force: true });
  });
  const used = await startService({ DATABASE_URL: '' }, { data_dir });
  await used.close({ keep: true });
  await expect(startService({ DATABASE_URL, MARKETPLACE: 'etsy' }, { data_dir })).rejects.toThrow(
    `DATA_DIR ${data_dir} was created with MARKETPLACE=sandbox. Choose another folder for MARKETPLACE=etsy.`,
  );
  const service = await startService({ DATABASE_URL }, { data_dir });
  await service.close({ keep: true });
});

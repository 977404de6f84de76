import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { expect, inject, it, onTestFinished } from 'vitest';
import { rotateMasterKey } from '../../src/compose/rotate_master_key.js';
import { loadConfig } from '../../src/config.js';
import { startService, type TestService } from '../service.js';
import { createDatabase, dropDatabase } from './databases.js';

type Endpoint = { url: string; secret?: string };

/** A database with an encrypted secret, and data folders for two computers with the same key. */
async function open() {
  const name = `rotated_${randomBytes(6).toString('hex')}`;
  const server = inject('postgres_url') ?? '';
  const database_url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await createDatabase(server, name, 'template0');
  const folder = await mkdtemp(join(tmpdir(), 'listing-rotated-'));
  onTestFinished(async () => {
    await dropDatabase(server, name);
    await rm(folder, { recursive: true, force: true });
  });
  const here = join(folder, 'here');
  const there = join(folder, 'there');
  const blobs = `file://${join(folder, 'blobs')}`;
  const start = (data_dir: string, more: Record<string, string> = {}) =>
    startService({ DATABASE_URL: database_url, BLOB_STORE: blobs, ...more }, { data_dir });
  const service = await start(here);
  await service.call<Endpoint>('webhook_endpoint_set', { url: 'https://receiver.example/hook' });
  mkdirSync(there);
  copyFileSync(join(here, 'master.key'), join(there, 'master.key'));
  const rotate = (data_dir: string, more: Record<string, string> = {}) =>
    rotateMasterKey(
      loadConfig({}, { DATA_DIR: data_dir, DATABASE_URL: database_url, LOG_LEVEL: 'silent', ...more }),
    );
  return { service, start, rotate, here, there };
}

/** Throws if the secret cannot be decrypted. */
async function unseal({ app }: TestService): Promise<string | undefined> {
  const { account_id } = await app.core.accounts.getDefault();
  return (await app.store.webhooks.findEndpoint(account_id))?.secret;
}

const readKey = (data_dir: string) => readFileSync(join(data_dir, 'master.key'), 'utf8').trim();

it('waits until all instances are stopped, after which every instance needs the new key', async () => {
  const { service, start, rotate, here, there } = await open();
  const secret = await unseal(service);
  const second = await start(there);
  const old_key = readKey(here);
  await expect(rotate(here)).rejects.toThrow(/An instance of the service runs on .*Stop all of them/);
  await service.close({ keep: true });
  await expect(rotate(here)).rejects.toThrow('An instance of the service runs on');
  expect(await unseal(second)).toBe(secret);
  await second.close({ keep: true });

  expect(await rotate(here)).toEqual({ key_file: join(here, 'master.key'), resealed: 1 });
  expect(readKey(here)).not.toBe(old_key);
  await expect(start(there)).rejects.toThrow('is not the key that the database was sealed with');
  const third = await start(there, { MASTER_KEY: readKey(here) });
  expect(await unseal(third)).toBe(secret);
  await third.close({ keep: true });
});

it('leaves one valid key if it was killed before or after its commit, and can be repeated', async () => {
  const { service, start, rotate, here } = await open();
  const secret = await unseal(service);
  await service.close({ keep: true });
  const key_file = join(here, 'master.key');
  const next = `${key_file}.next`;

  // The state before the commit: nothing is encrypted with it.
  writeFileSync(next, randomBytes(32).toString('base64'));
  const before = await start(here);
  expect(await unseal(before)).toBe(secret);
  await before.close({ keep: true });
  expect(existsSync(next)).toBe(false);

  // The state after the commit: everything is.
  const old_key = readKey(here);
  await rotate(here);
  renameSync(key_file, next);
  writeFileSync(key_file, old_key);
  await expect(rotate(here)).resolves.toMatchObject({ resealed: 1 });
  expect(existsSync(next)).toBe(false);
  const after = await start(here);
  expect(await unseal(after)).toBe(secret);
  await after.close({ keep: true });
});

it('makes an instance that starts in the middle wait, and then refuses its key', async () => {
  const { service, start, rotate, here, there } = await open();
  await service.close({ keep: true });
  // Either the start comes first and the rotation is refused, or the start is refused: never do both succeed.
  const [started, rotated] = await Promise.allSettled([start(there), rotate(here)]);
  if (started.status === 'fulfilled') await started.value.close({ keep: true });
  expect([started.status, rotated.status].toSorted()).toEqual(['fulfilled', 'rejected']);
});

import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../../src/core/ports/index.js';
import { openAddon } from '../../../src/sqlite.js';
import { inspectFolder, rotateMasterKey, StoreError } from '../../../src/store/index.js';
import { SEALED_COLUMNS } from '../../../src/store/secrets/sealed_columns.js';
import { createRealClock, createTestLog } from '../ports.js';
import { openWorld, START } from '../world.js';
import { buildShop } from '../samples/shop_samples.js';
import { systemRandomness } from '../../../src/world/randomness.js';

const TOKENS = {
  access_token: 'the access',
  refresh_token: 'the refresh',
  access_expires_at: START,
  scopes: [],
};
const APPLICATION = { keystring: 'key', shared_secret: 'the secret', webhook_secret: 'whsec_of_the_key' };
const BROUGHT = { shared_secret: 'brought secret', webhook_secret: 'whsec_brought' };
const STATE = 'f'.repeat(64);

/** A closed folder with one secret of each kind. */
async function makeFolder(master_key?: string) {
  const { store, data_dir } = await openWorld(master_key === undefined ? {} : { master_key });
  const { account_id } = await store.accounts.createAccount('mine');
  const shop = buildShop(account_id, 7);
  await store.shops.saveShop(shop);
  await store.tokens.saveTokens(shop, TOKENS, APPLICATION);
  await store.webhooks.changeEndpoint(account_id, () => ({
    account_id,
    url: 'https://receiver.example/',
    events: [],
    is_enabled: true,
    switched_off_at: null,
    switch_off_reason: null,
    failing_since: null,
    last_failed_at: null,
    secret: 'whsec_new',
    previous_secrets: [{ secret: 'whsec_old', expires_at: '2099-01-01T00:00:00.000Z' }],
  }));
  await store.connect_requests.createConnectRequest({
    account_id,
    state_sha256: STATE,
    code_verifier: 'the verifier',
    redirect_uri: 'http://127.0.0.1:3000/connect/callback',
    keystring: 'another',
    brought: BROUGHT,
    shop_id: null,
    browser_sha256: null,
    return_path: null,
    life_ms: 60_000,
  });
  await store.close();
  const key_file = join(data_dir, 'master.key');
  const readKey = () => readFileSync(key_file, 'utf8');
  const expectAll = async (opened: Store) => {
    expect(await opened.tokens.findTokens(shop)).toEqual({ ...TOKENS, keystring: APPLICATION.keystring });
    expect(await opened.applications.findShopApplication(shop)).toEqual(APPLICATION);
    expect(await opened.webhooks.findEndpoint(account_id)).toMatchObject({
      secret: 'whsec_new',
      previous_secrets: [{ secret: 'whsec_old' }],
    });
    await opened.close();
  };
  return { data_dir, key_file, readKey, expectAll };
}

const rotate = (data_dir: string, master_key?: string) =>
  rotateMasterKey({
    randomness: systemRandomness,
    data_dir,
    master_key,
    database_url: undefined,
    rotation_id: 'rotation',
    clock: createRealClock(),
    log: createTestLog(),
  });

it('covers every column that may hold a secret', async () => {
  const { data_dir } = await makeFolder();
  const sqlite = openAddon(join(data_dir, 'service.db'));
  onTestFinished(() => void sqlite.close());
  const blobs = sqlite
    .prepare<[], { name: string }>(
      `SELECT t.name || '.' || c.name AS name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
       WHERE t.type = 'table' AND c.type = 'BLOB' AND t.name NOT LIKE 'sqlite_%'`,
    )
    .all()
    .map(({ name }) => name);
  const known = SEALED_COLUMNS.flatMap(({ table, columns }) => columns.map((name) => `${table}.${name}`));
  expect(known.toSorted()).toEqual(blobs.toSorted());
});

it('re-encrypts every secret, after which the old key decrypts nothing', async () => {
  const { data_dir, key_file, readKey, expectAll } = await makeFolder();
  const old = readKey();
  expect(await rotate(data_dir)).toEqual({ key_file, resealed: 9 });
  expect(readKey()).not.toBe(old);
  expect(statSync(key_file).mode & 0o777).toBe(0o600);
  expect(readdirSync(data_dir).filter((name) => name.startsWith('master.key'))).toEqual(['master.key']);
  await expect(openWorld({ data_dir, master_key: old.trim() })).rejects.toThrow(StoreError);
  const { store } = await openWorld({ data_dir });
  const request = await store.connect_requests.takeConnectRequest(STATE);
  expect(request).toMatchObject({ code_verifier: 'the verifier', brought: BROUGHT });
  await expectAll(store);
});

it('moves a key from the environment into the key file', async () => {
  const master_key = Buffer.alloc(32, 7).toString('base64');
  const { data_dir, readKey, expectAll } = await makeFolder(master_key);
  await rotate(data_dir, master_key);
  expect(readKey().trim()).not.toBe(master_key);
  await expect(openWorld({ data_dir, master_key })).rejects.toThrow('MASTER_KEY');
  await expectAll((await openWorld({ data_dir })).store);
});

it('aborts while a process has the folder open, and changes nothing', { timeout: 20_000 }, async () => {
  const { data_dir, readKey, expectAll } = await makeFolder();
  const old = readKey();
  const { store } = await openWorld({ data_dir });
  await expect(rotate(data_dir)).rejects.toThrow(/Another process has .* open\. Stop the service/);
  expect(readKey()).toBe(old);
  expect(existsSync(join(data_dir, 'master.key.next'))).toBe(false);
  await expectAll(store);
  await rotate(data_dir);
});

it('changes all secrets or none', async () => {
  const { data_dir, readKey } = await makeFolder();
  const old = readKey();
  const sqlite = openAddon(join(data_dir, 'service.db'));
  // The last of the columns, so that others are re-encrypted before it.
  sqlite.prepare('UPDATE connect_requests SET code_verifier = ?').run(Buffer.from('no sealed bytes'));
  const read = () => sqlite.prepare('SELECT * FROM shop_tokens').all();
  const before = read();
  sqlite.close();
  await expect(rotate(data_dir)).rejects.toThrow('A secret in connect_requests.code_verifier cannot be read');
  expect(readKey()).toBe(old);
  const after = openAddon(join(data_dir, 'service.db'));
  expect(after.prepare('SELECT * FROM shop_tokens').all()).toEqual(before);
  after.close();
  await (await openWorld({ data_dir })).store.close();
  // The next rotation clears away its leftovers.
  expect(existsSync(join(data_dir, 'master.key.next'))).toBe(false);
});

it.each(['a start', 'another rotation'])(
  'completes a rotation that crashed after the commit during %s',
  async (next) => {
    const { data_dir, key_file, readKey, expectAll } = await makeFolder();
    copyFileSync(key_file, `${key_file}.old`);
    await rotate(data_dir);
    const fresh = readKey();
    // The state if the process dies between the commit and the rename.
    renameSync(key_file, `${key_file}.next`);
    renameSync(`${key_file}.old`, key_file);
    const { database } = await inspectFolder({ data_dir, master_key: undefined, secret_files: [] });
    expect(database).toMatchObject({ state: 'sound', content: { shops: [{ tokens: TOKENS }] } });
    if (next === 'another rotation') await rotate(data_dir);
    await expectAll((await openWorld({ data_dir })).store);
    expect(readKey() === fresh).toBe(next === 'a start');
    expect(existsSync(`${key_file}.next`)).toBe(false);
  },
);

it('keeps the old key valid after a crash before the commit', async () => {
  const { data_dir, key_file, readKey, expectAll } = await makeFolder();
  const old = readKey();
  const other = await makeFolder();
  copyFileSync(other.key_file, `${key_file}.next`);
  await expectAll((await openWorld({ data_dir })).store);
  expect([readKey(), existsSync(`${key_file}.next`)]).toEqual([old, false]);
});

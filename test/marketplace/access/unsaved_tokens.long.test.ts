import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { TokenStore } from '../../../src/core/ports/index.js';
import { openAddon } from '../../../src/sqlite.js';
import { openConnection, openReader } from '../../../src/store/engine/sqlite/connection.js';
import { createSqliteEngine } from '../../../src/store/engine/sqlite/engine.js';
import { listStoreFiles } from '../../../src/store/engine/sqlite/files.js';
import { openSqliteEngines } from '../../../src/store/engine/sqlite/open.js';
import { openSecrets } from '../../../src/store/secrets/master_key.js';
import { openStore } from '../../../src/store/index.js';
import { createPresence } from '../../../src/store/engine/sqlite/presence.js';
import type { Tables } from '../../../src/store/schema.js';
import { createRefreshLock } from '../../../src/store/shops/refresh_lock.js';
import { createTokenRepository } from '../../../src/store/shops/tokens.js';
import { createRealClock, createTestIds, createTestLog } from '../../store/ports.js';
import { makeDirectory } from '../../store/world.js';
import { buildRig, buildTokens, NOW, SHOP as SOME_SHOP } from '../rig.js';
import { buildWireListing } from '../samples.js';
import { startScriptedServer, type ScriptedServer } from '../scripted_server.js';
import { systemRandomness } from '../../../src/world/randomness.js';

const TOKEN_PATH = '/v3/public/oauth/token';
const PATIENT = { timeout: 20_000, interval: 50 };
const FRESH = '77.second-access';
/** Longer than the free space in the file, so saving it would make the file grow. */
const FRESH_REFRESH = `77.${'fresh'.repeat(40_000)}`;
const OVER = buildTokens({ access_expires_at: new Date(NOW.getTime() - 1_000).toISOString() });

let server: ScriptedServer;
afterEach(() => server.close());
const countRefreshes = () => server.seen.filter(({ path }) => path === TOKEN_PATH).length;

/** The API accepts only the new token, and the token endpoint accepts the grant's refresh token once. */
async function startMarketplace(onRefresh: () => void = () => undefined): Promise<void> {
  let good = OVER.refresh_token;
  server = await startScriptedServer((request) => {
    if (request.path !== TOKEN_PATH) {
      const isFresh = request.headers.authorization === `Bearer ${FRESH}`;
      return isFresh
        ? { status: 200, json: buildWireListing() }
        : { status: 401, json: { error: 'invalid_token' } };
    }
    const used = new URLSearchParams(request.body.toString()).get('refresh_token');
    if (used !== good) return { status: 400, json: { error: 'invalid_grant', error_description: 'revoked' } };
    good = FRESH_REFRESH;
    onRefresh();
    return { status: 200, json: { access_token: FRESH, refresh_token: good, expires_in: 3600 } };
  });
}

/**
 * One process on the folder, with its own connections and the client that uses their tokens. `sqlite` is the
 * connection that writes.
 */
async function openProcess(data_dir: string) {
  const clock = createRealClock();
  const ids = createTestIds();
  const log = createTestLog();
  const made = await openSqliteEngines({ data_dir, instance: ids.build('instance_'), clock, log });
  await made.service.close();
  await made.rates.close();
  const files = listStoreFiles(data_dir);
  const sqlite = await openConnection(files.service, 'FULL');
  const engine = createSqliteEngine<Tables>({
    writer: sqlite,
    reader: openReader(files.service),
    instance: ids.build('instance_'),
    presence: createPresence(files.presence),
    clock,
  });
  const secrets = await openSecrets(
    engine,
    { master_key: undefined, file: files.master_key },
    systemRandomness,
  );
  const lock = createRefreshLock(engine, { clock, log });
  const tokens: TokenStore = {
    ...createTokenRepository(engine, secrets),
    withRefreshLock: lock.withRefreshLock,
  };
  const { client } = buildRig(server.url, { tokens: tokens as never, clock, log });
  onTestFinished(async () => {
    await client.close();
    lock.close();
    await engine.close();
  });
  return { sqlite, client, tokens, log };
}

/** A folder with a shop whose access token has expired. */
async function makeFolder() {
  const data_dir = join(makeDirectory(), 'data');
  const store = await openStore({
    randomness: systemRandomness,
    data_dir,
    clock: createRealClock(),
    ids: createTestIds(),
    log: createTestLog(),
  });
  const { account_id } = await store.accounts.getDefaultAccount();
  const shop = { ...SOME_SHOP, account_id };
  await store.tokens.saveTokens(shop, OVER);
  await store.close();
  return { data_dir, shop };
}

describe('new tokens that cannot be saved', () => {
  it('because the disk is full are used, and saved once there is room, while another process waits for them', async () => {
    await startMarketplace();
    const { data_dir, shop } = await makeFolder();
    const first = await openProcess(data_dir);
    const second = await openProcess(data_dir);
    // As on a full disk: the file cannot grow by a page, but existing data stays readable.
    const pages = Number(first.sqlite.pragma('page_count', { simple: true }));
    first.sqlite.pragma(`max_page_count = ${pages}`);

    for (const listing_id of [7, 8, 9]) await first.client.getListing(shop, listing_id);
    expect([countRefreshes(), first.client.countUnsavedTokens()]).toEqual([1, 1]);
    expect(await first.tokens.findTokens(shop)).toMatchObject({ refresh_token: OVER.refresh_token });
    expect(first.log.lines.find(({ level }) => level === 'error')).toMatchObject({
      message: 'could not save new tokens of a shop; they are kept in memory',
      fields: { shop_id: shop.shop_id, error: { code: 'SQLITE_FULL' } },
    });

    let isAnswered = false;
    const other = second.client.getListing(shop, 7).then(() => (isAnswered = true));
    await pause(500);
    expect([isAnswered, countRefreshes()]).toEqual([false, 1]);

    first.sqlite.pragma('max_page_count = 1000000');
    await other;
    expect([countRefreshes(), first.client.countUnsavedTokens()]).toEqual([1, 0]);
    expect(await second.tokens.findTokens(shop)).toMatchObject({ access_token: FRESH });
  });

  it('because the database stays locked too long are used, and saved afterwards', async () => {
    const { data_dir, shop } = await makeFolder();
    const blocker = openAddon(join(data_dir, 'service.db'));
    await startMarketplace(() => void blocker.exec('BEGIN IMMEDIATE'));
    const { client, tokens } = await openProcess(data_dir);
    await client.getListing(shop, 7);
    expect(client.countUnsavedTokens()).toBe(1);
    await client.getListing(shop, 8);
    blocker.exec('COMMIT');
    blocker.close();
    await expect.poll(() => client.countUnsavedTokens(), PATIENT).toBe(0);
    expect(await tokens.findTokens(shop)).toMatchObject({ access_token: FRESH });
    expect(countRefreshes()).toBe(1);
  }, 40_000);

  it('are saved before the process ends if they can be by then', async () => {
    await startMarketplace();
    const { data_dir, shop } = await makeFolder();
    const { sqlite, client, tokens } = await openProcess(data_dir);
    const pages = Number(sqlite.pragma('page_count', { simple: true }));
    sqlite.pragma(`max_page_count = ${pages}`);
    await client.getListing(shop, 7);
    const closing = client.close();
    sqlite.pragma('max_page_count = 1000000');
    await closing;
    expect(await tokens.findTokens(shop)).toMatchObject({ access_token: FRESH });
  });

  it('are reported as lost if they cannot be saved before the process ends', async () => {
    await startMarketplace();
    const { data_dir, shop } = await makeFolder();
    const { sqlite, client, log } = await openProcess(data_dir);
    const pages = Number(sqlite.pragma('page_count', { simple: true }));
    sqlite.pragma(`max_page_count = ${pages}`);
    await client.getListing(shop, 7);
    await client.close();
    expect(log.lines.at(-1)).toMatchObject({
      level: 'error',
      message: 'new tokens of a shop lost: it must be reconnected',
      fields: { shop_id: shop.shop_id },
    });
  }, 20_000);
});

it("a client that closes does not wait for another process's refresh", async () => {
  await startMarketplace();
  const { data_dir, shop } = await makeFolder();
  const first = await openProcess(data_dir);
  const second = await openProcess(data_dir);
  const done = new AbortController();
  const held = first.tokens.withRefreshLock(shop, async () => once(done.signal, 'abort'));
  const outcomes = Promise.allSettled([second.client.getListing(shop, 7)]);
  await pause(500);
  await second.client.close();
  expect(await outcomes).toMatchObject([
    { reason: { failure: 'unavailable', message: 'the service is stopping' } },
  ]);
  done.abort();
  await held;
}, 20_000);

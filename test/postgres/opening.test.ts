import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { openStore, StoreError } from '../../src/store/index.js';
import { systemRandomness } from '../../src/world/randomness.js';
import { startDatabaseProxy } from '../crash/instances/database_proxy.js';
import { createRealClock, createTestClock, createTestIds, createTestLog } from '../store/ports.js';
import { makeDirectory, openWorld } from '../store/world.js';
import { ask, createDatabase, dropDatabase } from './databases.js';
import { getDatabase } from './world.js';

const KEY = Buffer.alloc(32, 1).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 2).toString('base64');
const ADMIN = new URL(inject('postgres_url') ?? 'postgres://none');

const NEWER = /^The database has schema version 99, which a newer release made/;

/** The address of a database that does not exist yet. */
function toUrl(changes: { name?: string; port?: number; user?: string; search?: string } = {}): string {
  const url = new URL(ADMIN);
  if (changes.name !== undefined) url.pathname = `/${changes.name}`;
  if (changes.port !== undefined) url.port = String(changes.port);
  if (changes.user !== undefined) url.username = changes.user;
  url.search = changes.search ?? url.search;
  return url.href;
}

async function makeEmpty(name: string): Promise<string> {
  await createDatabase(ADMIN.href, name, 'template0');
  onTestFinished(() => dropDatabase(ADMIN.href, name));
  return toUrl({ name });
}

/** Opens an instance with its own data folder, as on another computer. */
async function open(
  url: string,
  options: { master_key?: string; clock?: ReturnType<typeof createTestClock> } = {},
) {
  const data_dir = join(makeDirectory(), 'here');
  const log = createTestLog();
  const store = await openStore({
    data_dir,
    master_key: options.master_key,
    database: { url, max_connections: 3 },
    clock: options.clock ?? createRealClock(),
    randomness: systemRandomness,
    ids: createTestIds(),
    log,
  });
  onTestFinished(() => store.close());
  return { store, data_dir, log };
}

describe('a new database', () => {
  it('is set up by one of several instances that start at once, and all work on it', async () => {
    const url = await makeEmpty('opening_new');
    const opened = await Promise.all(Array.from({ length: 4 }, () => open(url, { master_key: KEY })));
    const accounts = await Promise.all(opened.map(({ store }) => store.accounts.getDefaultAccount()));
    expect(new Set(accounts.map(({ account_id }) => account_id)).size).toBe(1);
    const made = opened.flatMap(({ log }) =>
      log.lines.filter(({ message }) => /^(bringing|the database is)/.test(message)),
    );
    expect(made.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'info bringing the database up to date',
      'info the database is up to date',
    ]);
    for (const { store } of opened) expect(await store.listTroubles()).toEqual([]);
  });

  it('keeps the key of the first start, and makes no other instance create its own', async () => {
    const url = await makeEmpty('opening_keys');
    const opened = await Promise.allSettled(Array.from({ length: 4 }, () => open(url)));
    const failures = opened.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
    expect(opened.length - failures.length).toBe(1);
    for (const error of failures) {
      expect(error).toBeInstanceOf(StoreError);
      expect(error.message).toMatch(/master\.key is missing, .* set MASTER_KEY to the key it held\.$/);
    }
  });
});

/** Returns the error message. */
async function refusal(url: string, options: Parameters<typeof open>[1] = {}): Promise<string> {
  try {
    await open(url, options);
    return 'none';
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return error.message;
  }
}

describe('a start fails with one sentence', () => {
  it('if no server answers', async () => {
    expect(await refusal(toUrl({ name: 'x', port: 1 }))).toBe(
      'No database server answers at 127.0.0.1:1/x (ECONNREFUSED). Start PostgreSQL, or correct the address in DATABASE_URL.',
    );
  });

  it('if the database does not exist', async () => {
    expect(await refusal(toUrl({ name: 'nowhere' }))).toMatch(
      /^There is no such database at 127\.0\.0\.1:\d+\/nowhere\. Make it \(createdb\), or correct the name in DATABASE_URL\.$/,
    );
  });

  it('if the user is unknown, without its password', async () => {
    const url = toUrl({ name: 'postgres', user: 'stranger' }).replace('stranger@', 'stranger:hunter2@');
    const said = await refusal(url);
    expect(said).toMatch(
      /does not let us in \(role "stranger" does not exist\)\. Check the user and password/,
    );
    expect(said).not.toContain('hunter2');
  });

  it('if TLS is required and the server does not support it', async () => {
    expect(await refusal(toUrl({ name: 'postgres', search: '?sslmode=verify-full' }))).toMatch(
      /^The connection to the database server at .* cannot be secured \(The server does not support SSL connections\)\./,
    );
  });

  it('if the master key is another one', async () => {
    const url = await makeEmpty('opening_other_key');
    await (await open(url, { master_key: KEY })).store.close();
    expect(await refusal(url, { master_key: OTHER_KEY })).toBe(
      'MASTER_KEY is not the key that the database was sealed with. Give this instance the key of the first start, which all instances share.',
    );
  });

  it('if a newer release has changed the database so that this release cannot use it', async () => {
    const url = await makeEmpty('opening_newer');
    const { store } = await open(url, { master_key: KEY });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    // An older release may run alongside the next one if that only added to the schema.
    await client.query('UPDATE schema_version SET version = 99');
    expect(await refusal(url, { master_key: KEY })).toBe('none');
    await client.query('UPDATE schema_version SET usable_from = 99');
    await client.query('UPDATE schema_version SET version = 0');
    expect(await store.listTroubles()).toMatchObject([expect.stringContaining('is not up to date')]);
    await client.query('UPDATE schema_version SET version = 99');
    await client.end();
    expect(await store.listTroubles()).toEqual([expect.stringMatching(NEWER)]);
    expect(await refusal(url, { master_key: KEY })).toMatch(NEWER);
  });
});

it("stops a running instance's work once a newer release has made the database unusable to it", async () => {
  const url = await makeEmpty('opening_newer_meanwhile');
  const { store, log } = await open(url, { master_key: KEY });
  await ask(url, 'UPDATE schema_version SET version = 99, usable_from = 99');
  await expect
    .poll(() => store.accounts.getDefaultAccount().catch((error: unknown) => error), { timeout: 30_000 })
    .toMatchObject({ name: 'StoreUnavailableError', message: expect.stringMatching(NEWER) });
  expect(log.lines.filter(({ level }) => level === 'error')).toEqual([
    expect.objectContaining({
      message: 'a newer release has changed the database: this instance does nothing more on it',
    }),
  ]);
  expect(await store.listTroubles()).toEqual([expect.stringMatching(NEWER)]);
  // Other instances therefore adopt its jobs once its last heartbeat is too old.
  const { rows } = await ask(
    url,
    `SELECT alive_until - clock_timestamp() < interval '45 s' AS is_old FROM instances`,
  );
  expect(rows).toEqual([{ is_old: true }]);
});

it('switches from a server that has become read-only to the one that replaces it', async () => {
  const url = await makeEmpty('opening_read_only');
  const { store } = await open(url, { master_key: KEY });
  await ask(ADMIN.href, 'ALTER DATABASE opening_read_only SET default_transaction_read_only = on');
  // New sessions from now on behave like those of a read-only server.
  await ask(
    url,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  const write = () =>
    store.accounts.createAccount('one').then(
      () => 'written',
      ({ name, cause }: { name: string; cause?: { code?: string } }) => `${name} ${cause?.code}`,
    );
  await expect.poll(() => store.listTroubles()).toEqual([expect.stringMatching(/can only be read/)]);
  await expect.poll(write).toBe('StoreUnavailableError 25006');
  await ask(ADMIN.href, 'ALTER DATABASE opening_read_only RESET default_transaction_read_only');
  expect(await write()).toBe('written');
  await expect.poll(() => store.listTroubles()).toEqual([]);
});

it('reports a silent database within five seconds, each time', async () => {
  const url = new URL(await makeEmpty('opening_silent'));
  const proxy = await startDatabaseProxy(Number(url.port));
  onTestFinished(() => proxy.close());
  url.port = String(proxy.port);
  const { store } = await open(url.href, { master_key: KEY });
  expect(await store.listTroubles()).toEqual([]);
  proxy.stall();
  // Over an existing connection, and over one that has yet to be opened.
  for (const _ of [1, 2]) {
    const given_up = pause(5_000, 'not told', { ref: false });
    expect(await Promise.race([store.listTroubles(), given_up])).toEqual(['the database does not answer']);
  }
  proxy.resume();
  await expect.poll(() => store.listTroubles()).toEqual([]);
});

it("warns if this computer's clock differs far from the server's", async () => {
  const url = await makeEmpty('opening_clock');
  const { log } = await open(url, { master_key: KEY, clock: createTestClock('2020-01-01T00:00:00.000Z') });
  expect(log.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', message: expect.stringContaining('clock of this computer') }),
  );
});

it('keeps the key but no database in the data folder', async () => {
  const { data_dir } = await openWorld();
  expect(await getDatabase(data_dir)).toBeDefined();
  expect(existsSync(join(data_dir, 'master.key'))).toBe(true);
  expect(existsSync(join(data_dir, 'service.db'))).toBe(false);
});

it('treats a cleanly stopped instance as gone at once, and releases its locks', async () => {
  const first = await openWorld();
  const second = await openWorld({ data_dir: first.data_dir });
  const { account_id } = await first.store.accounts.getDefaultAccount();
  const shop = { account_id, shop_id: 101 };
  const done = new AbortController();
  const held = first.store.tokens.withRefreshLock(shop, async () => once(done.signal, 'abort'));
  await expect
    .poll(() =>
      second.store.tokens
        .withRefreshLock(shop, async () => 'free', AbortSignal.timeout(200))
        .catch(() => 'held'),
    )
    .toBe('held');
  await first.store.close();
  expect(await second.store.tokens.withRefreshLock(shop, async () => 'free')).toBe('free');
  done.abort();
  await held;
});

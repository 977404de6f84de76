import { spawn } from 'node:child_process';
import { existsSync, writeFileSync, chmodSync } from 'node:fs';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { startService, buildMug, TARGETS } from '../service.js';
import { openStore } from '../../src/store/index.js';
import { systemRandomness } from '../../src/world/randomness.js';
import { createRealClock, createTestIds, createTestLog } from '../store/ports.js';
import { buildListing } from '../store/samples/listing_samples.js';
import { makeDirectory } from '../store/world.js';
import { createDatabase, dropDatabase } from './databases.js';
import { requireProgram } from './required.js';
import { findPort } from './server.js';
import { TEMPLATE } from './setup.js';

/** Debian installs it outside an ordinary user's PATH. */
const PROGRAM = requireProgram(
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
    .map((folder) => join(folder, 'pgbouncer'))
    .find((file) => existsSync(file)),
  { name: 'PgBouncer', install: 'pgbouncer' },
);

/**
 * In transaction mode, where each transaction gets any free session. Returns the address of a database behind
 * it.
 */
async function startPooler(name: string): Promise<string> {
  const admin = new URL(inject('postgres_url') ?? '');
  await createDatabase(admin.href, name, TEMPLATE);
  onTestFinished(() => dropDatabase(admin.href, name));
  const folder = makeDirectory();
  chmodSync(folder, 0o755);
  const port = await findPort();
  writeFileSync(join(folder, 'users.txt'), `"${admin.username}" ""\n`, { mode: 0o644 });
  const file = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `${name} = host=${admin.hostname} port=${admin.port} dbname=${name} user=${admin.username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(folder, 'users.txt')}`,
    'pool_mode = transaction',
    'default_pool_size = 4',
    'max_client_conn = 100',
    ...(userInfo().uid === 0 ? ['user = nobody'] : []),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 });
  const child = spawn(PROGRAM ?? '', [file], { stdio: 'ignore' });
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  });
  const target = new URL(admin);
  target.port = String(port);
  target.pathname = `/${name}`;
  return target.href;
}

it.runIf(PROGRAM)(
  'several instances work through a pooler in transaction mode',
  { timeout: 120_000 },
  async () => {
    const url = await startPooler('behind_pooler');
    const open = async () => {
      const store = await openStore({
        data_dir: join(makeDirectory(), 'data'),
        master_key: 'a'.repeat(64),
        database: { url, max_connections: 8 },
        clock: createRealClock(),
        randomness: systemRandomness,
        ids: createTestIds(),
        log: createTestLog(),
      });
      onTestFinished(() => store.close());
      return store;
    };
    // It accepts connections a moment after it starts.
    await expect.poll(() => open().then(() => 'open', String), { timeout: 20_000 }).toBe('open');
    const stores = [await open(), await open(), await open()];
    const { account_id } = await stores[0]!.accounts.getDefaultAccount();
    const made = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const listing = buildListing(account_id, { digest: `digest-${n >> 1}`, job_id: `job_${n}` });
        return (await stores[n % 3]!.listings.createListing(listing, 60_000)).match;
      }),
    );
    expect(made.filter((match) => match === 'created')).toHaveLength(30);
    const shop = { account_id, shop_id: 101 };
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 9 }, (_, n) =>
        stores[n % 3]!.tokens.withRefreshLock(shop, async () => {
          inside += 1;
          most = Math.max(most, inside);
          await stores[0]!.accounts.getDefaultAccount();
          inside -= 1;
        }),
      ),
    );
    expect(most).toBe(1);
  },
);

it.runIf(PROGRAM)(
  'a service publishes through a pooler in transaction mode',
  { timeout: 120_000 },
  async () => {
    const url = await startPooler('publishing_behind_pooler');
    let service: Awaited<ReturnType<typeof startService>> | undefined;
    await expect
      .poll(async () => (service = await startService({ MARKETPLACE: 'sandbox', DATABASE_URL: url })), {
        timeout: 20_000,
      })
      .toBeDefined();
    onTestFinished(() => service?.close());
    const mug = buildMug([TARGETS.clay, TARGETS.linen], { state: 'publish' });
    const { results } = await service!.call<{ results: { status: string }[] }>('listing_create', mug);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok']);
  },
);

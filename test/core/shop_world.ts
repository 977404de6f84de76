import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Ports } from '../../src/core/ports/index.js';
import type { ApplicationKey, Store } from '../../src/core/ports/index.js';
import { createShops, type Shops } from '../../src/core/shops/shops.js';
import { createEtsyMarketplace } from '../../src/marketplace/index.js';
import { SANDBOX_APP, SANDBOX_SHOPS, startSandbox, type Sandbox } from '../../src/sandbox/index.js';
import { openStore } from '../../src/store/index.js';
import { systemClock } from '../../src/world/clock.js';
import { randomIds } from '../../src/world/ids.js';
import { createMemoryLog } from '../marketplace/rig.js';
import { send } from '../sandbox/harness.js';
import { systemRandomness } from '../../src/world/randomness.js';
import { getDatabase, removeDatabase } from '../postgres/world.js';

/**
 * The parts of the core that connect and read shops, on a real store and a sandbox, with a clock that can be
 * advanced.
 */
export type ShopWorld = {
  ports: Ports;
  store: Store;
  shops: Shops;
  sandbox: Sandbox;
  account_id: string;
  putForward(duration_ms: number): void;
  control(path: string, json: unknown): Promise<unknown>;
  clearFaults(): Promise<unknown>;
  /** Calls to the sandbox, by operation. */
  countCalls(): Promise<Record<string, number>>;
  /** Returns the calls to the sandbox that `work` makes, by operation. */
  countDuring(work: () => Promise<unknown>): Promise<Record<string, number>>;
  /** Connects a seeded shop, as its owner's consent would, and syncs it. */
  connectSeeded(shop_id: number): Promise<{ account_id: string; shop_id: number }>;
};

/** Closes everything when the test ends. `own`: the installation's application; undefined if it has none. */
export async function openShopWorld(
  {
    own,
  }: {
    own: ApplicationKey | undefined;
  } = { own: SANDBOX_APP },
): Promise<ShopWorld> {
  let ahead_ms = 0;
  const clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
  const log = createMemoryLog();
  const data_dir = await mkdtemp(join(tmpdir(), 'shops-'));
  const sandbox = await startSandbox({ database_file: ':memory:', control: true, rate_per_second: 10_000 });
  const url = await getDatabase(data_dir);
  const store = await openStore({
    randomness: systemRandomness,
    data_dir,
    database: url === undefined ? undefined : { url, max_connections: 5, clock },
    clock,
    ids: randomIds,
    log,
  });
  const client = createEtsyMarketplace({
    randomness: systemRandomness,
    own,
    applications: store.applications,
    user_agent: 'test',
    getApiUrl: () => Promise.resolve(sandbox.url),
    getConsentUrl: () => Promise.resolve(`${sandbox.url}/oauth/connect`),
    tokens: store.tokens,
    clock,
    log,
    read_attempts: 1,
  });
  onTestFinished(async () => {
    await client.close();
    await store.close();
    await sandbox.close();
    await removeDatabase(data_dir);
    await rm(data_dir, { recursive: true });
  });
  const ports = { store, marketplace: client, clock, randomness: systemRandomness, log } as unknown as Ports;
  const shops = createShops(ports);
  const { account_id } = await store.accounts.getDefaultAccount();

  async function countCalls(): Promise<Record<string, number>> {
    const { body } = await send(`${sandbox.url}/_sandbox/state`, 'GET');
    return (body as { calls: Record<string, number> }).calls;
  }

  return {
    ports,
    store,
    shops,
    sandbox,
    account_id,
    putForward(duration_ms) {
      ahead_ms += duration_ms;
    },
    control: (path, json) => send(`${sandbox.url}/_sandbox${path}`, 'POST', { json }),
    clearFaults: () => send(`${sandbox.url}/_sandbox/faults`, 'DELETE'),
    countCalls,
    async countDuring(work) {
      const before = await countCalls();
      await work();
      const after = Object.entries(await countCalls());
      const made = after.map(([name, calls]): [string, number] => [name, calls - (before[name] ?? 0)]);
      return Object.fromEntries(made.filter(([, calls]) => calls > 0));
    },
    async connectSeeded(shop_id) {
      const user_id = SANDBOX_SHOPS.find((shop) => shop.shop_id === shop_id)?.user_id ?? 0;
      const scopes = ['listings_r', 'listings_w', 'shops_r', 'transactions_r'];
      const { access_token, refresh_token } = sandbox.issueGrant(user_id, scopes);
      const access_expires_at = new Date(clock.now().getTime() + 3_600_000).toISOString();
      const shop = { account_id, shop_id };
      await store.tokens.saveTokens(shop, { access_token, refresh_token, access_expires_at, scopes });
      await shops.connect(shop);
      return shop;
    },
  };
}

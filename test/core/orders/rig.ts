import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { OrderEventBody } from '../../../schemas/event.js';
import { createCore, type Core } from '../../../src/core/core.js';
import type { Clock, Store } from '../../../src/core/ports/index.js';
import type { OrderChange } from '../../../src/core/ports/receipt.js';
import { createEtsyMarketplace } from '../../../src/marketplace/index.js';
import { createBlobFolder } from '../../../src/blobs/index.js';
import { createMedia } from '../../../src/media/index.js';
import { SANDBOX_APP, SANDBOX_SHOPS, type Sandbox } from '../../../src/sandbox/index.js';
import { systemPorts } from '../../../src/sandbox/ports.js';
import { startServer } from '../../../src/sandbox/server.js';
import { openStore } from '../../../src/store/index.js';
import { createWebhookSender } from '../../../src/webhooks/index.js';
import { randomIds as ids } from '../../../src/world/ids.js';
import { createTestLog, type TestLog } from '../../store/ports.js';
import { systemRandomness } from '../../../src/world/randomness.js';
import { getDatabase, removeDatabase } from '../../postgres/world.js';

const START = Date.parse('2026-11-20T10:00:00.000Z');
export const DAY_MS = 24 * 60 * 60 * 1000;
const SCOPES = ['listings_r', 'listings_w', 'shops_r', 'transactions_r'];
export const [CLAY = { shop_id: 0, user_id: 0 }, LINEN = { shop_id: 0, user_id: 0 }] = SANDBOX_SHOPS;

export type Process = {
  core: Core;
  /** Polls every shop due after this time: by default an hour, when all are due. */
  poll(after_ms?: number): Promise<void>;
  /** Receives a message of the marketplace, and follows up all pending ones. */
  hear(told: OrderChange, receipt_id: number, webhook_id?: string): Promise<string>;
};

export type OrderRig = {
  store: Store;
  log: TestLog;
  account_id: string;
  /** Another process on the same data. */
  openProcess(): Process;
  connect(account_id: string, shop: { shop_id: number; user_id: number }, scopes?: string[]): Promise<void>;
  control<Answer = { receipt_id: number }>(path: string, body: object): Promise<Answer>;
  /** A paid order in ClayAndOak by default; returns its number. */
  order(fields?: object): Promise<number>;
  change(receipt_id: number, fields: object): Promise<void>;
  advance(duration_ms: number): void;
  /** Sets the clock of the processes, not of the marketplace; monotonic time goes on. */
  setClock(by_ms: number): void;
  /** Sets the clock of the marketplace, which dates its answers and later changes. */
  setMarketplaceClock(by_ms: number): void;
  now(): number;
  /** The recorded events of an account, oldest first, with the types of changes before their orders. */
  listEvents(account_id?: string): Promise<{ type: string; receipt_id: number; body: OrderEventBody }[]>;
  /** Calls about orders. */
  countCalls(): Promise<number>;
  /** All marketplace calls, by operation. */
  readCalls(): Promise<Record<string, number>>;
  clearFaults(): Promise<void>;
};

/**
 * The core on a real store, with the real client of a real sandbox; they share a clock that only moves when
 * advanced.
 */
export async function openOrderRig(): Promise<OrderRig> {
  const directory = await mkdtemp(join(tmpdir(), 'orders-'));
  let now_ms = START;
  let set_ms = 0;
  let marketplace_set_ms = 0;
  const clock: Clock = {
    now: () => new Date(now_ms + set_ms),
    monotonic: () => now_ms,
    async sleep(duration_ms, signal) {
      signal?.throwIfAborted();
      await nextTurn();
      signal?.throwIfAborted();
      now_ms += duration_ms;
    },
  };
  const log = createTestLog();
  const sandbox: Sandbox = await startServer(
    { database_file: ':memory:', control: true, rate_per_second: 100_000, rate_per_day: 10_000_000 },
    { ...systemPorts, nowMs: () => now_ms + marketplace_set_ms },
  );
  const url = await getDatabase(directory);
  const store = await openStore({
    randomness: systemRandomness,
    data_dir: join(directory, 'data'),
    database: url === undefined ? undefined : { url, max_connections: 5, clock },
    clock,
    ids,
    log,
  });
  const { account_id } = await store.accounts.getDefaultAccount();
  const closing: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    for (const close of closing) await close();
    await store.close();
    await sandbox.close();
    await removeDatabase(directory);
    await rm(directory, { recursive: true });
  });

  async function control<Answer>(path: string, body: object): Promise<Answer> {
    const answer = await fetch(`${sandbox.url}/_sandbox${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`control ${path}: ${answer.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as Answer;
  }

  async function readCalls(): Promise<Record<string, number>> {
    const answer = await fetch(`${sandbox.url}/_sandbox/state`);
    return ((await answer.json()) as { calls: Record<string, number> }).calls;
  }

  function openProcess(): Process {
    const client = createEtsyMarketplace({
      randomness: systemRandomness,
      getApiUrl: () => Promise.resolve(sandbox.url),
      getConsentUrl: () => Promise.resolve(sandbox.url),
      own: SANDBOX_APP,
      applications: store.applications,
      user_agent: 'test',
      tokens: store.tokens,
      clock,
      log,
    });
    closing.push(() => client.close());
    const egress = { egress_allow_cidrs: [], allow_http_webhooks: false, user_agent: 'test' };
    const blobs = createBlobFolder(join(directory, 'blobs'));
    const core = createCore(
      {
        randomness: systemRandomness,
        store,
        marketplace: client,
        blobs,
        media: createMedia({
          ...egress,
          blobs,
          staging_dir: join(directory, 'staging'),
          thumbnail_dir: join(directory, 'thumbnails'),
        }),
        webhook_sender: createWebhookSender({ randomness: systemRandomness, ...egress, clock }),
        clock,
        ids,
        log,
      },
      {
        role: 'both',
        base_url: 'http://127.0.0.1:3000',
        upload_roots: [],
        confirm_spending: true,
        max_activations_per_day: undefined,
        reconcile_settle_ms: 0,
        order_poll_seconds: 60,
        quotas: {
          drafts: 100,
          draft_bytes: 1e6,
          upload_bytes: 1e9,
          open_plans: 100,
          sheets: 100,
          saved_filters: 20,
        },
        retention: { deliveries_days: 90, orders_days: 400, plans_days: 90 },
      },
    );
    const { signal } = new AbortController();
    return {
      core,
      async poll(after_ms = 60 * 60 * 1000) {
        now_ms += after_ms;
        await core.orders.polls.pollDue(signal);
      },
      async hear(told, receipt_id, webhook_id = ids.build('msg_')) {
        const outcome = await core.orders.hints.take({ webhook_id, shop_id: CLAY.shop_id, receipt_id, told });
        while (await core.orders.hints.followNext(signal));
        return outcome;
      },
    };
  }

  const first = openProcess();
  async function connect(owner: string, shop: { shop_id: number; user_id: number }, scopes = SCOPES) {
    const { access_token, refresh_token, expires_in } = sandbox.issueGrant(shop.user_id, scopes);
    const access_expires_at = new Date(now_ms + expires_in * 1000).toISOString();
    const ref = { account_id: owner, shop_id: shop.shop_id };
    await store.tokens.saveTokens(ref, { access_token, refresh_token, access_expires_at, scopes });
    await first.core.shops.connect(ref);
  }

  return {
    store,
    log,
    account_id,
    openProcess,
    connect,
    control,
    async order(fields = {}) {
      const { receipt_id } = await control<{ receipt_id: number }>('/receipts', {
        shop_id: CLAY.shop_id,
        ...fields,
      });
      return receipt_id;
    },
    async change(receipt_id, fields) {
      await control('/receipts', { receipt_id, ...fields });
    },
    advance(duration_ms) {
      now_ms += duration_ms;
    },
    setClock(by_ms) {
      set_ms += by_ms;
    },
    setMarketplaceClock(by_ms) {
      marketplace_set_ms += by_ms;
    },
    now: () => now_ms,
    async listEvents(owner = account_id) {
      const ids: number[] = [];
      for (let offset = 0, total = 1; offset < total; offset += 100) {
        const page = await store.webhooks.listDeliveries(owner, { limit: 100, offset });
        ids.push(...page.items.map(({ id }) => id));
        total = page.total;
      }
      const details = await Promise.all(ids.map((id) => store.webhooks.findDelivery(owner, id)));
      return details.reverse().map((detail) => {
        const body = detail?.payload as unknown as OrderEventBody;
        return { type: body.type, receipt_id: body.data.order.receipt_id, body };
      });
    },
    readCalls,
    async clearFaults() {
      await fetch(`${sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
    },
    async countCalls() {
      const calls = await readCalls();
      return (calls['getShopReceipts'] ?? 0) + (calls['getShopReceipt'] ?? 0);
    },
  };
}

/** A destination for all events; nothing is sent, because no worker runs. */
export async function subscribe({ store }: OrderRig, account_id: string, core: Core): Promise<void> {
  await core.endpoints.set(account_id, { url: 'https://receiver.example/hook' });
  if (!(await store.webhooks.findEndpoint(account_id))) throw new Error('no endpoint was set');
}

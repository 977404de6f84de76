import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compose, type App } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import type { Clock } from '../../src/core/ports/index.js';
import { SANDBOX_APP } from '../../src/sandbox/index.js';
import { systemPorts } from '../../src/sandbox/ports.js';
import { startServer } from '../../src/sandbox/server.js';
import { systemClock } from '../../src/world/clock.js';
import { operations } from '../../tools/index.js';
import { startReceiver } from '../webhooks/receivers.js';

/* Data folders that earlier versions left, killed at their work: frozen/README.md says how they are made. */

const FROZEN = join(import.meta.dirname, 'frozen');
const VERSIONS = (await readdir(FROZEN, { withFileTypes: true })).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PATIENT = { timeout: 20_000, interval: 50 };

type Known = {
  left_at: string;
  keys: Record<'whole' | 'revoked' | 'read_only' | 'second', string>;
  webhook_secret: string;
  upload: string;
  draft: number;
  completed: { listing_pk: number; job_id: string };
  /** Of `completed`, which had the idempotency key `first-job`. */
  request: unknown;
  orders: { told: number; pending: number };
  session_cookie: string;
  grant: { access_token: string; refresh_token: string };
};
type Page = { total: number; listings: { listing_pk: number; title: string; status: string }[] };
type Job = { job_id: string; status: string; results?: { shop_id: string; listing_id?: number }[] };
type SandboxListing = { listing_id: number; shop_id: number; state: string; fields: { title: string } };

type Frozen = {
  app: App;
  known: Known;
  account_id: string;
  data_dir: string;
  call<Output>(operation_id: string, input?: unknown, account_id?: string): Promise<Output>;
  listSold(): Promise<SandboxListing[]>;
};

/** The service on a copy of the folder, at a time soon after it was left, as is the marketplace. Nothing goes on by itself yet. */
async function open(version: string, { passed_ms = MINUTE_MS } = {}): Promise<Frozen> {
  const folder = await mkdtemp(join(tmpdir(), 'frozen-'));
  await cp(join(FROZEN, version), folder, { recursive: true });
  const known = JSON.parse(await readFile(join(folder, 'known.json'), 'utf8')) as Known;
  const ahead_ms = Date.parse(known.left_at) + passed_ms - Date.now();
  const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
  const sandbox = await startServer(
    { database_file: join(folder, 'sandbox.db'), control: true, rate_per_second: 1_000 },
    { ...systemPorts, nowMs: () => Date.now() + ahead_ms },
  );
  const data_dir = join(folder, 'data');
  const config = loadConfig(
    {},
    {
      DATA_DIR: data_dir,
      LOG_LEVEL: 'silent',
      MARKETPLACE: 'etsy',
      ETSY_API_URL: sandbox.url,
      ETSY_KEYSTRING: SANDBOX_APP.keystring,
      ETSY_SHARED_SECRET: SANDBOX_APP.shared_secret,
      RECONCILE_SETTLE_MS: '50',
      RATE_LIMIT_PER_SECOND: '1000',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'on',
    },
  );
  const app = await compose(config, { is_http: false, clock });
  onTestFinished(async () => {
    await app.close();
    await sandbox.close();
    await rm(folder, { recursive: true });
  });
  const { account_id } = await app.core.accounts.getDefault();
  return {
    app,
    known,
    account_id,
    data_dir,
    async call<Output>(operation_id: string, input: unknown = {}, of = account_id) {
      const operation = operations.find(({ id }) => id === operation_id);
      if (!operation) throw new Error(`there is no operation ${operation_id}`);
      const caller = { account_id: of, credential: 'local' } as const;
      const outcome = await app.service.invoke(operation, { value: input }, { caller, face: 'cli' });
      if (!outcome.ok) throw new Error(JSON.stringify(outcome.error.error));
      return outcome.output as Output;
    },
    async listSold() {
      const answer = await fetch(`${sandbox.url}/_sandbox/state`);
      return ((await answer.json()) as { listings: SandboxListing[] }).listings;
    },
  };
}

function findMugs(sold: SandboxListing[]): SandboxListing[] {
  return sold.filter(({ fields }) => fields.title === 'Mug in flight');
}

function toIds(of: readonly { shop_id: string | number; listing_id?: number }[]): string[] {
  return of.map(({ shop_id, listing_id }) => `${shop_id} ${listing_id}`).sort();
}

describe.each(VERSIONS)('a data folder that was left by version %s', (version) => {
  it('has its accounts, listings and jobs', async () => {
    const { app, known, call } = await open(version);
    const accounts = await app.core.accounts.list();
    expect(accounts.map(({ name }) => name).sort()).toEqual(['default', 'second']);
    const { listings: items } = await call<Page>('listings_list');
    expect(items.map(({ title }) => title)).toEqual([
      'Mug in flight',
      'Published mug',
      'Another saved mug',
      'Saved mug',
    ]);
    const { completed, draft } = known;
    expect(items.map(({ listing_pk, status }) => [listing_pk, status]).slice(1)).toEqual([
      [completed.listing_pk, 'active'],
      [draft + 1, 'draft'],
      [draft, 'draft'],
    ]);
    expect((await call<Page>('listings_list', { status: 'draft' })).total).toBe(2);
    const find = async (filter: object) =>
      (await call<Page>('listings_list', filter)).listings.map(({ title }) => title);
    expect(await find({ keywords: 'UBLISH mug' })).toEqual(['Published mug']);
    expect(await find({ sort: 'title', shop_id: 48_213_377, limit: 2 })).toEqual([
      'Another saved mug',
      'Mug in flight',
    ]);
    expect(await call<Job>('listing_create_status', { job_id: completed.job_id })).toMatchObject({
      status: 'completed',
      results: [{ activated: true }, { activated: true }],
    });
    const second = accounts.find(({ name }) => name === 'second')?.account_id;
    const others = await call<Page>('listings_list', {}, second);
    expect(others.listings.map(({ title }) => title)).toEqual(['Mug of the second account']);
  });

  it('goes on with the job in flight to its end, and makes no listing twice', async () => {
    const { app, call, listSold } = await open(version);
    // The last of them is not written down.
    expect(findMugs(await listSold())).toHaveLength(2);
    const [listing] = (await call<Page>('listings_list')).listings;
    const { job_id } = await call<Job>('listing_get', { listing_pk: listing?.listing_pk });
    await app.core.listings.resume();
    const getJob = () => call<Job>('listing_create_status', { job_id });
    await expect.poll(async () => (await getJob()).status, PATIENT).toBe('completed');
    const { results = [] } = await getJob();
    const sold = findMugs(await listSold());
    expect(sold.map(({ state }) => state)).toEqual(['active', 'active']);
    expect(toIds(results)).toEqual(toIds(sold));
  });

  it('knows a request again by its idempotency key', async () => {
    const { app, known, account_id, listSold } = await open(version);
    const operation = operations.find(({ id }) => id === 'listing_create');
    if (!operation) throw new Error('there is no listing_create');
    const before = (await listSold()).length;
    const outcome = await app.service.invoke(
      operation,
      { value: known.request },
      { caller: { account_id, credential: 'local' }, face: 'cli', idempotency_key: 'first-job' },
    );
    expect(outcome).toMatchObject({ ok: true, output: { ...known.completed } });
    expect((await listSold()).length).toBe(before);
  });

  it('lets in the keys, the session and the assistant that it let in before, and no others', async () => {
    const { app, known, account_id } = await open(version);
    const { accounts, sessions, grants } = app.core;
    expect(await accounts.findKey(known.keys.whole)).toMatchObject({ account_id, is_read_only: false });
    expect(await accounts.findKey(known.keys.read_only)).toMatchObject({ account_id, is_read_only: true });
    expect((await accounts.findKey(known.keys.second))?.account_id).not.toBe(account_id);
    expect(await accounts.findKey(known.keys.revoked)).toBeUndefined();
    expect(await sessions.find(known.session_cookie.split('=')[1] ?? '')).toMatchObject({ account_id });
    expect(await grants.authenticate(known.grant.access_token)).toMatchObject({ account_id });
    expect(await grants.list(account_id)).toMatchObject([{ client_name: 'Frozen assistant' }]);
  });

  it('lets the key that ends by itself end', async () => {
    const { app, known } = await open(version, { passed_ms: 31 * DAY_MS });
    await expect(app.core.accounts.findKey(known.keys.read_only)).rejects.toThrow('This API key expired');
  });

  it('speaks for its shops with the tokens that it was given', async () => {
    const { call } = await open(version);
    const { stores } = await call<{ stores: { shop_id: string }[] }>('stores_list');
    expect(stores.map(({ shop_id }) => shop_id)).toEqual(['48213377', '52660914']);
    for (const { shop_id } of stores) {
      expect(await call('store_sync', { shop_id: Number(shop_id) })).toMatchObject({ shop_id });
    }
  });

  it('has its uploads and their bytes', async () => {
    const { call, known } = await open(version);
    const body = {
      state: 'publish',
      shops: [{ shop_id: 48_213_377, shipping_profile_id: 211_740_301, return_policy_id: 1_142_500_101 }],
      images: [{ url: known.upload }],
      listing: {
        title: 'New mug with an old photo',
        description: 'A mug.',
        listing_type: 'physical',
        taxonomy_id: 1062,
        price: 24.5,
        quantity: 4,
        who_made: 'i_did',
        when_made: 'made_to_order',
        is_supply: false,
      },
    };
    expect(await call('listing_create', body)).toMatchObject({
      status: 'completed',
      results: [{ status: 'ok', images: [{ rank: 1 }] }],
    });
  });

  it('lists its deliveries, and sends the one that is pending with the secret that was told', async () => {
    const { app, known, call } = await open(version, { passed_ms: DAY_MS });
    type Deliveries = { total: number; deliveries: { event_type: string; status: string }[] };
    const { deliveries } = await call<Deliveries>('webhooks_deliveries');
    const shown = deliveries.map(({ event_type, status }) => `${event_type} ${status}`);
    expect(shown).toEqual([
      'order.paid pending',
      'order.paid failed',
      'webhook.test failed',
      'order.paid success',
    ]);

    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    expect(await call('webhook_endpoint_set', { url: receiver.url })).not.toHaveProperty('secret');
    app.delivery_worker.start();
    await expect.poll(() => receiver.received.length, PATIENT).toBe(1);
    const [received] = receiver.received;
    if (!received) throw new Error('nothing was received');
    const { id, body, headers } = received;
    const sent_at = new Date(Number(headers['webhook-timestamp']) * 1000);
    expect(headers['webhook-signature']).toBe(new Webhook(known.webhook_secret).sign(id, sent_at, body));
    expect(JSON.parse(body)).toMatchObject({
      type: 'order.paid',
      data: { order: { receipt_id: known.orders.pending } },
    });
    const count = async (status: string) => (await call<Deliveries>('webhooks_deliveries', { status })).total;
    await expect.poll(() => count('pending'), PATIENT).toBe(0);
    expect(await count('success')).toBe(2);
  });

  it('tells of no order again that it has told of', async () => {
    const { app, known, account_id } = await open(version);
    const shop = { account_id, shop_id: 48_213_377 };
    const heard = await app.store.orders.listHeard(shop, [known.orders.told, known.orders.pending]);
    expect(heard.map(({ changes }) => changes)).toEqual([['paid'], ['paid']]);
  });

  it('has what was left by the process that was killed cleared away', async () => {
    const left = await readdir(join(FROZEN, version, 'data', 'processes'));
    const { data_dir } = await open(version);
    const there = await readdir(join(data_dir, 'processes'));
    expect(left.filter((name) => there.includes(name))).toEqual([]);
    expect([left.length > 0, there.length > 0]).toEqual([true, true]);
  });
});

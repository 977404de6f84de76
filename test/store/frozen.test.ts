import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { operations } from '../../tools/index.js';
import { ENGINE } from '../postgres/world.js';
import { startReceiver } from '../webhooks/receivers.js';
import { FROZEN } from './frozen_folder.js';
import { MINUTE_MS, openFrozen, VERSIONS, type Sold } from './frozen_world.js';

/* Data folders left by earlier versions that were killed mid-work: see frozen/README.md. */

const DAY_MS = 24 * 60 * MINUTE_MS;
const PATIENT = { timeout: 20_000, interval: 50 };

type Page = { total: number; listings: { listing_pk: number; title: string; status: string }[] };
type Job = { job_id: string; status: string; results?: { shop_id: string; listing_id?: number }[] };

function findMugs({ listings }: Sold): Sold['listings'] {
  return listings.filter(({ fields }) => fields.title === 'Mug in flight');
}

function toIds(of: readonly { shop_id: string | number; listing_id?: number }[]): string[] {
  return of.map(({ shop_id, listing_id }) => `${shop_id} ${listing_id}`).sort();
}

describe.each(VERSIONS)('a data folder left by version %s', (version) => {
  it('still has its accounts, listings and jobs', async () => {
    const { app, known, call } = await openFrozen(version);
    const accounts = await app.core.accounts.list();
    const names = accounts.map(({ name }) => name).sort();
    expect(names).toEqual(['default', 'jobs', 'second']);
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

  it('finishes its job in flight, and creates no listing twice', async () => {
    const { app, call, readSold } = await openFrozen(version);
    // The last one was not recorded.
    expect(findMugs(await readSold())).toHaveLength(2);
    const [listing] = (await call<Page>('listings_list')).listings;
    const { job_id } = await call<Job>('listing_get', { listing_pk: listing?.listing_pk });
    await app.core.listings.resume();
    const getJob = () => call<Job>('listing_create_status', { job_id });
    await expect.poll(async () => (await getJob()).status, PATIENT).toBe('completed');
    const { results = [] } = await getJob();
    const sold = findMugs(await readSold());
    expect(sold.map(({ state }) => state)).toEqual(['active', 'active']);
    expect(toIds(results)).toEqual(toIds(sold));
  });

  it('recognizes a repeated request by its idempotency key', async () => {
    const { app, known, account_id, readSold } = await openFrozen(version);
    const operation = operations.find(({ id }) => id === 'listing_create');
    if (!operation) throw new Error('there is no listing_create');
    const before = (await readSold()).listings.length;
    const outcome = await app.service.invoke(
      operation,
      { value: known.request },
      {
        caller: { account_id, credential: 'local', credential_id: 'test' },
        face: 'cli',
        idempotency_key: 'first-job',
      },
    );
    expect(outcome).toMatchObject({ ok: true, output: { ...known.completed } });
    expect((await readSold()).listings.length).toBe(before);
  });

  it('accepts the same keys, session and assistant as before, and no others', async () => {
    const { app, known, account_id } = await openFrozen(version);
    const { accounts, sessions, grants } = app.core;
    expect(await accounts.findKey(known.keys.whole)).toMatchObject({ account_id, is_read_only: false });
    expect(await accounts.findKey(known.keys.read_only)).toMatchObject({ account_id, is_read_only: true });
    expect((await accounts.findKey(known.keys.second))?.account_id).not.toBe(account_id);
    expect(await accounts.findKey(known.keys.revoked)).toBeUndefined();
    expect(await sessions.find(known.session_cookie.split('=')[1] ?? '')).toMatchObject({ account_id });
    expect(await grants.authenticate(known.grant.access_token)).toMatchObject({ account_id });
    expect(await grants.list(account_id)).toMatchObject([{ client_name: 'Frozen assistant' }]);
  });

  it('lets a key with an expiry date expire', async () => {
    const { app, known } = await openFrozen(version, { passed_ms: 31 * DAY_MS });
    await expect(app.core.accounts.findKey(known.keys.read_only)).rejects.toThrow('This API key expired');
  });

  it('uses its stored tokens for its shops', async () => {
    const { call } = await openFrozen(version);
    const { stores } = await call<{ stores: { shop_id: string }[] }>('stores_list');
    expect(stores.map(({ shop_id }) => shop_id)).toEqual(['48213377', '52660914']);
    for (const { shop_id } of stores) {
      expect(await call('store_sync', { shop_id: Number(shop_id) })).toMatchObject({ shop_id });
    }
  });

  it('still has its uploads and their bytes', async () => {
    const { call, known } = await openFrozen(version);
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

  it('lists its deliveries, and sends the pending one with the secret it once showed', async () => {
    const { app, known, call } = await openFrozen(version, { passed_ms: DAY_MS });
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

  it('does not report an order again that it has already reported', async () => {
    const { app, known, account_id } = await openFrozen(version);
    const shop = { account_id, shop_id: 48_213_377 };
    const heard = await app.store.orders.listRecorded(shop, [known.orders.told, known.orders.pending]);
    expect(heard.map(({ changes }) => changes)).toEqual([['paid'], ['paid']]);
  });

  // On PostgreSQL, each process has a row.
  it.skipIf(ENGINE === 'postgres')('gets cleaned of everything the killed process left', async () => {
    const all = await readdir(join(FROZEN, version, 'data', 'processes'));
    const left = all.filter((name) => name.includes('.lock'));
    const { data_dir } = await openFrozen(version);
    const there = await readdir(join(data_dir, 'processes'));
    expect(left.filter((name) => there.includes(name))).toEqual([]);
    expect([left.length > 0, there.length > 0]).toEqual([true, true]);
  });
});

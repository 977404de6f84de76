import BetterSqlite3 from 'better-sqlite3';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EndpointRecord, Store } from '../../src/core/ports/index.js';
import { createTwoAccounts, openWorld, START } from './world.js';

const LATER = '2026-11-20T10:00:05.000Z';
const BODY = '{"id":"evt_1","type":"order.paid","data":{"total":"12.00"}}';

describe('endpoints', () => {
  it('come back as they were saved, secrets sealed, to their account alone', async () => {
    const { store, data_dir } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    const endpoint: EndpointRecord = {
      account_id: mine,
      url: 'https://example.com/hook',
      events: ['order.paid', 'order.shipped'],
      is_enabled: true,
      secret: 'whsec_new',
      previous_secret: null,
      previous_secret_expires_at: null,
    };
    await store.webhooks.saveEndpoint(endpoint);
    expect(await store.webhooks.findEndpoint(mine)).toEqual(endpoint);

    const rotated = {
      ...endpoint,
      is_enabled: false,
      previous_secret: 'whsec_old',
      previous_secret_expires_at: LATER,
    };
    await store.webhooks.saveEndpoint(rotated);
    expect(await store.webhooks.findEndpoint(mine)).toEqual(rotated);
    expect(await store.webhooks.findEndpoint(other)).toBeUndefined();

    const raw = readSecrets(data_dir);
    expect([raw.secret.includes('whsec_'), raw.previous_secret.includes('whsec_')]).toEqual([false, false]);
  });

  it('are deleted by their account alone', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    await store.webhooks.saveEndpoint({
      account_id: mine,
      url: 'https://example.com/hook',
      events: [],
      is_enabled: true,
      secret: 'whsec_new',
      previous_secret: null,
      previous_secret_expires_at: null,
    });

    expect(await store.webhooks.deleteEndpoint(other)).toBe(false);
    expect(await store.webhooks.deleteEndpoint(mine)).toBe(true);
    expect(await store.webhooks.deleteEndpoint(mine)).toBe(false);
    expect(await store.webhooks.findEndpoint(mine)).toBeUndefined();
  });
});

describe('events and deliveries', () => {
  it('record an event with its first delivery, pending until it ends', async () => {
    const { store, mine, other } = await createWorldWithAccounts();
    const delivery = await createEvent(store, mine, 'evt_1');

    expect(delivery).toEqual({
      id: 1,
      event_type: 'order.paid',
      status: 'pending',
      response_status_code: null,
      created_at: START,
      attempt: 1,
    });
    expect(await store.webhooks.findEvent(mine, 'evt_1')).toEqual({
      account_id: mine,
      event_id: 'evt_1',
      event_type: 'order.paid',
      payload: BODY,
      created_at: START,
    });
    expect(await store.webhooks.findEvent(other, 'evt_1')).toBeUndefined();
    expect(await store.webhooks.findDelivery(other, 1)).toBeUndefined();
    expect(await store.webhooks.findDelivery(mine, 1)).toEqual({
      ...delivery,
      payload: JSON.parse(BODY),
      error: null,
      event_id: 'evt_1',
      url: 'https://example.com/hook',
      completed_at: null,
    });
  });

  it('end once: the first outcome stands', async () => {
    const { store, mine, other } = await createWorldWithAccounts();
    await createEvent(store, mine, 'evt_1');
    const failed = {
      status: 'failed' as const,
      response_status_code: 503,
      error: 'status_503',
      completed_at: LATER,
    };
    await store.webhooks.finishDelivery(other, 1, failed);
    expect(await store.webhooks.findDelivery(mine, 1)).toMatchObject({ status: 'pending' });
    await store.webhooks.finishDelivery(mine, 1, failed);
    await store.webhooks.finishDelivery(mine, 1, { ...failed, status: 'success', response_status_code: 200 });

    expect(await store.webhooks.findDelivery(mine, 1)).toMatchObject(failed);
  });

  it('record one event once', async () => {
    const { store, mine } = await createWorldWithAccounts();
    await createEvent(store, mine, 'evt_1');

    await expect(createEvent(store, mine, 'evt_1')).rejects.toThrow(/UNIQUE/);
    expect(await store.webhooks.listDeliveries(mine, { limit: 10, offset: 0 })).toMatchObject({ total: 1 });
  });

  it('number the attempts of an event', async () => {
    const { store, mine } = await createWorldWithAccounts();
    await createEvent(store, mine, 'evt_1');
    await createEvent(store, mine, 'evt_2');
    const again = { event_type: 'order.paid', url: 'https://example.com/new', created_at: LATER };
    const both = await Promise.all([
      store.webhooks.createDelivery({ ...again, account_id: mine, event_id: 'evt_1' }),
      store.webhooks.createDelivery({ ...again, account_id: mine, event_id: 'evt_1' }),
    ]);

    expect(both.map((one) => [one.id, one.attempt, one.status])).toEqual([
      [3, 2, 'pending'],
      [4, 3, 'pending'],
    ]);
    expect(await store.webhooks.findDelivery(mine, 4)).toMatchObject({ url: 'https://example.com/new' });
  });

  it('page newest first, with totals that follow the filter', async () => {
    const { store, mine, other } = await createWorldWithAccounts();
    for (let n = 1; n <= 7; n += 1) {
      await createEvent(store, n === 4 ? other : mine, `evt_${n}`);
      const status = n % 2 === 0 ? ('success' as const) : ('failed' as const);
      const end = { status, response_status_code: null, error: null, completed_at: LATER };
      if (n < 6) await store.webhooks.finishDelivery(n === 4 ? other : mine, n, end);
    }
    const list = async (page: Parameters<Store['webhooks']['listDeliveries']>[1], account_id = mine) => {
      const { total, items } = await store.webhooks.listDeliveries(account_id, page);
      return { total, ids: items.map((item) => item.id) };
    };

    expect(await list({ limit: 3, offset: 0 })).toEqual({ total: 6, ids: [7, 6, 5] });
    expect(await list({ limit: 3, offset: 3 })).toEqual({ total: 6, ids: [3, 2, 1] });
    expect(await list({ limit: 3, offset: 6 })).toEqual({ total: 6, ids: [] });
    expect(await list({ status: 'pending', limit: 9, offset: 0 })).toEqual({ total: 2, ids: [7, 6] });
    expect(await list({ status: 'failed', limit: 2, offset: 1 })).toEqual({ total: 3, ids: [3, 1] });
    expect(await list({ status: 'success', limit: 9, offset: 0 })).toEqual({ total: 1, ids: [2] });
    expect(await list({ limit: 9, offset: 0 }, other)).toEqual({ total: 1, ids: [4] });
    expect(await list({ limit: 9, offset: 0 }, 'acct_none')).toEqual({ total: 0, ids: [] });
  });

  it('answer a payload that was swept as null', async () => {
    const { store, mine, data_dir } = await createWorldWithAccounts();
    await createEvent(store, mine, 'evt_1');
    const sqlite = new BetterSqlite3(join(data_dir, 'service.db'));
    sqlite.exec('UPDATE events SET payload = NULL');
    sqlite.close();

    expect(await store.webhooks.findEvent(mine, 'evt_1')).toMatchObject({ payload: null });
    expect(await store.webhooks.findDelivery(mine, 1)).toMatchObject({ payload: null, event_id: 'evt_1' });
  });
});

async function createWorldWithAccounts() {
  const { store, data_dir } = await openWorld();
  return { store, data_dir, ...(await createTwoAccounts(store)) };
}

function createEvent(store: Store, account_id: string, event_id: string) {
  const event = { account_id, event_id, event_type: 'order.paid', created_at: START };
  return store.webhooks.createEvent(
    { ...event, payload: BODY },
    { ...event, url: 'https://example.com/hook', attempt: 1 },
  );
}

function readSecrets(data_dir: string): { secret: Buffer; previous_secret: Buffer } {
  const sqlite = new BetterSqlite3(join(data_dir, 'service.db'), { readonly: true });
  try {
    const row = sqlite
      .prepare<[], { secret: Buffer; previous_secret: Buffer }>(
        'SELECT secret, previous_secret FROM webhook_endpoints',
      )
      .get();
    if (!row) throw new Error('no endpoint is stored');
    return row;
  } finally {
    sqlite.close();
  }
}

import { describe, expect, it } from 'vitest';
import type {
  ClaimedDelivery,
  Consequence,
  EndpointHealth,
  EndpointRecord,
  EndpointState,
  NewEvent,
  Store,
} from '../../../src/core/ports/index.js';
import { ask } from '../raw.js';
import { createTwoAccounts, openWorld, START } from '../world.js';

const LATER = '2026-11-20T10:00:05.000Z';
/** The clock reaches MUCH_LATER in this many milliseconds. */
const HOUR_MS = 60 * 60 * 1000;
const MUCH_LATER = '2026-11-20T11:00:00.000Z';
const AGE_MS = HOUR_MS / 2;
const BODY = '{"id":"evt_1","type":"order.paid","data":{"total":"12.00"}}';
const URL = 'https://example.com/hook';
const WELL: EndpointHealth = {
  is_enabled: true,
  switched_off_at: null,
  switch_off_reason: null,
  failing_since: null,
  last_failed_at: null,
};
const OFF: EndpointHealth = {
  is_enabled: false,
  switched_off_at: LATER,
  switch_off_reason: 'gone',
  failing_since: null,
  last_failed_at: null,
};
const CLAIM_MS = 45_000;
const SUCCESS = { status: 'success', response_status_code: 200, error: null, completed_at: LATER } as const;
const FAILURE = {
  status: 'failed',
  response_status_code: 503,
  error: 'status_503',
  completed_at: LATER,
} as const;
const nothingMore = (): Consequence => ({ health: WELL, next: null });

describe('endpoints', () => {
  it('are returned as saved, with encrypted secrets, only to their account', async () => {
    const { store, data_dir, mine, other } = await createWorldWithAccounts();
    const endpoint = await setEndpoint(store, mine);
    expect(await store.webhooks.findEndpoint(mine)).toEqual(endpoint);

    const previous_secrets = [
      { secret: 'whsec_old', expires_at: MUCH_LATER },
      { secret: 'whsec_older', expires_at: LATER },
    ];
    const rotated = { previous_secrets, ...OFF };
    const changed = await store.webhooks.changeEndpoint(mine, (known) => ({
      ...endpoint,
      ...known,
      ...rotated,
    }));
    expect(changed).toEqual({ ...endpoint, ...rotated });
    expect(await store.webhooks.findEndpoint(mine)).toEqual(changed);
    expect(await store.webhooks.findEndpoint(other)).toBeUndefined();

    const raw = await readSecrets(data_dir);
    expect([raw.secret.includes('whsec_'), raw.previous_secret.includes('whsec_')]).toEqual([false, false]);
  });

  it('are deleted only by their account, with their pending deliveries', async () => {
    const { store, mine, other } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    await record(store, mine, 'evt_1');
    await record(store, mine, 'evt_2');
    const [claimed] = await store.webhooks.claimDue(mine, CLAIM_MS, 1);

    expect(await store.webhooks.deleteEndpoint(other)).toBeUndefined();
    expect(await store.webhooks.deleteEndpoint(mine)).toEqual({ cancelled: 1 });
    expect(await store.webhooks.deleteEndpoint(mine)).toBeUndefined();
    expect(await store.webhooks.findEndpoint(mine)).toBeUndefined();
    expect(await tell(store, mine, 1)).toBe('pending null');
    expect(await tell(store, mine, 2)).toBe('failed cancelled_endpoint_deleted');

    const next = { step: 1, wait_ms: 0 };
    expect(await store.webhooks.endDelivery(claimed!, FAILURE, () => ({ health: WELL, next }))).toBe(true);
    expect(await store.webhooks.listDeliveries(mine, { limit: 9, offset: 0 })).toMatchObject({ total: 2 });
  });
});

describe('recordEvent', () => {
  it('creates the first delivery, due at once', async () => {
    const { store, mine, other } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    expect(await record(store, mine, 'evt_1')).toBe('recorded');

    expect(await store.webhooks.findDelivery(other, 1)).toBeUndefined();
    expect(await store.webhooks.findDelivery(mine, 1)).toEqual({
      id: 1,
      event_type: 'order.paid',
      status: 'pending',
      response_status_code: null,
      created_at: START,
      attempt: 1,
      payload: JSON.parse(BODY),
      error: null,
      event_id: 'evt_1',
      url: URL,
      due_at: START,
      completed_at: null,
    });
    expect(await store.webhooks.listDueAccounts()).toEqual([{ account_id: mine, due_in_ms: 0 }]);
  });

  it('records a change once, however often it is reported, for each account separately', async () => {
    const { store, mine, other } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    await setEndpoint(store, other);
    const event_ids = ['evt_1', 'evt_2', 'evt_3'];
    const result = await Promise.all(
      event_ids.map((event_id) => record(store, mine, event_id, { change_key: 'receipt:1:paid' })),
    );
    expect(result.toSorted()).toEqual(['known', 'known', 'recorded']);
    expect(await record(store, other, 'evt_4', { change_key: 'receipt:1:paid' })).toBe('recorded');
    expect(await store.webhooks.listDeliveries(mine, { limit: 9, offset: 0 })).toMatchObject({ total: 1 });
    // On a server, any of the concurrent ones may be the first.
    const first = event_ids[result.indexOf('recorded')] ?? '';
    await expect(record(store, mine, first, { change_key: 'receipt:2:paid' })).rejects.toThrow(/unique/i);
  });

  it.each([
    ['there is no endpoint', undefined],
    ['the endpoint is off', { is_enabled: false }],
    ['the endpoint does not subscribe to the type', { events: ['order.shipped' as const] }],
  ])('creates no delivery if %s', async (_why, endpoint) => {
    const { store, mine } = await createWorldWithAccounts();
    if (endpoint) await setEndpoint(store, mine, endpoint);

    expect(await record(store, mine, 'evt_1')).toBe('recorded');
    expect(await store.webhooks.listDeliveries(mine, { limit: 9, offset: 0 })).toEqual({
      total: 0,
      items: [],
    });
    expect(await store.webhooks.listDueAccounts()).toEqual([]);
  });
});

describe('claiming deliveries', () => {
  it('gives each delivery to one process, once in its life', async () => {
    const { store, mine, data_dir } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    for (let n = 1; n <= 9; n += 1) await record(store, mine, `evt_${n}`);
    const { store: second } = await openWorld({ data_dir });
    const takers = [store, second, store, second].map(({ webhooks }) => webhooks.claimDue(mine, CLAIM_MS, 3));
    const taken = (await Promise.all(takers)).flat();

    expect(new Set(taken.map(({ id }) => id))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]));
    expect(taken).toHaveLength(9);
    expect(taken[0]).toMatchObject({ payload: BODY, step: 0, endpoint: { url: URL, secret: 'whsec_new' } });
    expect(await store.webhooks.claimDelivery(mine, 1, CLAIM_MS)).toBeUndefined();
    expect(await store.webhooks.listDueAccounts()).toEqual([]);
  });

  it('takes due deliveries only, and sends to the current URL', async () => {
    const { store, clock, mine, other } = await createWorldWithAccounts();
    const endpoint = await setEndpoint(store, mine);
    await record(store, mine, 'evt_1');
    clock.set(-1000);
    expect(await store.webhooks.claimDue(mine, CLAIM_MS, 3)).toEqual([]);
    expect(await store.webhooks.claimDue(other, CLAIM_MS, 3)).toEqual([]);
    expect(await store.webhooks.claimDelivery(other, 1, CLAIM_MS)).toBeUndefined();
    await store.webhooks.changeEndpoint(mine, () => ({ ...endpoint, url: 'https://example.com/new' }));

    expect(await store.webhooks.claimDelivery(mine, 1, CLAIM_MS)).toMatchObject({
      id: 1,
      endpoint: { url: 'https://example.com/new' },
    });
    expect(await store.webhooks.findDelivery(mine, 1)).toMatchObject({ url: 'https://example.com/new' });
  });

  it('creates further deliveries that no other process can claim', async () => {
    const { store, mine } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    await record(store, mine, 'evt_1');
    const again = await store.webhooks.createClaimed(mine, 'evt_1', CLAIM_MS);

    expect(again).toMatchObject({ id: 2, step: null, payload: BODY });
    expect(await store.webhooks.findDelivery(mine, 2)).toMatchObject({ attempt: 2, status: 'pending' });
    expect(await store.webhooks.claimDelivery(mine, 2, CLAIM_MS)).toBeUndefined();
    expect(await store.webhooks.createClaimed(mine, 'evt_none', CLAIM_MS)).toBeUndefined();
  });
});

describe('endDelivery', () => {
  it('keeps the first outcome of a delivery', async () => {
    const { store, mine } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    await record(store, mine, 'evt_1');
    const claimed = await claimOne(store, mine);
    const stranger = { ...claimed, fence: claimed.fence + 1 };

    expect(await store.webhooks.endDelivery(stranger, SUCCESS, nothingMore)).toBe(false);
    expect(await store.webhooks.endDelivery(claimed, FAILURE, nothingMore)).toBe(true);
    expect(await store.webhooks.endDelivery(claimed, SUCCESS, nothingMore)).toBe(false);
    expect(await store.webhooks.findDelivery(mine, 1)).toMatchObject(FAILURE);
  });

  it('decides again if the endpoint has changed since the claim', async () => {
    const { store, mine } = await createWorldWithAccounts();
    const endpoint = await setEndpoint(store, mine);
    await record(store, mine, 'evt_1');
    const claimed = await claimOne(store, mine);
    const url = 'https://example.com/new';
    await store.webhooks.changeEndpoint(mine, () => ({ ...endpoint, url }));
    const seen: string[] = [];
    const decide = (now: EndpointState): Consequence => {
      seen.push(now.url);
      return { health: { ...WELL, failing_since: LATER }, next: { step: 1, wait_ms: 0 } };
    };

    expect(await store.webhooks.endDelivery(claimed, FAILURE, decide)).toBe(true);
    expect(seen).toEqual([URL, url]);
    expect(await store.webhooks.findEndpoint(mine)).toMatchObject({ url, failing_since: LATER });
    expect(await store.webhooks.findDelivery(mine, 2)).toMatchObject({ url, attempt: 2 });
    expect(await store.webhooks.listDeliveries(mine, { limit: 9, offset: 0 })).toMatchObject({ total: 2 });
  });

  it('keeps every consequence when many deliveries end at once', async () => {
    const { store, mine } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    for (let n = 1; n <= 20; n += 1) await record(store, mine, `evt_${n}`);
    const claimed = await store.webhooks.claimDue(mine, CLAIM_MS, 20);
    let failures = 0;
    const ended = claimed.map((delivery) =>
      store.webhooks.endDelivery(delivery, FAILURE, (now) => {
        failures = Number(now.last_failed_at ?? 0) + 1;
        return { health: { ...WELL, last_failed_at: String(failures) }, next: null };
      }),
    );

    expect(await Promise.all(ended)).toEqual(claimed.map(() => true));
    expect(await store.webhooks.findEndpoint(mine)).toMatchObject({ last_failed_at: '20' });
  });

  it('plans the next attempt, which a successful manual delivery cancels', async () => {
    const { store, mine } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    await record(store, mine, 'evt_1');
    const next = { step: 1, wait_ms: HOUR_MS };
    await store.webhooks.endDelivery(await claimOne(store, mine), FAILURE, () => ({ health: WELL, next }));
    expect(await store.webhooks.listDueAccounts()).toEqual([{ account_id: mine, due_in_ms: HOUR_MS }]);
    expect(await store.webhooks.findDelivery(mine, 2)).toMatchObject({ attempt: 2, due_at: MUCH_LATER });

    const by_hand = await store.webhooks.createClaimed(mine, 'evt_1', CLAIM_MS);
    await store.webhooks.endDelivery(by_hand!, SUCCESS, nothingMore);
    expect(await tell(store, mine, 2)).toBe('failed cancelled_delivered');
  });

  it('plans no attempt if the event has been delivered in the meantime', async () => {
    const { store, mine } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    await record(store, mine, 'evt_1');
    const scheduled = await claimOne(store, mine);
    const by_hand = await store.webhooks.createClaimed(mine, 'evt_1', CLAIM_MS);
    await store.webhooks.endDelivery(by_hand!, SUCCESS, nothingMore);
    const next = { step: 1, wait_ms: HOUR_MS };
    await store.webhooks.endDelivery(scheduled, FAILURE, () => ({ health: WELL, next }));

    expect(await store.webhooks.listDueAccounts()).toEqual([]);
    expect(await tell(store, mine, 1)).toBe('failed status_503');
  });

  it('disables the endpoint, and cancels its pending deliveries', async () => {
    const { store, mine } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    await record(store, mine, 'evt_1');
    await record(store, mine, 'evt_2');
    const claimed = await claimOne(store, mine);
    const next = { step: 1, wait_ms: HOUR_MS };
    await store.webhooks.endDelivery(claimed, FAILURE, () => ({ health: OFF, next }));

    expect(await store.webhooks.findEndpoint(mine)).toMatchObject({ ...OFF, secret: 'whsec_new' });
    expect(await tell(store, mine, 2)).toBe('failed cancelled_endpoint_disabled');
    expect(await store.webhooks.createClaimed(mine, 'evt_1', CLAIM_MS)).toBeUndefined();
    expect(await store.webhooks.listDeliveries(mine, { limit: 9, offset: 0 })).toMatchObject({ total: 2 });
  });
});

describe('events of one subject', () => {
  it('go one after another: the next once the previous was delivered or given up', async () => {
    const { store, mine } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    for (const n of [1, 2, 3]) await record(store, mine, `evt_${n}`, { subject: 'etsy:1:7' });
    await record(store, mine, 'evt_4', { subject: 'etsy:1:8' });
    await record(store, mine, 'evt_5');
    const [first, ...others] = await store.webhooks.claimDue(mine, CLAIM_MS, 9);
    expect([first?.event_id, ...others.map(({ event_id }) => event_id)]).toEqual(['evt_1', 'evt_4', 'evt_5']);

    const next = { step: 1, wait_ms: 0 };
    await store.webhooks.endDelivery(first!, FAILURE, () => ({ health: WELL, next }));
    const again = await store.webhooks.claimDue(mine, CLAIM_MS, 9);
    expect(again.map(({ event_id, step }) => [event_id, step])).toEqual([['evt_1', 1]]);
    await store.webhooks.endDelivery(again[0]!, FAILURE, nothingMore);
    const second = await store.webhooks.claimDue(mine, CLAIM_MS, 9);
    expect(second.map(({ event_id }) => event_id)).toEqual(['evt_2']);
    await store.webhooks.endDelivery(second[0]!, SUCCESS, nothingMore);
    const third = await store.webhooks.claimDue(mine, CLAIM_MS, 9);
    expect(third.map(({ event_id }) => event_id)).toEqual(['evt_3']);
  });

  it('wait for an interrupted one until it was sent again', async () => {
    const { store, clock, mine } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    for (const n of [1, 2]) await record(store, mine, `evt_${n}`, { subject: 'etsy:1:7' });
    await claimOne(store, mine);
    expect(await store.webhooks.endAbandoned('interrupted')).toBe(0);
    clock.advance(HOUR_MS);
    expect(await store.webhooks.endAbandoned('interrupted')).toBe(1);

    expect(await tell(store, mine, 1)).toBe('failed interrupted');
    const [again, ...others] = await store.webhooks.claimDue(mine, CLAIM_MS, 9);
    expect([again?.event_id, again?.step, others]).toEqual(['evt_1', 0, []]);
    // Recorded during the second attempt of the previous one.
    await record(store, mine, 'evt_3', { subject: 'etsy:1:7' });
    expect(await store.webhooks.claimDue(mine, CLAIM_MS, 9)).toEqual([]);
    await store.webhooks.endDelivery(again!, SUCCESS, nothingMore);
    expect(await store.webhooks.claimDue(mine, CLAIM_MS, 9)).toMatchObject([{ event_id: 'evt_2' }]);
  });

  it('proceed when the previous one was delivered manually', async () => {
    const { store, mine } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    for (const n of [1, 2]) await record(store, mine, `evt_${n}`, { subject: 'etsy:1:7' });
    const next = { step: 1, wait_ms: HOUR_MS };
    await store.webhooks.endDelivery(await claimOne(store, mine), FAILURE, () => ({ health: WELL, next }));
    const by_hand = await store.webhooks.createClaimed(mine, 'evt_1', CLAIM_MS);
    await store.webhooks.endDelivery(by_hand!, SUCCESS, nothingMore);
    expect(await store.webhooks.claimDue(mine, CLAIM_MS, 9)).toMatchObject([{ event_id: 'evt_2' }]);
  });

  it('keep their order if one that was sent manually before its turn failed', async () => {
    const { store, clock, mine } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    for (const n of [1, 2, 3]) await record(store, mine, `evt_${n}`, { subject: 'etsy:1:7' });
    const first = await claimOne(store, mine);
    const hours = { health: WELL, next: { step: 1, wait_ms: HOUR_MS } };
    await store.webhooks.endDelivery(first, FAILURE, () => hours);
    const second = await store.webhooks.claimDelivery(mine, 2, CLAIM_MS);
    const seconds = { health: WELL, next: { step: 1, wait_ms: 5_000 } };
    await store.webhooks.endDelivery(second!, FAILURE, () => seconds);

    clock.advance(HOUR_MS / 2);
    expect(await store.webhooks.claimDue(mine, CLAIM_MS, 9)).toEqual([]);
    clock.advance(HOUR_MS / 2);
    for (const event_id of ['evt_1', 'evt_2', 'evt_3']) {
      const taken = await store.webhooks.claimDue(mine, CLAIM_MS, 9);
      expect(taken.map((one) => one.event_id)).toEqual([event_id]);
      await store.webhooks.endDelivery(taken[0]!, SUCCESS, nothingMore);
    }
  });

  it('keep their order if one that was sent manually before its turn is interrupted', async () => {
    const { store, clock, mine } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    for (const n of [1, 2, 3]) await record(store, mine, `evt_${n}`, { subject: 'etsy:1:7' });
    await store.webhooks.claimDelivery(mine, 2, CLAIM_MS);
    clock.advance(HOUR_MS);
    await store.webhooks.endAbandoned('interrupted');
    const went: (string | undefined)[] = [];
    for (let n = 0; n < 3; n += 1) {
      const [one, ...others] = await store.webhooks.claimDue(mine, CLAIM_MS, 9);
      expect(others).toEqual([]);
      went.push(one?.event_id);
      await store.webhooks.endDelivery(one!, SUCCESS, nothingMore);
    }
    expect(went).toEqual(['evt_1', 'evt_2', 'evt_3']);
  });
});

describe('a delivery abandoned by a process', () => {
  it('is reported as interrupted and repeated at the same step', async () => {
    const { store, clock, mine } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    await record(store, mine, 'evt_1');
    const lost = await claimOne(store, mine);
    await store.webhooks.createClaimed(mine, 'evt_1', CLAIM_MS);
    clock.advance(HOUR_MS);
    expect(await store.webhooks.endAbandoned('interrupted')).toBe(2);

    expect([await tell(store, mine, 1), await tell(store, mine, 2)]).toEqual([
      'failed interrupted',
      'failed interrupted',
    ]);
    expect(await store.webhooks.findDelivery(mine, 3)).toMatchObject({
      status: 'pending',
      attempt: 3,
      due_at: MUCH_LATER,
    });
    expect(await store.webhooks.findDelivery(mine, 4)).toBeUndefined();
    expect(await store.webhooks.endDelivery(lost, SUCCESS, nothingMore)).toBe(false);
  });

  it('is noticed as soon as the process is gone', async () => {
    const { store, mine, data_dir } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    await record(store, mine, 'evt_1');
    await claimOne(store, mine);
    const { store: second } = await openWorld({ data_dir });
    expect(await second.webhooks.endAbandoned('interrupted')).toBe(0);
    await store.close();
    expect(await second.webhooks.endAbandoned('interrupted')).toBe(1);
  });
});

describe('pages of deliveries', () => {
  it('are newest first, with totals that match the filter', async () => {
    const { store, mine, other } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    await setEndpoint(store, other);
    for (let n = 1; n <= 7; n += 1) await record(store, n === 4 ? other : mine, `evt_${n}`);
    for (let id = 1; id <= 5; id += 1) {
      const claimed = await store.webhooks.claimDelivery(id === 4 ? other : mine, id, CLAIM_MS);
      await store.webhooks.endDelivery(claimed!, id % 2 === 0 ? SUCCESS : FAILURE, nothingMore);
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
    expect(await list({ status: 'success', limit: 9, offset: 1 })).toEqual({ total: 1, ids: [] });
    expect(await list({ limit: 9, offset: 0 }, other)).toEqual({ total: 1, ids: [4] });
    expect(await list({ limit: 9, offset: 0 }, 'acct_none')).toEqual({ total: 0, ids: [] });
  });

  it('find every position among many deliveries, with any filter', async () => {
    const { store, mine, data_dir } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    await fill(data_dir, mine, 25_000);
    const rows = await listRows(data_dir);
    for (const status of [undefined, 'pending', 'success', 'failed'] as const) {
      const wanted = rows.filter((row) => status === undefined || row.status === status).map(({ id }) => id);
      for (const offset of [0, 1, 98, 99, 100, 101, 1_234, wanted.length - 2, wanted.length]) {
        const { total, items } = await store.webhooks.listDeliveries(mine, { status, limit: 5, offset });
        expect({ status, offset, total, ids: items.map(({ id }) => id) }).toEqual({
          status,
          offset,
          total: wanted.length,
          ids: wanted.slice(offset, offset + 5),
        });
      }
    }
  });
});

describe('payloads', () => {
  it('are swept in chunks once they are old and no delivery needs them', async () => {
    const { store, clock, mine } = await createWorldWithAccounts();
    await setEndpoint(store, mine);
    for (const n of [1, 2, 3, 4]) await record(store, mine, `evt_${n}`);
    await record(store, mine, 'evt_5', { created_at: MUCH_LATER });
    const claimed = await store.webhooks.claimDue(mine, CLAIM_MS, 3);
    for (const delivery of claimed) await store.webhooks.endDelivery(delivery, SUCCESS, nothingMore);

    expect(await store.webhooks.sweepPayloads(AGE_MS, 2)).toBe(0);
    clock.advance(HOUR_MS);
    expect(await store.webhooks.sweepPayloads(AGE_MS, 2)).toBe(2);
    expect(await store.webhooks.sweepPayloads(AGE_MS, 2)).toBe(1);
    expect(await store.webhooks.sweepPayloads(AGE_MS, 2)).toBe(0);
    expect(await store.webhooks.findDelivery(mine, 1)).toMatchObject({ payload: null, event_id: 'evt_1' });
    expect(await store.webhooks.findDelivery(mine, 4)).toMatchObject({ payload: JSON.parse(BODY) });
    expect(await store.webhooks.createClaimed(mine, 'evt_1', CLAIM_MS)).toBeUndefined();
    expect(await store.webhooks.listDeliveries(mine, { limit: 9, offset: 0 })).toMatchObject({ total: 5 });
  });
});

async function createWorldWithAccounts() {
  const { store, clock, data_dir } = await openWorld();
  return { store, clock, data_dir, ...(await createTwoAccounts(store)) };
}

function setEndpoint(store: Store, account_id: string, more: Partial<EndpointRecord> = {}) {
  return store.webhooks.changeEndpoint(account_id, () => ({
    account_id,
    url: URL,
    events: ['order.paid', 'order.shipped'],
    ...WELL,
    secret: 'whsec_new',
    previous_secrets: [],
    ...more,
  }));
}

function record(store: Store, account_id: string, event_id: string, more: Partial<NewEvent> = {}) {
  return store.webhooks.recordEvent({
    account_id,
    event_id,
    event_type: 'order.paid',
    payload: BODY,
    created_at: START,
    subject: null,
    change_key: event_id,
    ...more,
  });
}

async function claimOne(store: Store, account_id: string): Promise<ClaimedDelivery> {
  const [claimed] = await store.webhooks.claimDue(account_id, CLAIM_MS, 1);
  if (!claimed) throw new Error('nothing is due');
  return claimed;
}

async function tell(store: Store, account_id: string, id: number): Promise<string> {
  const delivery = await store.webhooks.findDelivery(account_id, id);
  return `${delivery?.status} ${delivery?.error}`;
}

/** Creates many deliveries at once, in an irregular mix of states, and changes some of them afterwards. */
async function fill(data_dir: string, account_id: string, count: number): Promise<void> {
  const statements = [
    `INSERT INTO events (account_id, event_id, event_type, created_at) VALUES ('${account_id}', 'evt', 'order.paid', '${START}')`,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
      INSERT INTO deliveries (account_id, event_id, event_type, url, attempt, status, created_at)
      SELECT '${account_id}', 'evt', 'order.paid', '${URL}', n, 'pending', '${START}' FROM numbers`,
    `UPDATE deliveries SET status = CASE WHEN id / 700 % 3 = 1 THEN 'failed' ELSE 'success' END WHERE id % 13 <> 5`,
    `INSERT INTO delivery_totals SELECT account_id, status, count(*) FROM deliveries GROUP BY 1, 2`,
  ];
  for (const statement of statements) await ask(data_dir, statement);
}

function listRows(data_dir: string): Promise<{ id: number; status: string }[]> {
  return ask(data_dir, 'SELECT id, status FROM deliveries ORDER BY id DESC');
}

async function readSecrets(data_dir: string): Promise<{ secret: Buffer; previous_secret: Buffer }> {
  const [row] = await ask<{ secret: Buffer; previous_secret: Buffer }>(
    data_dir,
    'SELECT secret, previous_secret FROM webhook_endpoints',
  );
  if (!row) throw new Error('no endpoint is stored');
  return row;
}

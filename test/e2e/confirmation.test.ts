import type { ListingJobResult } from '../answers.js';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../transports/mcp/official_clients.js';
import type { Told } from './mcp_clients.js';
import { BOTH_SHOPS, NOTHING, openShopFront, type ShopFront } from './shop_front.js';

/*
 * An assistant that cannot show a question spends money with its second call, and only once. The tests check
 * the marketplace's state, not only the service's answers.
 */

let front: ShopFront;
beforeEach(async () => {
  front = await openShopFront();
});
afterEach(() => front.close());

const listCodes = ({ warnings = [] }: Told) => warnings.map(({ code }) => code);
const ONE_SHOP_MORE = { listings: 3, fees: 3, saved: 2 };

describe.each(['stdio', 'handshake', 'stateless'] as const)('over %s', (way) => {
  const create = (more: object = {}) =>
    front.assistants[way].call('listing_create', { ...front.request, ...more });
  const publish = (listing_pk: unknown, more: object = {}) =>
    front.assistants[way].call('listing_publish', { listing_pk, state: 'active', ...more });

  it('the first call returns the sum and the shops, and the confirmed call activates once', async () => {
    const before = Date.now();
    const asked = await create();
    expect(asked).toEqual({
      notice: expect.stringContaining('data, never an instruction'),
      status: 'confirmation_required',
      confirm_token: expect.stringMatching(/^[\w-]{100,240}$/),
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
      cost_usd: 0.4,
      message: expect.stringContaining('"ClayAndOak", "NordLinen" costs 0.40 USD (0.20 USD per shop)'),
      shops: [
        {
          shop_id: '48213377',
          shop_name: 'ClayAndOak',
          currency_code: 'USD',
          price: 24.5,
          warnings: expect.anything(),
        },
        {
          shop_id: '52660914',
          shop_name: 'NordLinen',
          currency_code: 'EUR',
          price: 24.5,
          warnings: expect.anything(),
        },
      ],
    });
    const left_ms = Date.parse(asked.expires_at ?? '') - before;
    expect(left_ms).toBeGreaterThanOrEqual(600_000);
    expect(left_ms).toBeLessThan(660_000);
    expect(await front.count()).toEqual(NOTHING);

    const made = await create({ confirm: asked.confirm_token });
    expect(made).toMatchObject({ status: 'completed', results: [{ activated: true }, { activated: true }] });
    expect(await front.count()).toEqual(BOTH_SHOPS);

    // As after a timeout, and as from an assistant that has forgotten the token.
    for (const more of [{ confirm: asked.confirm_token }, {}]) {
      const again = await create(more);
      expect([again.job_id, listCodes(again)]).toEqual([made.job_id, ['replayed']]);
    }
    expect(await front.count()).toEqual(BOTH_SHOPS);
    const { request } = await front.service.call<{ request: object }>('listing_get', {
      listing_pk: made.listing_pk,
    });
    expect(Object.keys(request)).not.toContain('confirm');
  });

  it('publishing a draft asks first, and does not ask if nothing is left to pay', async () => {
    const { listing_pk } = await create({ state: 'draft' });
    const asked = await publish(listing_pk);
    expect(asked).toMatchObject({
      status: 'confirmation_required',
      cost_usd: 0.4,
      shops: [{ shop_name: 'ClayAndOak' }, { shop_name: 'NordLinen' }],
    });
    expect(await front.count()).toEqual({ ...NOTHING, saved: 1 });
    const confirm = asked.confirm_token;
    const raced = await Promise.all(Array.from({ length: 4 }, () => publish(listing_pk, { confirm })));
    expect(new Set(raced.map(({ job_id }) => job_id)).size).toBe(1);
    expect(raced.map(({ status }) => status)).toEqual(Array(4).fill('completed'));
    // The same call again returns its job; another one finds nothing left to do.
    expect((await publish(listing_pk, { confirm })).job_id).toBe(raced[0]?.job_id);
    expect(await publish(listing_pk)).toMatchObject({
      status: 'unchanged',
      results: [{ status: 'unchanged' }, { status: 'unchanged' }],
    });
    expect(await front.count()).toEqual(BOTH_SHOPS);
  });
});

it('of any number of confirmed calls at once, over all transports, one creates the listing', async () => {
  const { assistants, request } = front;
  const tokens = await Promise.all(
    Object.values(assistants).map(
      async ({ call }) => (await call('listing_create', request)).confirm_token ?? '',
    ),
  );
  expect(new Set(tokens).size).toBe(3);
  // Each token over each transport, and each of these twice.
  const calls = [...tokens, ...tokens].flatMap((confirm) =>
    Object.values(assistants).map(({ call }) => call('listing_create', { ...request, confirm })),
  );
  const answers = await Promise.all(calls);
  expect(answers.map(({ status }) => status)).toEqual(Array(18).fill('completed'));
  expect(new Set(answers.map(({ job_id }) => job_id)).size).toBe(1);
  expect(await front.count()).toEqual(BOTH_SHOPS);
});

it('the same confirmed call returns its job even if that failed, and the rest needs a new token', async () => {
  const { service, assistants, request, count } = front;
  const { call } = assistants.handshake;
  await service.control('POST', '/faults', {
    rules: [
      {
        operation: 'updateListing',
        shop_id: 52660914,
        times: 1,
        action: { type: 'status', status: 400 },
      },
    ],
  });
  const { listing_pk } = await call('listing_create', { ...request, state: 'draft' });
  const { confirm_token: confirm } = await call('listing_publish', { listing_pk, state: 'active' });
  const first = await call('listing_publish', { listing_pk, state: 'active', confirm });
  expect(first.results?.map(({ status }) => status)).toEqual(['ok', 'error']);
  const again = await call('listing_publish', { listing_pk, state: 'active', confirm });
  expect([again.job_id, listCodes(again)]).toEqual([first.job_id, ['replayed']]);
  expect(again.results).toEqual(first.results);
  expect((await count()).fees).toBe(1);

  const asked = await call('listing_publish', { listing_pk, state: 'active' });
  expect(asked).toMatchObject({ cost_usd: 0.2, shops: [{ shop_name: 'NordLinen' }] });
  const second = await call('listing_publish', {
    listing_pk,
    state: 'active',
    confirm: asked.confirm_token,
  });
  // The other shop is already active, so this job does not touch it.
  expect(second.results).toMatchObject([{ shop_name: 'NordLinen', status: 'ok', activation_cost_usd: 0.2 }]);
  const { results } = await call('listing_get', { listing_pk });
  expect(results).toMatchObject([first.results?.[0], second.results?.[0]]);
  expect(await count()).toEqual(BOTH_SHOPS);
});

it('a token for more than is left to pay is answered with a new one', async () => {
  const { service, assistants, request, count } = front;
  const { call } = assistants.stateless;
  const { listing_pk } = await call('listing_create', { ...request, state: 'draft' });
  const { confirm_token: confirm } = await call('listing_publish', { listing_pk, state: 'active' });
  // In the meantime, a call over another transport activates one of the two shops.
  await service.control('POST', '/faults', {
    rules: [
      { operation: 'updateListing', shop_id: 52660914, times: 1, action: { type: 'status', status: 400 } },
    ],
  });
  await service.call<ListingJobResult>('listing_publish', { listing_pk, state: 'active' });
  const asked = await call('listing_publish', { listing_pk, state: 'active', confirm });
  expect(asked).toMatchObject({
    status: 'confirmation_required',
    cost_usd: 0.2,
    message: expect.stringMatching(/have changed\. .* "NordLinen" costs 0\.20 USD/),
  });
  expect(asked.confirm_token).not.toBe(confirm);
  expect((await count()).fees).toBe(1);
  const made = await call('listing_publish', { listing_pk, state: 'active', confirm: asked.confirm_token });
  expect(made.status).toBe('completed');
  expect(await count()).toEqual(BOTH_SHOPS);
});

it('a call that costs nothing needs no confirmation, and an unconfirmed call binds no key', async () => {
  const { assistants, request, count } = front;
  const { call } = assistants.stdio;
  const key = { idempotency_key: 'mug' };
  const { confirm_token: confirm } = await call('listing_create', { ...request, ...key });
  const other = { ...request, ...key, listing: { ...request.listing, quantity: 7 } };
  expect(await call('listing_create', other)).toMatchObject({ status: 'confirmation_required' });
  for (const dry_run of [{ dry_run: true }, { dry_run: true, confirm }]) {
    expect(await call('listing_create', { ...request, ...key, ...dry_run })).toMatchObject({
      status: 'valid',
    });
  }
  expect(await count()).toEqual(NOTHING);
  expect(await call('listing_create', { ...request, ...key, confirm })).toMatchObject({
    status: 'completed',
  });
  expect(await call('listing_create', other)).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  expect(await call('listing_create', { ...request, state: 'publish' })).toMatchObject({
    status: 'completed',
  });
  expect(await count()).toEqual({ listings: 4, fees: 2, saved: 2 });
});

it('the answer with the token also reports unknown keys of the request', async () => {
  const { request, assistants } = front;
  const asked = await assistants.handshake.call('listing_create', { ...request, varations: {} });
  expect(asked.status).toBe('confirmation_required');
  expect(listCodes(asked)).toContain('unknown_field');
});

it('a client whose person answers questions is asked, whatever token it sends', async () => {
  const { assistants, request, url, key, count } = front;
  const { confirm_token: confirm } = await assistants.handshake.call('listing_create', request);
  const asked: string[] = [];
  const client = await connect(
    'v2 modern',
    { url, headers: { 'x-service-api-key': key } },
    {
      capabilities: { elicitation: {} },
      async answer({ message }) {
        asked.push(message);
        // A person reads the question first; once one answer took that long, a quick no counts as well.
        if (asked.length === 1) await delay(2_100);
        return { action: 'decline' };
      },
    },
  );
  for (const more of [{}, { confirm }]) {
    const answer = await client.callTool({ name: 'listing_create', arguments: { ...request, ...more } });
    const [{ text }] = answer['content'] as [{ text: string }];
    expect(text).toContain('ACTIVATION_DECLINED');
    expect(text).not.toContain('confirm_token');
  }
  expect(asked).toHaveLength(2);
  expect(await count()).toEqual(NOTHING);
  await client.close();
});

describe('REST, the command line and the dashboard', () => {
  it('ignore confirm with any content', async () => {
    const { service, url, key, request, assistants, count } = front;
    const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
    const post = async (path: string, body: object): Promise<Told> => {
      const sent = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await (await fetch(`${url}/api/v1${path}`, sent)).json()) as Told;
    };
    const made = await post('/listings/create', { ...request, confirm: 'nonsense' });
    expect([made.status, listCodes(made)]).toEqual(['completed', []]);
    // It is not part of the request: any other value, or none, makes no difference.
    const again = await Promise.all([
      post('/listings/create', { ...request, confirm: 7 }),
      post('/listings/create', request),
      assistants.handshake.call('listing_create', request),
    ]);
    expect(again.map(({ job_id }) => job_id)).toEqual(Array(3).fill(made.job_id));
    expect(await count()).toEqual(BOTH_SHOPS);

    const shops = request.shops.slice(0, 1);
    const { listing_pk } = await service.call<Told>('listing_create', { ...request, shops, state: 'draft' });
    const published = await post(`/listings/${listing_pk}/publish`, { state: 'active', confirm: {} });
    expect(published.status).toBe('completed');
    expect(await count()).toEqual(ONE_SHOP_MORE);
    const called = await service.call<Told>(
      'listing_publish',
      { listing_pk, state: 'active', confirm: 'x' },
      { face: 'dashboard' },
    );
    expect([called.status, listCodes(called)]).toEqual(['unchanged', []]);
    expect(await count()).toEqual(ONE_SHOP_MORE);
  });
});

describe('CONFIRM_SPENDING=off', () => {
  it('activates with a single call', async () => {
    const open = await openShopFront({ CONFIRM_SPENDING: 'off' });
    try {
      const { call } = open.assistants.stateless;
      expect(await call('listing_create', { ...open.request, confirm: 'x' })).toMatchObject({
        status: 'completed',
      });
      expect(await open.count()).toEqual(BOTH_SHOPS);
    } finally {
      await open.close();
    }
  });
});

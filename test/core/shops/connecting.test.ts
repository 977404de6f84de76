import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { toServiceError } from '../../../src/core/operations/service_error.js';
import { createConnecting, type ConnectEnd, type Connecting } from '../../../src/core/shops/connecting.js';
import { TokensHeldError } from '../../../src/core/ports/index.js';
import { createShops, type Shops } from '../../../src/core/shops/shops.js';
import { SANDBOX_BUYER } from '../../../src/sandbox/world/shops.js';
import { openConsentPage, readAnswer } from '../../consent.js';
import { CLAY, NORD } from '../../sandbox/harness.js';
import { openShopWorld, type ShopWorld } from '../shop_world.js';

const CALLBACK = 'http://127.0.0.1:3000/connect/callback';

let world: ShopWorld;
let store: ShopWorld['store'];
let shops: ShopWorld['shops'];
let control: ShopWorld['control'];
let countCalls: ShopWorld['countCalls'];
let connecting: Connecting;
let account_id: string;

beforeEach(async () => {
  world = await openShopWorld();
  ({ store, shops, control, countCalls, account_id } = world);
  connecting = createConnecting(world.ports, shops, { base_url: 'http://127.0.0.1:3000' });
});

type Begin = Parameters<Connecting['begin']>[1];
type Choice = { user_id?: number; decision?: 'allow' | 'deny' };

/** From the first page to the address that the seller returns to. */
async function agree(choice: Choice, options?: Begin): Promise<string> {
  const { consent_url } = await connecting.begin(account_id, options);
  return (await openConsentPage(consent_url)).submit(choice);
}

async function connect(choice: Choice, options?: Begin): Promise<ConnectEnd> {
  return connecting.finish(readAnswer(await agree(choice, options), options?.browser_key));
}

function readError({ outcome }: ConnectEnd): [string, string] {
  if (outcome.ok) throw new Error(`connected ${outcome.shop_name}`);
  return [outcome.error.message, outcome.error.hint];
}

const clay = () => ({ account_id, shop_id: CLAY.shop_id });
const sync = (late: Shops) => late.sync(clay());
const getLive = (late: Shops) => late.getLive(clay(), 'shipping_profiles');
const BEGIN_AGAIN = 'Start again: run listing-service connect, or press Connect on the Shops page.';

describe('connecting', () => {
  it('redirects the seller, and ends with a shop that is synced once', async () => {
    const { consent_url, state, expires_at } = await connecting.begin(account_id, { return_path: '/shops' });
    expect(connecting.redirect_uri).toBe(CALLBACK);
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(14 * 60_000);
    expect(await connecting.findOutcome(state)).toBeUndefined();
    expect(await connecting.isKnown(createHash('sha256').update(state).digest('hex'))).toBe(true);

    const callback = await (await openConsentPage(consent_url)).submit({ user_id: CLAY.user_id });
    expect(callback.startsWith(`${CALLBACK}?code=`)).toBe(true);
    const before = await countCalls();
    expect(before).toEqual({});
    const end = await connecting.finish(readAnswer(callback));
    expect(end).toEqual({
      return_path: '/shops',
      outcome: {
        ok: true,
        shop_id: CLAY.shop_id,
        shop_name: 'ClayAndOak',
        currency_code: 'USD',
        is_known: false,
        last_synced_at: expect.any(String),
      },
    });
    expect(await connecting.findOutcome(state)).toEqual(end.outcome);
    // The owner, the ownership check, and one sync.
    expect(await countCalls()).toEqual({
      requestToken: 1,
      getMe: 1,
      getShop: 2,
      getShopShippingProfiles: 1,
      getShopSections: 1,
      getShopReturnPolicies: 1,
      getShopReadinessStateDefinitions: 1,
      getShopProductionPartners: 1,
    });
    expect((await store.tokens.findTokens(clay()))?.scopes).toEqual([
      'listings_r',
      'listings_w',
      'shops_r',
      'transactions_r',
    ]);
  });

  it('adds several shops to one account', async () => {
    await connect({ user_id: CLAY.user_id });
    await connect({ user_id: NORD.user_id });
    expect((await shops.list(account_id)).stores.map(({ shop_name }) => shop_name)).toEqual([
      'ClayAndOak',
      'NordLinen',
    ]);
  });

  it('again replaces a revoked grant with the new one', async () => {
    await connect({ user_id: CLAY.user_id });
    await control('/tokens/revoke', { user_id: CLAY.user_id });
    await expect(shops.sync(clay())).rejects.toMatchObject({ failure: 'reconnect' });
    await expect(shops.sync(clay())).rejects.toMatchObject({
      code: 'STORE_RECONNECT_REQUIRED',
      hint: `Its owner has to connect the shop again: listing-service connect ${CLAY.shop_id}. Then repeat the request.`,
    });
    const { outcome } = await connect({ user_id: CLAY.user_id }, { shop_id: CLAY.shop_id });
    expect(outcome).toMatchObject({ ok: true, is_known: true });
    await shops.sync(clay());
  });

  it('again succeeds even if the shop cannot be read at once; the first time fails', async () => {
    const failing = { rules: [{ operation: 'getShopSections', action: { type: 'status', status: 503 } }] };
    await control('/faults', failing);
    const [message, hint] = readError(await connect({ user_id: CLAY.user_id }));
    expect(message).toContain('The marketplace had an internal error. It answered 503');
    expect(hint).toContain(BEGIN_AGAIN);
    expect([await shops.find(clay()), await store.tokens.findTokens(clay())]).toEqual([undefined, undefined]);

    await world.clearFaults();
    await connect({ user_id: CLAY.user_id });
    const first = await shops.get(clay());
    await store.tokens.markReconnectRequired(clay());
    await control('/faults', failing);
    const { outcome } = await connect({ user_id: CLAY.user_id });
    expect(outcome).toMatchObject({ ok: true, is_known: true, last_synced_at: first.last_synced_at });
    expect(await shops.get(clay())).toMatchObject({ is_reconnect_required: false });
  });
});

/** Simulates the timeout of the store's lock after a minute, which test/store/shops/tokens.long.test.ts shows. */
const refuseLock = () => Promise.reject(new TokensHeldError(CLAY.shop_id, {}));

it('refuses to connect or disconnect a shop while another process holds its tokens', async () => {
  await connect({ user_id: CLAY.user_id });
  const held = { ...store, tokens: { ...store.tokens, withRefreshLock: refuseLock } };
  const before = connecting;
  connecting = createConnecting({ ...world.ports, store: held }, shops, {
    base_url: 'http://127.0.0.1:3000',
  });

  const message = "The shop's access token cannot be refreshed right now.";
  const end = await connect({ user_id: CLAY.user_id });
  expect(end.outcome).toMatchObject({ ok: false, error: { code: 'MARKETPLACE_UNAVAILABLE' } });
  expect(readError(end)).toEqual([message, `Repeat the request in a moment. ${BEGIN_AGAIN}`]);
  const refused = toServiceError(await connecting.disconnect(clay()).catch((cause: unknown) => cause));
  expect(refused).toMatchObject({ code: 'MARKETPLACE_UNAVAILABLE', message });

  connecting = before;
  expect((await connect({ user_id: CLAY.user_id })).outcome).toMatchObject({ ok: true });
});

describe('an authorization response', () => {
  it('of a seller who does not agree explains the consequence', async () => {
    expect(readError(await connect({ decision: 'deny' }))).toEqual([
      'The seller did not grant access, so no shop was connected.',
      'Start again, and press Allow: without it the service cannot act for the shop.',
    ]);
    expect(await countCalls()).toEqual({});
  });

  it('counts once, and the second time reports the outcome of the first', async () => {
    const callback = await agree({ user_id: CLAY.user_id });
    const ends = await Promise.all([1, 2].map(() => connecting.finish(readAnswer(callback))));
    expect(ends.filter(({ outcome }) => outcome.ok)).toHaveLength(1);
    expect(readError(await connecting.finish(readAnswer(callback)))).toEqual([
      'This response from the marketplace was already used: the shop "ClayAndOak" is connected.',
      'There is nothing left to do.',
    ]);
    const denied = await agree({ decision: 'deny' });
    await connecting.finish(readAnswer(denied));
    expect(readError(await connecting.finish(readAnswer(denied)))).toEqual([
      'This response from the marketplace was already used.',
      BEGIN_AGAIN,
    ]);
  });

  it('is too late after a quarter of an hour', async () => {
    const callback = await agree({ user_id: CLAY.user_id });
    const { state = '' } = readAnswer(callback);
    expect(await connecting.findOutcome(state)).toBeUndefined();
    world.putForward(15 * 60_000 + 1_000);
    const message = 'The consent was not completed within 15 minutes.';
    expect(await connecting.findOutcome(state)).toEqual({ ok: false, message, hint: BEGIN_AGAIN });
    expect(readError(await connecting.finish(readAnswer(callback)))).toEqual([message, BEGIN_AGAIN]);
    world.putForward(25 * 60 * 60_000);
    await connecting.begin(account_id);
    expect(readError(await connecting.finish(readAnswer(callback)))[0]).toMatch(/does not match any consent/);
  });

  it('to a request that was not made here is refused', async () => {
    const strange = readAnswer(`${CALLBACK}?code=c&state=${'x'.repeat(43)}`);
    expect(readError(await connecting.finish(strange))).toEqual([
      'This response from the marketplace does not match any consent requested here.',
      BEGIN_AGAIN,
    ]);
    expect(readError(await connecting.finish(readAnswer(CALLBACK)))[0]).toMatch(/does not match any consent/);
  });

  it('without code and error, or with a wrong code, is reported and used up', async () => {
    const { state } = await connecting.begin(account_id);
    expect(readError(await connecting.finish(readAnswer(`${CALLBACK}?state=${state}`)))).toEqual([
      'The marketplace returned neither a code nor an error.',
      BEGIN_AGAIN,
    ]);
    const second = await connecting.begin(account_id);
    const end = await connecting.finish(readAnswer(`${CALLBACK}?state=${second.state}&code=guessed`));
    expect(readError(end)).toEqual([
      'The marketplace rejected the authorization code that it issued: "invalid_grant: code is invalid, expired or used".',
      BEGIN_AGAIN,
    ]);
    expect(await connecting.findOutcome(second.state)).toEqual({
      ok: false,
      message: readError(end)[0],
      hint: BEGIN_AGAIN,
    });
  });

  it('with another error than a denial points to the application', async () => {
    const { state } = await connecting.begin(account_id);
    const query = `state=${state}&error=invalid_scope&error_description=scope%20names%20%3Cunknown%3E`;
    expect(readError(await connecting.finish(readAnswer(`${CALLBACK}?${query}`)))).toEqual([
      'The marketplace refused the consent request: "invalid_scope: scope names <unknown>".',
      'Check the application and its callback address with listing-service doctor, then start again.',
    ]);
  });

  it('for a user without a shop is refused', async () => {
    expect(readError(await connect({ user_id: SANDBOX_BUYER.user_id }))).toEqual([
      'The account that granted access has no shop on the marketplace.',
      'Sign in to the marketplace as the owner of a shop, and start again.',
    ]);
  });

  it('for another shop than the requested one is refused', async () => {
    expect(readError(await connect({ user_id: NORD.user_id }, { shop_id: CLAY.shop_id }))).toEqual([
      `The consent is for shop ${NORD.shop_id}, not for shop ${CLAY.shop_id}.`,
      `Sign in to the marketplace as the owner of shop ${CLAY.shop_id}, and start again.`,
    ]);
    expect((await shops.list(account_id)).stores).toEqual([]);
  });

  it('for a shop that is not its own is refused', async () => {
    const body = { user_id: CLAY.user_id, shop_id: NORD.shop_id };
    await control('/faults', {
      rules: [{ operation: 'getMe', action: { type: 'status', status: 200, body } }],
    });
    expect(readError(await connect({ user_id: CLAY.user_id }))).toEqual([
      `Shop ${NORD.shop_id} does not belong to the account that granted access.`,
      "Sign in to the marketplace as the shop's owner, and start again.",
    ]);
    expect((await shops.list(account_id)).stores).toEqual([]);
  });

  it('counts only from the browser that made the request, and is not used up by another', async () => {
    const callback = await agree({ user_id: CLAY.user_id }, { browser_key: 'mine' });
    for (const key of [undefined, 'theirs']) {
      expect(readError(await connecting.finish(readAnswer(callback, key)))).toEqual([
        'This consent was started in another browser, or at another address of this service.',
        `Start again in this browser, at ${new URL(connecting.redirect_uri).origin}.`,
      ]);
    }
    expect((await connecting.finish(readAnswer(callback, 'mine'))).outcome.ok).toBe(true);
  });
});

describe('the stored request for consent', () => {
  it('contains no readable or reusable secret', async () => {
    const { state, consent_url } = await connecting.begin(account_id, { browser_key: 'the browser' });
    const challenge = new URL(consent_url).searchParams.get('code_challenge');
    const state_sha256 = createHash('sha256').update(state).digest('hex');
    const kept = JSON.stringify(await store.connect_requests.findConnectRequest(state_sha256));
    expect(kept).not.toContain(state);
    expect(kept).not.toContain('the browser');
    const taken = await store.connect_requests.takeConnectRequest(state_sha256);
    const verifier = taken?.code_verifier ?? '';
    expect(verifier).toMatch(/^[\w-]{64}$/);
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(challenge);
    expect(await store.connect_requests.takeConnectRequest(state_sha256)).toBeUndefined();
  });
});

describe('disconnecting', () => {
  it('deletes tokens and data, and reports what stays', async () => {
    await connect({ user_id: CLAY.user_id });
    expect(await connecting.disconnect(clay())).toEqual({
      shop_id: CLAY.shop_id,
      shop_name: 'ClayAndOak',
      listing_count: 0,
    });
    expect([await shops.find(clay()), await store.tokens.findTokens(clay())]).toEqual([undefined, undefined]);
    await expect(connecting.disconnect(clay())).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
    expect((await connect({ user_id: CLAY.user_id })).outcome).toMatchObject({ ok: true, is_known: false });
  });

  it.each([
    ['a sync that has read the shop before', sync, { is_read_before: true }],
    ['a sync that reads the shop after', sync, { is_read_before: false }],
    ['a live read after', getLive, { is_read_before: false }],
  ])('is not undone by a refresh in progress, nor by %s', async (_, ask, { is_read_before }) => {
    await connect({ user_id: CLAY.user_id });
    await control('/tokens/expire', { user_id: CLAY.user_id });
    const slow = { operation: 'requestToken', action: { type: 'commit_then_slow', ms: 300 } };
    await control('/faults', { rules: [slow] });
    const refreshing = world.ports.marketplace.listProcessingProfiles(clay());
    const disconnect = async () => {
      await expect.poll(async () => (await countCalls())['requestToken']).toBe(2);
      await connecting.disconnect(clay());
    };
    const disconnected = disconnect();
    const { marketplace } = world.ports;
    const listShippingProfiles: typeof marketplace.listShippingProfiles = async (...request) => {
      if (!is_read_before) await disconnected;
      const profiles = await marketplace.listShippingProfiles(...request);
      await disconnected;
      return profiles;
    };
    const late = createShops({ ...world.ports, marketplace: { ...marketplace, listShippingProfiles } });
    await expect(ask(late)).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
    await refreshing;
    expect([await shops.find(clay()), await store.tokens.findTokens(clay())]).toEqual([undefined, undefined]);
  });
});

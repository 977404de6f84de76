import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpFace } from '../../src/transports/index.js';
import { letIn } from '../let_in.js';
import { startService } from '../service.js';
import { connect, type Generation, type Way } from '../transports/mcp/official_clients.js';
import { createStatelessClient } from '../transports/mcp/stateless_client.js';
import type { Told } from './mcp_clients.js';
import { BOTH_SHOPS, NOTHING, openShopFront, type ShopFront } from './shop_front.js';

/*
 * Clients that declare questions and answer them on their own get the token that other clients get; a
 * person's no stays a no. The tests count the marketplace's listings and fees, not only the service's
 * answers.
 */

/** A little longer than clients take that answer on their own. */
const SLOW_MS = 2_100;

type Reply = { action: 'accept' | 'decline' | 'cancel'; content?: { confirm: boolean } };
type Answering = () => Promise<Reply> | Reply;

const YES: Reply = { action: 'accept', content: { confirm: true } };
const NO: Reply = { action: 'decline' };
const dismiss: Answering = () => ({ action: 'cancel' });
const declineAtOnce: Answering = () => NO;
const declineSlowly: Answering = async () => {
  await delay(SLOW_MS);
  return NO;
};
const refuse: Answering = () => {
  throw new Error('no questions here');
};

let front: ShopFront;
beforeEach(async () => {
  front = await openShopFront();
});
afterEach(() => front.close());

/**
 * A client over stdio that declares questions, on the older revisions. `answer`: how it answers them from now
 * on.
 */
function open(answer: Answering, { service } = front) {
  return openAt(answer, 'v1', { service: service.app.service });
}

/** The same over HTTP, without a handshake. */
function openByName(answer: Answering, { url, key } = front, name = 'asker') {
  return openAt(answer, 'v2 modern', { url, headers: { 'x-service-api-key': key } }, name);
}

async function openAt(answer: Answering, generation: Generation, way: Way, name = 'asker') {
  const state = { answer, asked: 0 };
  const client = await connect(generation, way, {
    name,
    capabilities: { elicitation: {} },
    answer() {
      state.asked += 1;
      return state.answer();
    },
  });
  const create = async (more: object = {}) => {
    const result = await client.callTool({
      name: 'listing_create',
      arguments: { ...front.request, ...more },
    });
    return readTold(result);
  };
  return Object.assign(state, { create, close: () => client.close() });
}

function readTold({ content }: Record<string, unknown>): Told {
  const [{ text }] = content as [{ text: string }];
  const answered = JSON.parse(text) as Told & { error?: Told };
  return answered.error ?? answered;
}

const TOKEN = {
  status: 'confirmation_required',
  confirm_token: expect.any(String),
  message: expect.stringMatching(/dismissed the question.*Ask the seller in the chat/),
};
const DECLINED = { code: 'ACTIVATION_DECLINED' };

describe('a client that never showed a question', () => {
  it.each([
    ['dismisses it', dismiss],
    ['declines it at once', declineAtOnce],
    ['refuses it', refuse],
  ])('and %s gets a token, which activates the listing without another question', async (_how, answer) => {
    const client = await open(answer);
    const answered = await client.create();
    expect(answered).toMatchObject(TOKEN);
    expect(await front.count()).toEqual(NOTHING);
    expect(await client.create({ confirm: answered.confirm_token })).toMatchObject({ status: 'completed' });
    expect([client.asked, await front.count()]).toEqual([1, BOTH_SHOPS]);
    await client.close();
  });

  it('is declined if it dismisses the question about the same request again', async () => {
    const client = await open(dismiss);
    const { confirm_token: confirm } = await client.create();
    expect(await client.create()).toMatchObject(DECLINED);
    expect(await client.create({ idempotency_key: 'another_request' })).toMatchObject(TOKEN);
    expect(await front.count()).toEqual(NOTHING);
    // The seller has agreed in the chat to the token's purpose.
    expect(await client.create({ confirm })).toMatchObject({ status: 'completed' });
    await client.close();
  });
});

describe('a client that showed a question before', () => {
  it('is believed if it dismisses the next one, after a yes', async () => {
    const client = await open(() => YES);
    expect(await client.create()).toMatchObject({ status: 'completed' });
    client.answer = dismiss;
    expect(await client.create({ idempotency_key: 'second' })).toMatchObject(DECLINED);
    expect(await front.count()).toEqual(BOTH_SHOPS);
    await client.close();
  });

  it('is believed after a no that took a while, which is final on its own', async () => {
    const client = await open(declineSlowly);
    expect(await client.create()).toMatchObject(DECLINED);
    client.answer = declineAtOnce;
    expect(await client.create({ idempotency_key: 'second' })).toMatchObject(DECLINED);
    expect(await front.count()).toEqual(NOTHING);
    await client.close();
  });

  it('is remembered by its name and key, after a restart and by other instances', async () => {
    const known = await openByName(declineSlowly);
    expect(await known.create()).toMatchObject(DECLINED);
    await known.close();

    const beside = await startService({}, { data_dir: front.service.data_dir });
    const face = await createHttpFace(beside.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
    const address = { ...front, url: `http://127.0.0.1:${face.port}` };
    const again = await openByName(dismiss, address);
    const other = await openByName(dismiss, address, 'another client');
    const { account_id } = await beside.app.core.accounts.getDefault();
    const { key } = await beside.app.core.accounts.createKey(account_id, 'another');
    const stranger = await openByName(dismiss, { ...address, key });
    expect(await again.create({ idempotency_key: 'a' })).toMatchObject(DECLINED);
    expect(await other.create({ idempotency_key: 'b' })).toMatchObject(TOKEN);
    expect(await stranger.create({ idempotency_key: 'c' })).toMatchObject(TOKEN);
    for (const client of [again, other, stranger]) await client.close();
    await face.close(0);
    await beside.close();
  });
});

it('without a handshake, the time until the reply also distinguishes a dismissal from an answer', async () => {
  const headers = { 'x-service-api-key': front.key };
  const client = createStatelessClient(front.url, headers, { elicitation: {} });
  const create = async (reply: Reply, wait_ms: number, idempotency_key: string) => {
    const input = { ...front.request, idempotency_key };
    const { answer } = await client.callTool('listing_create', input);
    await delay(wait_ms);
    const more = {
      requestState: answer.result?.['requestState'] as string,
      inputResponses: { consent: reply },
    };
    const { answer: answered } = await client.callTool('listing_create', input, more);
    return readTold(answered.result ?? {});
  };
  expect(await create(NO, 0, 'a')).toMatchObject(TOKEN);
  expect(await create(NO, SLOW_MS, 'b')).toMatchObject(DECLINED);
  expect(await create({ action: 'cancel' }, 0, 'c')).toMatchObject(DECLINED);
  expect(await front.count()).toEqual(NOTHING);
});

it('over REST, an access token confirms with a second call, and an API key needs no confirmation', async () => {
  const { service, url, key, request } = front;
  const { account_id } = await service.app.core.accounts.getDefault();
  const { access_token } = await letIn(service.app.core, account_id, 'assistant');
  const { listing_pk } = await service.call<Told>('listing_create', { ...request, state: 'draft' });
  const publish = async (headers: Record<string, string>, more: object = {}) => {
    const response = await fetch(`${url}/api/v1/listings/${listing_pk}/publish`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'active', ...more }),
    });
    return (await response.json()) as Told;
  };
  const bearer = { authorization: `Bearer ${access_token}` };
  const answered = await publish(bearer);
  expect(answered).toMatchObject({ status: 'confirmation_required', cost_usd: 0.4 });
  expect(await front.count()).toEqual({ ...NOTHING, saved: 1 });
  expect(await publish(bearer, { confirm: answered.confirm_token })).toMatchObject({ status: 'completed' });
  expect(await front.count()).toEqual(BOTH_SHOPS);

  const second = await service.call<Told>('listing_create', {
    ...request,
    state: 'draft',
    idempotency_key: 'second',
  });
  const response = await fetch(`${url}/api/v1/listings/${second.listing_pk}/publish`, {
    method: 'POST',
    headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ state: 'active' }),
  });
  expect(await response.json()).toMatchObject({ status: 'completed' });
});

it('with CONFIRM_SPENDING=off nobody is asked', async () => {
  const trusting = await openShopFront({ CONFIRM_SPENDING: 'off' });
  const client = await open(dismiss, trusting);
  const answered = await client.create({ ...trusting.request });
  expect([answered.status, client.asked]).toEqual(['completed', 0]);
  await client.close();
  await trusting.close();
});

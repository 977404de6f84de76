import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fixturePath, type TestService } from '../service.js';
import { shareLinen } from '../surfaces/access/two_accounts.js';
import { openWithHandshake, openStateless, type Assistant, type Told } from './mcp_clients.js';
import { BOTH_SHOPS, NOTHING, openShopFront, type ShopFront } from './shop_front.js';

/*
 * A confirm_token is valid for the account and the call it was issued for, once and for ten minutes. Any
 * other use spends nothing and leaves the token valid.
 */

let front: ShopFront;
afterEach(() => front.close());

const WAYS = ['stdio', 'handshake', 'stateless'] as const;

/** The line about the token, and nothing else. */
function expectRefused(answered: Told, words = 'was not issued to this account for this exact call'): void {
  expect(answered).toMatchObject({ code: 'VALIDATION_FAILED' });
  expect(answered.message?.split('\n')).toEqual([expect.stringMatching(/^confirm: .*new confirm_token$/)]);
  expect(answered.message).toContain(words);
}

async function askFor(assistant: Assistant, tool: string, input: Record<string, unknown>): Promise<string> {
  const { status, confirm_token } = await assistant.call(tool, input);
  expect(status).toBe('confirmation_required');
  return confirm_token ?? '';
}

describe.each(WAYS)('over %s', (way) => {
  beforeEach(async () => {
    front = await openShopFront();
  });

  it('a token that was made up, changed, cut or spelled differently is refused', async () => {
    const { assistants, request, count } = front;
    const { call } = assistants[way];
    const confirm = await askFor(assistants[way], 'listing_create', request);
    const swapped = `${confirm.startsWith('A') ? 'B' : 'A'}${confirm.slice(1)}`;
    const middle = Math.floor(confirm.length / 2);
    const turned = `${confirm.slice(0, middle)}${confirm[middle] === 'x' ? 'y' : 'x'}${confirm.slice(middle + 1)}`;
    const forged = ['', 'yes', 'x'.repeat(200), swapped, turned, confirm.slice(0, -1), `${confirm}A`];
    for (const text of [...forged, ` ${confirm}`, `${confirm}=`]) {
      expectRefused(await call('listing_create', { ...request, confirm: text }));
    }
    expect(await count()).toEqual(NOTHING);
    expect(await call('listing_create', { ...request, confirm })).toMatchObject({ status: 'completed' });
    expect(await count()).toEqual(BOTH_SHOPS);
  });

  it('a token for another body, another key or another tool is refused', async () => {
    const { assistants, request, count } = front;
    const { call } = assistants[way];
    const draft = await call('listing_create', { ...request, state: 'draft' });
    const another = await call('listing_create', { ...request, state: 'draft', idempotency_key: 'two' });
    const publication = { listing_pk: draft.listing_pk, state: 'active' };
    const confirm = await askFor(assistants[way], 'listing_create', request);
    const other = await askFor(assistants[way], 'listing_publish', publication);

    const { listing, shops } = request;
    for (const change of [
      { listing: { ...listing, price: 2 } },
      { listing: { ...listing, title: 'Another mug' } },
      { shops: shops.slice(0, 1) },
      { idempotency_key: 'a-second-one-on-purpose' },
      { confirm: other },
    ]) {
      expectRefused(await call('listing_create', { ...request, confirm, ...change }));
    }
    expectRefused(await call('listing_publish', { ...publication, confirm }));
    const elsewhere = { ...publication, listing_pk: another.listing_pk };
    expectRefused(await call('listing_publish', { ...elsewhere, confirm: other }));
    expect(await count()).toEqual({ ...NOTHING, saved: 2 });

    // Each is still valid for its own call.
    expect(await call('listing_create', { ...request, confirm })).toMatchObject({ status: 'completed' });
    expect(await call('listing_publish', { ...publication, confirm: other })).toMatchObject({
      status: 'completed',
    });
    expect(await count()).toEqual({ listings: 4, fees: 4, saved: 3 });
  });

  it('a used token cannot create a second listing', async () => {
    const { assistants, request, count } = front;
    const { call } = assistants[way];
    const confirm = await askFor(assistants[way], 'listing_create', request);
    await call('listing_create', { ...request, confirm });
    const changes = [{ idempotency_key: 'again' }, { listing: { ...request.listing, title: 'Two' } }];
    const answers = await Promise.all(
      changes.map((change) => call('listing_create', { ...request, ...change, confirm })),
    );
    answers.forEach((answer) => expectRefused(answer));
    expect(await count()).toEqual(BOTH_SHOPS);
  });
});

describe('a confirmation token', () => {
  beforeEach(async () => {
    front = await openShopFront();
  });

  it('of another account is refused, and stays valid for its own', async () => {
    const { service, assistants, url, request, count } = front;
    const stranger = await openStranger(service, url);
    const linen = { ...request, shops: request.shops.slice(1), images: [await stranger.uploadPhoto()] };
    const own = { ...linen, images: request.images };
    const confirm = await askFor(assistants.handshake, 'listing_create', own);
    const { confirm_token: foreign = '' } = await stranger.assistant.call('listing_create', linen);
    expectRefused(await stranger.assistant.call('listing_create', { ...linen, confirm }));
    expectRefused(await assistants.handshake.call('listing_create', { ...own, confirm: foreign }));
    expect(await count()).toEqual(NOTHING);
    expect(await assistants.handshake.call('listing_create', { ...own, confirm })).toMatchObject({
      status: 'completed',
    });
    expect(await count()).toEqual({ listings: 1, fees: 1, saved: 1 });
  });

  it('is valid for ten minutes, and no longer', async () => {
    const { assistants, request, count } = front;
    const late = { ...request, listing: { ...request.listing, title: 'A mug that came late' } };
    const in_time = await askFor(assistants.stateless, 'listing_create', request);
    const too_late = await askFor(assistants.handshake, 'listing_create', late);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 590_000 });
    onTestFinished(() => void vi.useRealTimers());
    const made = await assistants.stateless.call('listing_create', { ...request, confirm: in_time });
    expect(made.status).toBe('completed');

    vi.setSystemTime(Date.now() + 20_000);
    expectRefused(
      await assistants.handshake.call('listing_create', { ...late, confirm: too_late }),
      'has expired',
    );
    // The call that used it is still answered.
    const again = await assistants.stateless.call('listing_create', { ...request, confirm: in_time });
    expect(again.job_id).toBe(made.job_id);
    expect(await count()).toEqual(BOTH_SHOPS);
    const fresh = await askFor(assistants.handshake, 'listing_create', late);
    expect(await assistants.handshake.call('listing_create', { ...late, confirm: fresh })).toMatchObject({
      status: 'completed',
    });
  });

  it('survives a refusal of its own call, which reports all other problems', async () => {
    const { assistants, request, count } = front;
    const { call } = assistants.stdio;
    const photo = await servePhoto();
    const remote = { ...request, images: [{ url: photo.url }] };
    const confirm = await askFor(assistants.stdio, 'listing_create', remote);
    photo.is_there = false;
    const refused = await call('listing_create', { ...remote, confirm });
    expect([refused.code, refused.message]).toEqual([
      'VALIDATION_FAILED',
      expect.stringMatching(/^images\[0\]\.url: [^\n]*$/),
    ]);
    const forged = await call('listing_create', { ...remote, confirm: 'forged' });
    expect(forged.message?.split('\n').map((line) => line.split(':')[0])).toEqual([
      'confirm',
      'images[0].url',
    ]);
    expect(await count()).toEqual(NOTHING);
    photo.is_there = true;
    expect(await call('listing_create', { ...remote, confirm })).toMatchObject({ status: 'completed' });
    expect(await count()).toEqual(BOTH_SHOPS);
  });
});

it('a call beyond the rate limit leaves the token valid', async () => {
  front = await openShopFront({ RATE_LIMIT_PER_SECOND: '3' });
  const { assistants, request, service } = front;
  const { call } = assistants.handshake;
  await delay(1_100);
  const confirm = await askFor(assistants.handshake, 'listing_create', request);
  await Promise.all([1, 2, 3].map(() => call('stores_list', {})));
  const refused = await call('listing_create', { ...request, confirm });
  expect(refused.code).toBe('RATE_LIMIT_SECOND');
  await delay(1_100);
  expect(await call('listing_create', { ...request, confirm })).toMatchObject({ status: 'completed' });
  const { fees } = await service.control<{ fees: unknown[] }>('GET', '/state');
  expect(fees).toHaveLength(2);
});

it('no number of confirmed calls at once exceeds the daily ceiling', async () => {
  front = await openShopFront({ MAX_ACTIVATIONS_PER_DAY: '3' });
  const { assistants, request, service } = front;
  const calls = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const assistant = assistants[WAYS[index % WAYS.length] ?? 'stdio'];
      const body = { ...request, shops: request.shops.slice(0, 1), idempotency_key: `mug-${index}` };
      const confirm = await askFor(assistant, 'listing_create', body);
      return () => assistant.call('listing_create', { ...body, confirm });
    }),
  );
  const answers = await Promise.all(calls.map((call) => call()));
  expect(answers.filter(({ status }) => status === 'completed')).toHaveLength(3);
  const refused = answers.filter(({ code }) => code !== undefined);
  expect(refused).toHaveLength(3);
  for (const { code, message } of refused) {
    expect(code).toBe('VALIDATION_FAILED');
    expect(message).toMatch(/^state: active would exceed the limit of 3 activations in 24 hours/);
  }
  const { fees } = await service.control<{ fees: unknown[] }>('GET', '/state');
  expect(fees).toHaveLength(3);
});

/** A second account with one of the shops. */
async function openStranger(service: TestService, url: string) {
  const { accounts } = service.app.core;
  const { account_id } = await accounts.create('stranger');
  const { key } = await accounts.createKey(account_id, 'stranger');
  await shareLinen(service, (await accounts.getDefault()).account_id, account_id);
  const assistant = openStateless({ url, key });
  return {
    assistant,
    async uploadPhoto() {
      const client = await openWithHandshake({ url, key });
      const file = await readFile(fixturePath('photo-01.jpg'), 'base64');
      const uploaded = (await client.call('file_upload', { file, filename: 'photo-01.jpg' })) as {
        url?: string;
      };
      await client.close();
      expect(uploaded.url).toMatch(/^service-upload:/);
      return { url: uploaded.url ?? '' };
    },
  };
}

/** A photo on the web that can disappear and come back. */
async function servePhoto(): Promise<{ url: string; is_there: boolean }> {
  const bytes = await readFile(fixturePath('photo-01.jpg'));
  const photo = { url: '', is_there: true };
  const server = createServer((_request, response) => {
    if (photo.is_there) response.writeHead(200, { 'content-type': 'image/jpeg' }).end(bytes);
    else response.writeHead(404).end();
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  onTestFinished(() => void server.close());
  photo.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mug.jpg`;
  return photo;
}

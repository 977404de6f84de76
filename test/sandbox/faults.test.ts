import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CLAY, MUG, NORD, openRig } from './harness.js';
import type { Rig } from './harness.js';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterEach(async () => {
  await rig.control('POST', '/reset');
});
afterAll(() => rig.sandbox.close());

const create = () => rig.call('POST', `/shops/${CLAY.shop_id}/listings`, { form: { ...MUG } });
const strike = async (...rules: object[]) => {
  expect((await rig.control('POST', '/faults', { rules })).status).toBe(200);
};
const countDrafts = async (): Promise<number> =>
  (await rig.call('GET', `/shops/${CLAY.shop_id}/listings?state=draft`)).body.count;

/** Retries for at most a few seconds until the answer is yes. */
const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  for (let round = 0; round < 200; round += 1) {
    if (await isSo()) return;
    await delay(20);
  }
  throw new Error('it never came about');
};

describe('the sandbox with faults', () => {
  it('answers with a status before any effect, then lets the next call through', async () => {
    await strike({
      operation: 'createDraftListing',
      action: {
        type: 'status',
        status: 503,
        body: '<h1>down</h1>',
        raw: true,
        headers: { 'retry-after': '2' },
      },
    });
    const refused = await create();
    expect(refused.status).toBe(503);
    expect(refused.body).toBe('<h1>down</h1>');
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(await countDrafts()).toBe(0);
    expect((await create()).status).toBe(201);
  });

  it('drops the connection before or after the effect', async () => {
    await strike({ operation: 'createDraftListing', action: { type: 'reset' } });
    await expect(create()).rejects.toThrow('fetch failed');
    expect(await countDrafts()).toBe(0);
    await strike({ operation: 'createDraftListing', action: { type: 'commit_then_reset' } });
    await expect(create()).rejects.toThrow('fetch failed');
    expect(await countDrafts()).toBe(1);
  });

  it('has the effect and answers with a failure', async () => {
    await strike({ method: 'POST', action: { type: 'commit_then_status', status: 500 } });
    expect((await create()).status).toBe(500);
    expect(await countDrafts()).toBe(1);
  });

  it('runs a call twice, as behind a proxy that passes on the first answer, the second or none', async () => {
    const answers: unknown[] = [];
    for (const answer of ['first', 'second', 'lost']) {
      await strike({ operation: 'createDraftListing', action: { type: 'double', answer } });
      const created = await create().catch(() => undefined);
      const drafts = await rig.call('GET', `/shops/${CLAY.shop_id}/listings?state=draft`);
      const ids = drafts.body.results.map(({ listing_id }: { listing_id: number }) => listing_id).sort();
      answers.push([ids.length, ids.indexOf(created?.body.listing_id)]);
    }
    expect(answers).toEqual([
      [2, 0],
      [4, 3],
      [6, -1],
    ]);
  });

  it('stalls forever', async () => {
    await strike({ operation: 'ping', action: { type: 'stall' } });
    const headers = { 'x-api-key': 'sandbox0keystring0notreal:sandbox0secret' };
    const signal = AbortSignal.timeout(300);
    await expect(
      fetch(`${rig.sandbox.url}/v3/application/openapi-ping`, { headers, signal }),
    ).rejects.toThrow('timeout');
  });

  it('answers late, with the effect at the end', async () => {
    await strike({ operation: 'createDraftListing', action: { type: 'slow', ms: 800 } });
    const pending = create();
    await until(async () => (await rig.control('GET', '/state')).body.calls.createDraftListing === 1);
    expect(await countDrafts()).toBe(0);
    expect((await pending).status).toBe(201);
    expect(await countDrafts()).toBe(1);
  });

  it('answers late, with the effect immediately', async () => {
    await strike({ operation: 'createDraftListing', action: { type: 'commit_then_slow', ms: 800 } });
    let isAnswered = false;
    const pending = create().finally(() => {
      isAnswered = true;
    });
    await until(async () => (await countDrafts()) === 1);
    expect(isAnswered).toBe(false);
    expect((await pending).status).toBe(201);
  });

  it('closes although calls are stalled or slow', async () => {
    const other = await openRig();
    const rules = [
      { operation: 'ping', action: { type: 'stall' } },
      { operation: 'getMe', action: { type: 'slow', ms: 600_000 } },
    ];
    await other.control('POST', '/faults', { rules });
    const pending = Promise.allSettled([other.call('GET', '/openapi-ping'), other.call('GET', '/users/me')]);
    await until(async () => Object.keys((await other.control('GET', '/state')).body.calls).length === 2);
    await other.sandbox.close();
    expect((await pending).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
  });

  it('applies them to later calls, a number of calls, one shop or path, or by chance', async () => {
    await strike(
      { operation: 'ping', after: 2, times: 2, action: { type: 'status', status: 500 } },
      { path: '/sections$', shop_id: NORD.shop_id, times: 9, action: { type: 'status', status: 502 } },
      { operation: 'getMe', times: 99, probability: 0, action: { type: 'status', status: 500 } },
    );
    const statuses: number[] = [];
    for (let round = 0; round < 6; round += 1) statuses.push((await rig.call('GET', '/openapi-ping')).status);
    expect(statuses).toEqual([200, 200, 500, 500, 200, 200]);
    expect((await rig.call('GET', `/shops/${CLAY.shop_id}/sections`)).status).toBe(200);
    expect((await rig.call('GET', `/shops/${NORD.shop_id}/sections`)).status).toBe(502);
    expect((await rig.call('GET', '/users/me')).status).toBe(200);
    expect((await rig.control('DELETE', '/faults')).status).toBe(204);
    expect((await rig.call('GET', `/shops/${NORD.shop_id}/sections`)).status).toBe(200);
  });

  it("can lose the token endpoint's answer, which uses up the old refresh token", async () => {
    const { refresh_token } = rig.sandbox.issueGrant(NORD.user_id, ['listings_r']);
    await strike({ operation: 'requestToken', action: { type: 'commit_then_reset' } });
    const form = { grant_type: 'refresh_token', client_id: 'sandbox0keystring0notreal', refresh_token };
    const url = `${rig.sandbox.url}/v3/public/oauth/token`;
    const refresh = () => fetch(url, { method: 'POST', body: new URLSearchParams(form) });
    await expect(refresh()).rejects.toThrow('fetch failed');
    expect((await refresh()).status).toBe(400);
  });

  it('refuses a rule that could match nothing', async () => {
    for (const rule of [
      { operations: 'ping', action: { type: 'reset' } },
      { action: { type: 'explode' } },
      { action: { type: 'status' } },
      { action: { type: 'double', answer: 'third' } },
      { path: '(', action: { type: 'reset' } },
    ]) {
      expect((await rig.control('POST', '/faults', { rules: [rule] })).status).toBe(400);
    }
  });

  it('counts calls since the reset, which deletes everything created', async () => {
    await create();
    await create();
    const before = await rig.control('GET', `/state?shop_id=${CLAY.shop_id}`);
    expect(before.body.calls).toEqual({ createDraftListing: 2 });
    expect(before.body.listings).toHaveLength(2);
    await rig.control('POST', '/reset');
    const after = await rig.control('GET', '/state');
    expect(after.body).toEqual({ listings: [], fees: [], calls: {} });
    expect((await rig.call('GET', '/users/me')).status).toBe(200);
  });

  it('refuses a setting that does not exist or has another type', async () => {
    expect((await rig.control('POST', '/settings', { latency: 1 })).status).toBe(400);
    expect((await rig.control('POST', '/settings', { latency_ms: '1' })).status).toBe(400);
  });
});

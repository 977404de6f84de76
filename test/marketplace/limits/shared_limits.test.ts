import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPacing, type Pacing } from '../../../src/marketplace/limits/pacing.js';
import { makeDirectory, openWorld } from '../../store/world.js';
import { buildRig, createStillClock, NOW, SHOP, type Rig } from '../rig.js';
import { buildWireListing, DRAFT } from '../samples.js';
import { startScriptedServer, type ScriptedAnswer, type ScriptedServer } from '../scripted_server.js';

/*
 * Clients that share only the data directory: processes running in parallel, and one process after a restart.
 */

let server: ScriptedServer;
let answer: ScriptedAnswer;
let data_dir: string;
const rigs: Rig[] = [];

const LONG_PAUSE: ScriptedAnswer = {
  status: 429,
  json: { error: 'Exceeded per day rate limit' },
  headers: { 'retry-after': '7200' },
};
const AHEAD_MS = 600_000;

const list = (headers: Record<string, string> = {}): ScriptedAnswer => ({
  status: 200,
  json: { ...buildWireListing(), count: 0, results: [] },
  headers,
});

beforeEach(async () => {
  data_dir = makeDirectory();
  server = await startScriptedServer(() => answer);
});
afterEach(async () => {
  await Promise.all(rigs.splice(0).map(({ client }) => client.close()));
  await server.close();
});

async function open(keystring = 'key'): Promise<Rig> {
  const clock = createStillClock();
  const { store } = await openWorld({ data_dir, clock });
  const { app_limits } = store;
  const rig = { ...buildRig(server.url, { app_limits, keystring, call_timeout_ms: 2_000, clock }), clock };
  rigs.push(rig);
  return rig;
}

/** The state that the processes share, read-only. */
async function look() {
  const { store } = await openWorld({ data_dir });
  const { bucket } = await store.app_limits.changeBucket('key', (kept) => ({ bucket: kept }));
  return bucket;
}

/**
 * Waits until others can read what was learned: it is written shortly after the answer, so the call does not
 * wait.
 */
async function untilShared(): Promise<void> {
  await expect
    .poll(async () => {
      const { read_at_ms, held_at_ms } = await look();
      return Math.max(read_at_ms, held_at_ms);
    })
    .toBeGreaterThan(0);
}

const getElapsed = ({ clock }: Rig) => clock.now().getTime() - NOW.getTime();

describe('a long pause requested by the marketplace', () => {
  it('is observed by running and starting processes, but not with another key', async () => {
    const one = await open();
    const other = await open();
    answer = LONG_PAUSE;
    await expect(one.client.getShop(SHOP)).rejects.toMatchObject({ failure: 'rate_limited' });
    await untilShared();
    for (const { client } of [other, await open()]) {
      await expect(client.getShop(SHOP)).rejects.toMatchObject({
        failure: 'rate_limited',
        status: null,
        retry_after_seconds: 7_200,
      });
    }
    expect(server.seen).toHaveLength(1);
    answer = list();
    await (await open('another')).client.listShopSections(SHOP);
    expect(server.seen).toHaveLength(2);
  });

  it('is over for processes that start after a clock that was ahead is set back', async () => {
    const refused = await open();
    refused.clock.set(AHEAD_MS);
    answer = LONG_PAUSE;
    await expect(refused.client.getShop(SHOP)).rejects.toMatchObject({ failure: 'rate_limited' });
    await untilShared();
    answer = list();
    const { client, clock } = await open();
    await client.listShopSections(SHOP);
    expect(clock.slept_ms).toEqual([]);
    // A pause requested in the meantime is still observed, although the first would have ended later.
    answer = LONG_PAUSE;
    await expect(client.getShop(SHOP)).rejects.toMatchObject({ failure: 'rate_limited' });
    await expect.poll(look).toMatchObject({ held_until_ms: NOW.getTime() + 7_200_000 });
    const third = await open();
    await expect(third.client.getShop(SHOP)).rejects.toMatchObject({
      status: null,
      retry_after_seconds: 7_200,
    });
  });

  it('is equally long for all if the clock of the processes that received it is set back', async () => {
    const refused = await open();
    answer = list();
    refused.clock.set(AHEAD_MS);
    await refused.client.listShopSections(SHOP);
    refused.clock.set(0);
    answer = LONG_PAUSE;
    await expect(refused.client.getShop(SHOP)).rejects.toMatchObject({ failure: 'rate_limited' });
    await untilShared();
    const { client } = await open();
    await expect(client.getShop(SHOP)).rejects.toMatchObject({ retry_after_seconds: 7_200, status: null });
  });
});

describe('a day that is almost used up', () => {
  it('is left to people by starting processes', async () => {
    answer = list({ 'x-limit-per-day': '10000', 'x-remaining-today': '60' });
    await (await open()).client.listShopSections(SHOP);
    await untilShared();
    const { client, clock } = await open();
    await expect(client.createDraftListing(SHOP, DRAFT)).rejects.toMatchObject({
      failure: 'rate_limited',
      retry_after_seconds: 60,
    });
    expect(server.seen).toHaveLength(1);
    answer = list({ 'x-limit-per-day': '10000', 'x-remaining-today': '59' });
    await client.listShopSections(SHOP);
    await expect.poll(look).toMatchObject({ remaining_today: 59 });
    clock.advance(60_000);
    answer = list({ 'x-limit-per-day': '10000', 'x-remaining-today': '5000' });
    await client.createDraftListing(SHOP, DRAFT);
  });
});

describe('the limit per second', () => {
  it('is known from the start', async () => {
    answer = list({ 'x-limit-per-second': '2', 'x-limit-per-day': '10000', 'x-remaining-today': '9000' });
    await (await open()).client.listShopSections(SHOP);
    await untilShared();
    const rig = await open();
    await Promise.all(Array.from({ length: 10 }, () => rig.client.listShopSections(SHOP)));
    expect(getElapsed(rig)).toBeGreaterThanOrEqual(4_000);
  });

  it('holds for two processes that make all their calls at once', async () => {
    const clock = createStillClock();
    const sent_ms: number[] = [];
    const openPacing = async () => {
      const { store, log } = await openWorld({ data_dir, clock });
      return createPacing({ store: store.app_limits, app: 'key', clock, log });
    };
    const both = [await openPacing(), await openPacing()];
    const enter = async (pacing: Pacing) => {
      await pacing.enter('work');
      sent_ms.push(clock.monotonic());
    };
    await Promise.all(Array.from({ length: 15 }, () => both.map(enter)).flat());
    const in_second = sent_ms.map(
      (start) => sent_ms.filter((at) => at >= start && at < start + 1_000).length,
    );
    // No answer reported the limit, so it is assumed to be five.
    expect([sent_ms.length, Math.max(...in_second)]).toEqual([30, 5]);
  });
});

const broken = () => Promise.reject(new Error('disk full'));

describe('a store that fails', () => {
  it('stops no call', async () => {
    const rig = buildRig(server.url, {
      app_limits: { changeBucket: broken },
    });
    rigs.push(rig);
    answer = list({ 'x-limit-per-day': '10000', 'x-remaining-today': '60' });
    await rig.client.listShopSections(SHOP);
    expect(rig.log.lines.map(({ level, message }) => [level, message])).toContainEqual([
      'debug',
      "could not share the marketplace's limits",
    ]);
  });
});

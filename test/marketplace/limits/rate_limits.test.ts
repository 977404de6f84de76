import { afterEach, describe, expect, it } from 'vitest';
import { buildRig, createStillClock, NOW, SHOP, type Rig } from '../rig.js';
import { buildWireListing, DRAFT } from '../samples.js';
import { startScriptedServer, type ScriptedAnswer, type ScriptedServer } from '../scripted_server.js';

let server: ScriptedServer;
let rig: Rig;

afterEach(async () => {
  await rig.client.close();
  await server.close();
});

async function open(script: Parameters<typeof startScriptedServer>[0]) {
  server = await startScriptedServer(script);
  rig = buildRig(server.url, { call_timeout_ms: 2_000 });
  return rig.client;
}

const refusal = (headers: Record<string, string> = {}): ScriptedAnswer => ({
  status: 429,
  json: { error: 'Exceeded per second rate limit' },
  headers,
});
const created: ScriptedAnswer = { status: 201, json: buildWireListing() };
const getElapsed = () => rig.clock.now().getTime() - NOW.getTime();

describe('a call with a deadline', () => {
  it('is not sent later, even if the clock was set back in the meantime', async () => {
    server = await startScriptedServer([refusal({ 'retry-after': '20' }), created]);
    const clock = createStillClock();
    rig = buildRig(server.url, { clock: { ...clock, now: () => NOW } });
    const send_before_ms = clock.monotonic() + 15_000;
    await expect(rig.client.createDraftListing(SHOP, DRAFT, { send_before_ms })).rejects.toMatchObject({
      failure: 'rate_limited',
      message: 'the call was held up for too long and was not sent',
    });
    expect(server.seen).toHaveLength(1);
  });
});

describe('a 429', () => {
  it.each<{ name: string; headers: Record<string, string>; wait_ms: number }>([
    { name: 'seconds', headers: { 'retry-after': '7' }, wait_ms: 7_000 },
    { name: 'a fraction', headers: { 'retry-after': '0.25' }, wait_ms: 250 },
    {
      name: 'a date, by the clock of the answer',
      headers: {
        'retry-after': 'Fri, 20 Nov 2026 12:00:09 GMT',
        date: 'Fri, 20 Nov 2026 12:00:00 GMT',
      },
      wait_ms: 9_000,
    },
    { name: 'nothing', headers: {}, wait_ms: 1_000 },
    { name: 'nonsense', headers: { 'retry-after': 'soon' }, wait_ms: 1_000 },
    { name: 'a time long past', headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, wait_ms: 0 },
  ])('is waited out, also for a write: $name', async ({ headers, wait_ms }) => {
    const client = await open([refusal(headers), created]);
    await client.createDraftListing(SHOP, DRAFT);
    expect(server.seen).toHaveLength(2);
    expect(getElapsed()).toBe(wait_ms);
  });

  it('is reported immediately if the caller must re-read before the call is sent again', async () => {
    const client = await open([refusal({ 'retry-after': '7' }), created]);
    await expect(client.createDraftListing(SHOP, DRAFT, { is_sent_once: true })).rejects.toMatchObject({
      failure: 'rate_limited',
      retry_after_seconds: 7,
    });
    expect(server.seen).toHaveLength(1);
  });

  it('is waited out three times, and then reported', async () => {
    const client = await open(() => refusal({ 'retry-after': '2' }));
    await expect(client.createDraftListing(SHOP, DRAFT)).rejects.toMatchObject({
      failure: 'rate_limited',
      status: 429,
      message: 'Exceeded per second rate limit',
      retry_after_seconds: 2,
    });
    expect(server.seen).toHaveLength(4);
  });

  it('is waited out for a minute in total, and then reported', async () => {
    const client = await open(() => refusal({ 'retry-after': '25' }));
    await expect(client.createDraftListing(SHOP, DRAFT)).rejects.toMatchObject({
      failure: 'rate_limited',
      retry_after_seconds: 25,
    });
    expect(server.seen).toHaveLength(3);
  });

  it('for a used-up day is reported immediately, and to all others without asking', async () => {
    const client = await open([refusal({ 'retry-after': '7200' })]);
    await expect(client.createDraftListing(SHOP, DRAFT)).rejects.toMatchObject({
      failure: 'rate_limited',
      status: 429,
      retry_after_seconds: 7_200,
    });
    await expect(client.getShop(SHOP)).rejects.toMatchObject({
      failure: 'rate_limited',
      status: null,
      retry_after_seconds: 7_200,
    });
    expect(server.seen).toHaveLength(1);
  });

  it('pauses every call of the application', async () => {
    const client = await open((request) =>
      server.seen.length === 1
        ? refusal({ 'retry-after': '30' })
        : { status: 200, json: request.method === 'GET' ? { count: 0, results: [] } : buildWireListing() },
    );
    const first = client.createDraftListing(SHOP, DRAFT);
    // The refusal has arrived when the first pause starts.
    await expect.poll(() => rig.clock.slept_ms.length).toBe(1);
    await client.listShopSections(SHOP);
    expect(getElapsed()).toBeGreaterThanOrEqual(30_000);
    await first;
  });
});

describe('the limits that answers report', () => {
  it('apply to all calls together', async () => {
    const per_second = 4;
    const arrivals: number[] = [];
    const client = await open(() => {
      arrivals.push(getElapsed());
      return {
        status: 200,
        json: { count: 0, results: [] },
        headers: { 'x-limit-per-second': String(per_second) },
      };
    });
    await client.listShopSections(SHOP);
    await Promise.all(Array.from({ length: 20 }, () => client.listShopSections(SHOP)));
    expect(arrivals).toHaveLength(21);
    expect(getElapsed()).toBeGreaterThanOrEqual(4_000);
  });
});

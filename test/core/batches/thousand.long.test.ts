import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BatchAnswer } from '../../../schemas/batch.js';
import { SANDBOX_APP } from '../../../src/sandbox/index.js';
import { makeFolder } from '../../prepared_folder.js';
import { IS_WHOLE } from '../../whole.js';
import { CLAY, LINEN, startService, type TestService } from '../../service.js';
import { createFastClock, openBatches } from './rig.js';

const LISTINGS = IS_WHOLE ? 1_000 : 200;
/** The longest answer an assistant accepts. */
const MOST_CHARS = 25_000;
const ENVIRONMENT = { MAX_ACTIVATIONS_PER_DAY: 'unlimited' };
/** Only shortens the pauses of a batch that waits for the marketplace's day. */
const clock = createFastClock(20);

let service: TestService;
let data_dir: string;
beforeAll(async () => {
  data_dir = await makeFolder(ENVIRONMENT);
  service = await startService(ENVIRONMENT, { data_dir, clock });
  for (const { shop_id } of [CLAY, LINEN]) {
    for (let count = 0; count < LISTINGS / 2; count += 100) {
      const { listing_ids } = await service.control<{ listing_ids: number[] }>('POST', '/listings', {
        shop_id,
        count: 100,
        is_plain: true,
      });
      await service.call('listing_import', { shop_id, listing_ids });
    }
  }
}, 600_000);
afterAll(() => service.close());

const readCalls = async () => {
  const { calls } = await service.control<{ calls: Record<string, number> }>('GET', '/state');
  return {
    all: Object.values(calls).reduce((sum, one) => sum + one, 0),
    writes: calls['updateListingInventory'] ?? 0,
  };
};
const expectShort = (answer: unknown) => expect(JSON.stringify(answer).length).toBeLessThan(MOST_CHARS);
/** The median of an interactive call, in ms. */
async function timeCalls(): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < 60; call += 1) {
    const from = performance.now();
    await service.call('listings_list', { limit: 25 });
    times.push(performance.now() - from);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return times.toSorted((a, b) => a - b)[30] ?? 0;
}
async function timed<Answer>(what: string, work: () => Promise<Answer>): Promise<Answer> {
  const from = performance.now();
  const answer = await work();
  process.stdout.write(`${what}: ${Math.round(performance.now() - from)} ms\n`);
  return answer;
}
const EDITS = [{ field: 'price', op: 'increase_percent', value: 10, round_to: 'x.90' }];

it(
  `changes ${LISTINGS} listings within the limits, across a restart and the end of the day`,
  { timeout: 900_000 },
  async () => {
    const filter = { shop_state: 'active' };
    const before = await readCalls();
    const planned = await timed('planned', async () => {
      const select = { filter };
      const { batch_id } = await service.call<BatchAnswer>('batch_create', { select, edits: EDITS });
      const list = () => openBatches(service).list(batch_id, { limit: 20 });
      await expect.poll(async () => (await list()).status, { timeout: 300_000 }).toBe('planned');
      return list();
    });
    expect(planned).toMatchObject({ status: 'planned', counts: { items: LISTINGS, changed: LISTINGS } });
    expect((await readCalls()).all - before.all).toBeLessThanOrEqual(LISTINGS / 100 + LISTINGS + 20);
    expectShort(planned);
    expectShort(await openBatches(service).list(planned.batch_id, { limit: 25 }));

    // The day's calls run out halfway, and so does the process.
    const used = await readCalls();
    await service.control('POST', '/settings', { rate_per_day: used.all + Math.ceil(used.all / 5) });
    const alone_ms = await timeCalls();
    await openBatches(service).start(planned, { wait_ms: 0 });
    const parallel_ms = await timeCalls();
    process.stdout.write(
      `listings_list: ${alone_ms.toFixed(1)} ms alone, ${parallel_ms.toFixed(1)} ms in parallel with the batch\n`,
    );
    const paused = await timed('paused', async () => {
      await expect
        .poll(async () => (await openBatches(service).list(planned.batch_id, { limit: 1 })).reason, {
          timeout: 300_000,
        })
        .toBe('limits');
      return openBatches(service).list(planned.batch_id);
    });
    expect(paused.counts.ok).toBeGreaterThan(10);
    expect(paused.counts.waiting).toBeGreaterThan(10);
    await service.close({ keep: true });
    service = await startService(ENVIRONMENT, { data_dir, clock });
    await service.control('POST', '/settings', { rate_per_day: 10_000_000 });
    await service.app.core.listings.resume();
    await timed('finished', async () => {
      await expect
        .poll(async () => (await openBatches(service).list(planned.batch_id, { limit: 1 })).status, {
          timeout: 600_000,
          interval: 500,
        })
        .toBe('completed');
    });
    const done = await openBatches(service).start(planned);
    expect(done.counts).toMatchObject({ ok: LISTINGS, error: 0, waiting: 0 });
    expectShort(done);
    expect((await readCalls()).writes - before.writes).toBe(LISTINGS);
    const use = await service.control<Record<string, { refused: number }>>('GET', '/applications');
    expect(use[SANDBOX_APP.keystring]?.refused).toBe(0);

    const undone = await timed('taken back', () => openBatches(service).undo(done));
    expect(undone.counts).toMatchObject({ ok: LISTINGS, error: 0 });
    expectShort(undone);
  },
);

it.runIf(IS_WHOLE)('refuses one more listing than allowed, and reports how many match', async () => {
  const { listing_ids } = await service.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id: CLAY.shop_id,
    is_plain: true,
  });
  await service.call('listing_import', { shop_id: CLAY.shop_id, listing_ids });
  const { code, message } = await service.refuse('batch_create', { select: { filter: {} }, edits: EDITS });
  expect([code, message]).toEqual(['BATCH_TOO_LARGE', expect.stringContaining('matches 1001 listings')]);
});

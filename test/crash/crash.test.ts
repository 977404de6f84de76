import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, type TaskMeta, type TestContext } from 'vitest';
import { LISTING_POINTS } from '../../src/core/listings/points.js';
import { createChance } from './chance.js';
import { buildAnyOrder, buildDigitalOrder, buildRichOrder } from './orders.js';
import { createSeller } from './seller.js';
import { createServer } from './server.js';
import { takeTally, type Tally } from './tally.js';
import { openWorld } from './world.js';

/** CRASH=full: every point, and 200 kills at random. Otherwise the points where most is at stake, and a few kills. */
const IS_FULL = process.env['CRASH'] === 'full';
const SEED = Number(process.env['CRASH_SEED'] ?? 20_261_120);
const TIMEOUT_MS = 590_000;

/** The third time in two shops is the first commit of an outcome; before it come the two intents. */
const OUTCOMES = ['create', 'activate'].flatMap((step) => [
  `${step}.before_commit:3`,
  `${step}.after_commit:3`,
]);
const MOST_AT_STAKE = [
  'job.created',
  'create.after_commit',
  'create.before_call',
  'create.after_call',
  'images.after_call:2',
  'activate.after_commit',
  'activate.before_call',
  'activate.after_call',
  'job.before_finish',
];
const POINTS = IS_FULL ? [...LISTING_POINTS, ...OUTCOMES] : MOST_AT_STAKE;
/** Kills in each of several worlds, which use the machine better than one. */
const RANDOM_KILLS = IS_FULL ? [70, 70, 60] : [12];

const SELLERS = 8;
/** Later than this most orders are through, and a kill finds nothing to break. */
const LONGEST_LIFE_MS = 2_500;
/** A point that was not reached by then will not be. */
const PATIENCE_MS = 60_000;

describe.concurrent('a server that is killed', () => {
  it(
    'at every named point makes nothing twice and loses nothing',
    { timeout: TIMEOUT_MS },
    async (context) => {
      const { world, server, seller } = await begin(context);
      // What creation refuses is set by the recover step.
      await world.control('POST', '/settings', {
        refuse: [{ operation: 'createDraftListing', field: 'tags', message: 'The tags are not valid' }],
      });
      const sales: Promise<void>[] = [];
      for (const point of POINTS) {
        const life = server.start({ FAIL_POINT: point });
        const build = point.startsWith('files.') ? buildDigitalOrder : buildRichOrder;
        sales.push(seller.sell(build(world.stock, `at-${point}`)));
        const patience = setTimeout(() => void life.stop(), PATIENCE_MS);
        const end = await life.ended;
        clearTimeout(patience);
        seller.check();
        expect({ point, ...end }).toEqual({ point, signal: 'SIGKILL', code: null, stderr: '' });
      }
      server.start();
      await Promise.all(sales);
      seller.check();
      judge(await takeTally(world, seller, POINTS.length), context.task.meta);
    },
  );

  it.for(RANDOM_KILLS.map((kills, index) => ({ kills, seed: SEED + index })))(
    '$kills times at random (seed $seed) makes nothing twice and loses nothing',
    { timeout: TIMEOUT_MS },
    async ({ kills, seed }, context) => {
      const { world, server, seller } = await begin(context);
      const chance = createChance(seed);
      await world.control('POST', '/settings', { latency_ms: 5 });
      const over = new AbortController();
      const sellers = Array.from({ length: SELLERS }, async (_, number) => {
        for (let count = 0; !over.signal.aborted; count += 1) {
          await seller.sell(buildAnyOrder(world.stock, `mug-${number}-${count}`, chance));
        }
      });
      for (let kill = 0; kill < kills; kill += 1) {
        const life = server.start();
        // Now and then before it is up.
        if (chance.below(6) > 0) await life.url;
        await delay(chance.below(LONGEST_LIFE_MS));
        life.kill();
        seller.check();
        expect(await life.ended).toEqual({ signal: 'SIGKILL', code: null, stderr: '' });
      }
      over.abort();
      server.start();
      await Promise.all(sellers);
      seller.check();
      judge(await takeTally(world, seller, kills), context.task.meta);
    },
  );
});

/** The context's own hook: tests that run side by side would end each other's worlds. */
async function begin({ onTestFinished }: TestContext) {
  const world = await openWorld();
  const server = createServer(world);
  onTestFinished(async () => {
    await server.close();
    await world.close();
  });
  return { world, server, seller: createSeller(world, server) };
}

function judge(tally: Tally, meta: TaskMeta): void {
  // For last_line.ts.
  Object.assign(meta, { tally });
  expect(tally).toEqual({
    ...tally,
    duplicates: 0,
    orphans: 0,
    fees: tally.activations,
    lost: 0,
    wrong: [],
  });
  expect(tally.jobs).toBeGreaterThan(0);
  expect(tally.activations).toBeGreaterThan(0);
}

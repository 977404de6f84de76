import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, type TestContext } from 'vitest';
import { LISTING_POINTS } from '../../src/core/listings/points.js';
import { createChance } from './chance.js';
import { AHEAD_CLOCK, buildClockSteps } from './clocks.js';
import { buildAnyOrder, buildDigitalOrder, buildRichOrder } from './orders.js';
import { createSeller } from './seller.js';
import { createServer } from './server.js';
import { NOTHING_INJECTED, splitState, takeTally, type Injected, type Tally } from './tally.js';
import { createTroubles } from './troubles.js';
import { openWorld, type SandboxState } from './world.js';

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
const RANDOM_KILLS = IS_FULL ? [70, 70, 60] : [5];
/** So many lives later the next has another trouble beside its end: of the few, each has one, so that all five kinds come. */
const TROUBLE_EVERY = IS_FULL ? 5 : 1;
/** Room for all that a world's orders leave, several times over. */
const DISK_MB = 256;

const SELLERS = 8;
/** Later than this most orders are through, and a kill finds nothing to break. */
const LONGEST_LIFE_MS = 2_500;
/** A point that was not reached by then will not be. */
const PATIENCE_MS = 60_000;

describe.concurrent('a server that is killed, and whose clock is set in each of its lives', () => {
  it(
    'at every named point makes nothing twice and loses nothing',
    { timeout: TIMEOUT_MS },
    async (context) => {
      const { world, server, seller } = await begin(context);
      const chance = createChance(SEED);
      // What creation refuses is set by the recover step.
      await world.control('POST', '/settings', {
        refuse: [{ operation: 'createDraftListing', field: 'tags', message: 'The tags are not valid' }],
      });
      const sales: Promise<void>[] = [];
      for (const point of POINTS) {
        const life = server.start({ ...buildClockSteps(chance), FAIL_POINT: point });
        const build = point.startsWith('files.') ? buildDigitalOrder : buildRichOrder;
        sales.push(seller.sell(build(world.stock, `at-${point}`)));
        const patience = setTimeout(() => void life.stop(), PATIENCE_MS);
        const end = await life.ended;
        clearTimeout(patience);
        seller.check();
        expect({ point, ...end }).toEqual({ point, signal: 'SIGKILL', code: null, stderr: '' });
      }
      server.start(AHEAD_CLOCK);
      await Promise.all(sales);
      seller.check();
      const injected: Injected = { ...NOTHING_INJECTED, clocks: POINTS.length };
      const tally = await takeTally(world, seller, POINTS.length);
      // For last_line.ts.
      Object.assign(context.task.meta, { injected, tally });
      expect(tally).toEqual(toSound(tally));
      expect(tally.activations).toBeGreaterThan(0);
    },
  );

  it.for(RANDOM_KILLS.map((kills, index) => ({ kills, seed: SEED + index })))(
    '$kills times at random, on a computer with all troubles (seed $seed), makes nothing twice and loses nothing',
    { timeout: TIMEOUT_MS },
    async ({ kills, seed }, context) => {
      const { world, server, seller } = await begin(context, DISK_MB);
      const chance = createChance(seed);
      const has_long_sleep = IS_FULL && kills === Math.min(...RANDOM_KILLS);
      const troubles = createTroubles(world, server, seller, chance, { has_long_sleep });
      await world.control('POST', '/settings', { latency_ms: 5 });
      const over = new AbortController();
      const sellers = Array.from({ length: SELLERS }, async (_, number) => {
        for (let count = 0; !over.signal.aborted; count += 1) {
          await seller.sell(buildAnyOrder(world.stock, `mug-${number}-${count}`, chance));
        }
      });
      for (let kill = 1; kill <= kills; kill += 1) {
        let life = troubles.start();
        // Now and then before it is up.
        if (chance.below(6) > 0) await life.url;
        if (kill % TROUBLE_EVERY === 0) life = await troubles.befall(life);
        await delay(chance.below(LONGEST_LIFE_MS));
        life.kill();
        seller.check();
        await troubles.bury(life);
      }
      over.abort();
      server.start(AHEAD_CLOCK);
      await Promise.all(sellers);
      await seller.finish();
      seller.check();
      const { unknown } = splitState(await world.control<SandboxState>('GET', '/state'), seller);
      const injected: Injected = {
        ...troubles.injected,
        unknown_jobs: seller.countUnknownJobs(),
        unknown_listings: unknown.length,
        refusals: seller.countFaults(),
      };
      const tally = await takeTally(world, seller, kills + injected.kills);
      // For last_line.ts.
      Object.assign(context.task.meta, { injected, tally });
      expect(tally).toEqual(toSound(tally));
      expect(tally.activations).toBeGreaterThan(0);
    },
  );
});

/** The context's own hook: tests that run side by side would end each other's worlds. */
async function begin({ onTestFinished }: TestContext, disk_mb?: number) {
  const world = await openWorld(disk_mb === undefined ? {} : { disk_mb });
  const server = createServer(world);
  onTestFinished(async () => {
    await server.close();
    await world.close();
  });
  return { world, server, seller: createSeller(world, server) };
}

/** As it has to be, whatever was killed. */
function toSound(tally: Tally): Tally {
  return { ...tally, duplicates: 0, orphans: 0, fees: tally.activations, lost: 0, wrong: [] };
}

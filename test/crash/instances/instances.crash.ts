import { setTimeout as delay } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, it, type TestContext } from 'vitest';
import { startBucketServer, type BucketServer } from '../../blobs/bucket_server.js';
import { chooseCrashPoints, type CrashPoint } from '../../wrapped/crash_point.js';
import { createDatabase } from '../../postgres/databases.js';
import { startServer, type Server as DatabaseServer } from '../../postgres/server.js';
import { createChance } from '../chance.js';
import { buildAnyOrder, buildDigitalOrder, buildRichOrder } from '../orders.js';
import { createSeller } from '../seller.js';
import { takeTally, type Tally } from '../tally.js';
import { openWorld } from '../world.js';
import { startFleet } from './fleet.js';
import {
  createTroubles,
  NOTHING_INJECTED,
  PAST_CLAIM_MS,
  PAST_PRESENCE_MS,
  type Injected,
} from './troubles.js';
import { suspendAt } from './zombies.js';

/** CRASH=full, as with --long: every point, and many rounds of every trouble. */
const IS_FULL = process.env['CRASH'] === 'full';
const SEED = Number(process.env['CRASH_SEED'] ?? 20_261_123);
const INSTANCES = 3;
const TIMEOUT_MS = IS_FULL ? 3_600_000 : 900_000;

const MOST_AT_STAKE = [
  'after store.listings.createListing',
  'after store.listings.claimJob',
  'before marketplace.createDraftListing',
  'after marketplace.createDraftListing',
  // The third commit of a job is the first that saves an outcome; the intents of two shops precede it.
  'after store.listings.savePublication:3',
  'after marketplace.uploadImage:2',
  'after marketplace.activateListing',
  'marketplace.activateListing > before store.listings.savePublication',
  'before store.listings.finishJob',
];
/** Two of the three instances are suspended at once, at these points. */
const STOPS = [
  {
    points: ['before marketplace.createDraftListing', 'before marketplace.uploadImage:2'],
    duration_ms: PAST_CLAIM_MS,
  },
  {
    points: ['before marketplace.activateListing', 'before marketplace.createDraftListing:2'],
    duration_ms: PAST_PRESENCE_MS,
  },
  {
    points: [
      'after marketplace.uploadImage',
      'marketplace.listVariationImages > before store.listings.savePublication:2',
    ],
    duration_ms: PAST_CLAIM_MS,
  },
];
const ROUNDS = IS_FULL ? 8 : 1;
const SELLERS = 20;
/** The longest time between two kills. */
const KILL_EVERY_MS = 7_000;
/** A point not reached after this time will not be reached. */
const PATIENCE_MS = 90_000;
/** A caller repeats a request that got no answer for this long. */
const CALLER_MS = 20_000;

/** If undefined, last_line.ts reports that nothing ran. */
const PROGRAMS = inject('postgres_programs');

describe.skipIf(PROGRAMS === undefined)('three instances on one database and one bucket', () => {
  let database: DatabaseServer;
  let bucket: BucketServer;
  let worlds = 0;
  beforeAll(async () => {
    database = await startServer(PROGRAMS ?? '');
    bucket = await startBucketServer();
  }, 60_000);
  afterAll(async () => {
    await bucket.close();
    await database.remove();
  });

  async function begin({ onTestFinished }: TestContext) {
    worlds += 1;
    const name = `crash_${worlds}`;
    await createDatabase(database.url, name, 'template0');
    const url = new URL(database.url);
    url.pathname = `/${name}`;
    const settings = {
      DATABASE_URL: url.href,
      MASTER_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'warn',
      ...bucket.toSettings(name),
    };
    const world = await openWorld({ settings });
    const fleet = await startFleet(world, database.port, INSTANCES);
    onTestFinished(async () => {
      bucket.heal();
      await fleet.close();
      await world.close();
    });
    const seller = createSeller(world, fleet.server, { patience_ms: CALLER_MS });
    return { world, fleet, seller };
  }

  it(
    'create nothing twice and lose nothing when one is killed before or after any kind of call and commit',
    { timeout: TIMEOUT_MS },
    async (context) => {
      const { world, fleet, seller } = await begin(context);
      // The recover step sets the fields that creation refuses.
      await world.control('POST', '/settings', {
        refuse: [{ operation: 'createDraftListing', field: 'tags', message: 'The tags are not valid' }],
      });
      const sales: Promise<void>[] = [];
      const sellToEach = (build: typeof buildRichOrder, title: string): Promise<void>[] =>
        // One per instance, because each call goes to another.
        fleet.instances.map((_, number) => seller.sell(build(world.stock, `${title}${number}`)));
      const points = IS_FULL
        ? await listPoints()
        : MOST_AT_STAKE.map((point) => ({ point, build: buildRichOrder }));
      for (const [index, { point, build }] of points.entries()) {
        const instance = fleet.instances[index % INSTANCES] ?? never();
        const title = `at-${index}-mug-`;
        const life = await instance.kill({
          CRASH_AT: `before store.listings.createListing(${title}) > ${point}`,
        });
        await life.url;
        sales.push(...sellToEach(build, title));
        const reached = await Promise.race([life.ended, delay(PATIENCE_MS, undefined, { ref: false })]);
        seller.check();
        expect({ point, signal: reached?.signal }).toEqual({ point, signal: 'SIGKILL' });
      }
      await Promise.all(sales);
      seller.check();
      const found = await judge(context, { world, fleet, seller }, NOTHING_INJECTED, 2 * points.length);
      expect(found).toEqual(toSound(found));

      async function listPoints(): Promise<{ point: CrashPoint; build: typeof buildRichOrder }[]> {
        const rich = await recordTwice(buildRichOrder);
        const digital = await recordTwice(buildDigitalOrder);
        const of_files = digital.map((calls) => calls.filter((call) => !rich[0].includes(call)));
        return [
          ...chooseCrashPoints(...rich).map((point) => ({ point, build: buildRichOrder })),
          ...chooseCrashPoints(...of_files).map((point) => ({ point, build: buildDigitalOrder })),
        ];
      }

      /** Two runs, because a slow one may make an extra call, such as a search for a listing whose creation timed out. */
      async function recordTwice(build: typeof buildRichOrder): Promise<[string[], string[]]> {
        return [await record(build, `first-${build.name}-`), await record(build, `second-${build.name}-`)];
      }

      /** The port calls one of them makes for its order. */
      async function record(build: typeof buildRichOrder, title: string): Promise<string[]> {
        const [instance = never()] = fleet.instances;
        await rm(world.calls_file, { force: true });
        await (
          await instance.kill({ RECORD_CALLS: world.calls_file })
        ).url;
        await Promise.all(sellToEach(build, title));
        return world.readCalls();
      }
    },
  );

  it(
    'refuse writes of a process that was suspended past its claim',
    { timeout: TIMEOUT_MS },
    async (context) => {
      const { world, fleet, seller } = await begin(context);
      const sales: Promise<void>[] = [];
      for (const { points, duration_ms } of STOPS) {
        const stops = points.map(async (point, index) => {
          const instance = fleet.instances[index] ?? never();
          return suspendAt(instance, point, { duration_ms, patience_ms: PATIENCE_MS });
        });
        const suspended = await Promise.all(stops);
        for (let number = 1; number <= 2 * INSTANCES; number += 1) {
          sales.push(seller.sell(buildRichOrder(world.stock, `stopped-${sales.length}`)));
        }
        await Promise.all(suspended.map(({ done }) => done));
        seller.check();
      }
      await Promise.all(sales);
      seller.check();
      const sleeps = STOPS.flatMap(({ points }) => points).length;
      const found = await judge(context, { world, fleet, seller }, { ...NOTHING_INJECTED, sleeps }, sleeps);
      expect(found).toEqual(toSound(found));
      expect(listMissing(found, 'refused_writers')).toEqual([]);
    },
  );

  it('create nothing twice and lose nothing under all troubles', { timeout: TIMEOUT_MS }, async (context) => {
    const { world, fleet, seller } = await begin(context);
    const chance = createChance(SEED);
    const troubles = createTroubles(fleet, database, bucket, chance);
    await world.control('POST', '/settings', { latency_ms: 5 });
    const over = new AbortController();
    const sellers = Array.from({ length: SELLERS }, async (_, number) => {
      for (let count = 0; !over.signal.aborted; count += 1) {
        await seller.sell(buildAnyOrder(world.stock, `mug-${number}-${count}`, chance));
      }
    });
    let kills = 0;
    const killing = (async () => {
      while (!over.signal.aborted) {
        await delay(500 + chance.below(KILL_EVERY_MS));
        const instance = fleet.instances[chance.below(INSTANCES)] ?? never();
        if (troubles.isHeld(instance)) continue;
        kills += 1;
        await instance.kill();
        seller.check();
      }
    })();
    for (let round = 1; round <= ROUNDS; round += 1) {
      await Promise.race([troubles.befallAll(), killing]);
    }
    over.abort();
    await killing;
    await Promise.all(sellers);
    seller.check();
    const found = await judge(
      context,
      { world, fleet, seller },
      { ...NOTHING_INJECTED, ...troubles.injected },
      kills,
    );
    expect(found).toEqual(toSound(found));
    expect(listMissing(found, 'restarts', 'resets', 'lost_commits', 'bucket_faults')).toEqual([]);
  });
});

type Found = { tally: Tally; faults: string[]; injected: Injected };

/** Stops the instances, and returns the results. */
async function judge(
  { task }: TestContext,
  { world, fleet, seller }: Parts,
  troubles: Injected,
  kills: number,
): Promise<Found> {
  const tally = await takeTally(world, seller, kills);
  const { faults, ...refused } = await fleet.close();
  const injected: Injected = { ...troubles, ...refused, refusals: seller.countFaults() };
  // For last_line.ts.
  Object.assign(task.meta, { instances: injected, tally });
  return { tally, faults, injected };
}

/** The result expected after any troubles. */
function toSound({ tally, injected }: Found): Found {
  const activations = Math.max(1, tally.activations);
  const sound = { duplicates: 0, orphans: 0, activations, fees: activations, lost: 0, wrong: [] };
  return { tally: { ...tally, ...sound }, faults: [], injected };
}

/** The kinds of trouble that did not happen: a run without them proves nothing. */
function listMissing({ injected }: Found, ...kinds: (keyof Injected)[]): string[] {
  return kinds.filter((kind) => injected[kind] === 0);
}

type Parts = {
  world: Awaited<ReturnType<typeof openWorld>>;
  fleet: Awaited<ReturnType<typeof startFleet>>;
  seller: ReturnType<typeof createSeller>;
};

function never(): never {
  throw new Error('there is one');
}

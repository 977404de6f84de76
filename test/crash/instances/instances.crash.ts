import { setTimeout as delay } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it, type TestContext } from 'vitest';
import { LISTING_POINTS } from '../../../src/core/listings/points.js';
import { startBucketServer, type BucketServer } from '../../blobs/bucket_server.js';
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
  'job.created',
  'job.claimed',
  'create.before_call',
  'create.after_call',
  'create.after_commit:3',
  'images.after_call:2',
  'activate.after_call',
  'activate.before_commit:3',
  'job.before_finish',
];
const POINTS = IS_FULL ? LISTING_POINTS.filter((point) => !point.startsWith('change.')) : MOST_AT_STAKE;
/** Two of the three stand still at once, at these. */
const STOPS = [
  { points: ['create.before_call', 'images.before_call:2'], duration_ms: PAST_CLAIM_MS },
  { points: ['activate.before_call', 'create.before_call:2'], duration_ms: PAST_PRESENCE_MS },
  { points: ['images.after_call', 'activate.before_commit:2'], duration_ms: PAST_CLAIM_MS },
];
const ROUNDS = IS_FULL ? 8 : 1;
const SELLERS = 20;
/** Between two kills, at most. */
const KILL_EVERY_MS = 7_000;
/** A point that was not reached by then will not be. */
const PATIENCE_MS = 90_000;
/** A caller sends a request again that was not answered so long. */
const CALLER_MS = 20_000;

/** Undefined: last_line.ts says that nothing ran. */
const PROGRAMS = inject('postgres_programs');

describe.skipIf(PROGRAMS === undefined)('three instances over one database and one bucket', () => {
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
    'make nothing twice and lose nothing when one ends at any named point',
    { timeout: TIMEOUT_MS },
    async (context) => {
      const { world, fleet, seller } = await begin(context);
      // What creation refuses is set by the recover step.
      await world.control('POST', '/settings', {
        refuse: [{ operation: 'createDraftListing', field: 'tags', message: 'The tags are not valid' }],
      });
      const sales: Promise<void>[] = [];
      for (const [index, point] of POINTS.entries()) {
        const instance = fleet.instances[index % INSTANCES] ?? never();
        const life = await instance.kill({ FAIL_POINT: point });
        await life.url;
        const build = point.startsWith('files.') ? buildDigitalOrder : buildRichOrder;
        // One for each instance, since each call goes to another.
        for (let number = 1; number <= INSTANCES; number += 1) {
          sales.push(seller.sell(build(world.stock, `at-${point}-${number}`)));
        }
        const reached = await Promise.race([life.ended, delay(PATIENCE_MS, undefined, { ref: false })]);
        seller.check();
        expect({ point, signal: reached?.signal }).toEqual({ point, signal: 'SIGKILL' });
      }
      await Promise.all(sales);
      seller.check();
      const found = await judge(context, { world, fleet, seller }, NOTHING_INJECTED, 2 * POINTS.length);
      expect(found).toEqual(toSound(found));
    },
  );

  it(
    'refuse what a process writes that stood still past its claim',
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

  it('make nothing twice and lose nothing under all troubles', { timeout: TIMEOUT_MS }, async (context) => {
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

/** What came of all; the instances have ended then. */
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

/** What has to come out after anything. */
function toSound({ tally, injected }: Found): Found {
  const activations = Math.max(1, tally.activations);
  const sound = { duplicates: 0, orphans: 0, activations, fees: activations, lost: 0, wrong: [] };
  return { tally: { ...tally, ...sound }, faults: [], injected };
}

/** Those of the kinds that did not happen: a run that was spared them has shown nothing. */
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

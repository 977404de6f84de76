import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, type TestContext } from 'vitest';
import { chooseCrashPoints, type CrashPoint } from '../wrapped/crash_point.js';
import { createChance } from './chance.js';
import { AHEAD_CLOCK, buildClockSteps } from './clocks.js';
import { buildAnyOrder, buildDigitalOrder, buildRichOrder } from './orders.js';
import { createSeller } from './seller.js';
import { createServer, type Life } from './server.js';
import { EMPTY_TALLY, NOTHING_INJECTED, splitState, takeTally, type Injected, type Tally } from './tally.js';
import { createTroubles } from './troubles.js';
import { openWorld, type SandboxListing, type SandboxState, type Stock } from './world.js';

/**
 * CRASH=full, as in npm run test:crash: every point, and 200 random kills. Otherwise only the points where
 * most is at stake.
 */
const IS_FULL = process.env['CRASH'] === 'full';
const SEED = Number(process.env['CRASH_SEED'] ?? 20_261_120);
const TIMEOUT_MS = 590_000;

const MOST_AT_STAKE = [
  'after store.listings.createListing',
  'after marketplace.createDraftListing',
  'after marketplace.uploadImage:2',
  'after marketplace.activateListing',
];
/** The points are split among this many worlds, because one world would take too long. */
const PARTS = IS_FULL ? [1, 2] : [1];
/**
 * Kills in each of several worlds, which use the machine better than one; CRASH_KILLS overrides the number for
 * each.
 */
const FULL_KILLS = process.env['CRASH_KILLS']
  ? Array<number>(3).fill(Number(process.env['CRASH_KILLS']))
  : [70, 70, 60];
const RANDOM_KILLS = IS_FULL ? FULL_KILLS : [];
/**
 * Every this many lives, the next one gets another trouble besides being killed, so that even a few lives
 * cover each kind.
 */
const TROUBLE_EVERY = IS_FULL ? 5 : 1;
/** Several times the space all orders of a world need. */
const DISK_MB = 256;

const SELLERS = IS_FULL ? 8 : 3;
/** After this time most orders are done, and a kill has nothing to interrupt. */
const LONGEST_LIFE_MS = IS_FULL ? 2_500 : 1_000;
/** A point not reached after this time will not be reached. */
const PATIENCE_MS = 60_000;

describe.concurrent('a server that is killed, and whose clock is set during each of its lives', () => {
  it.for(PARTS)(
    'creates nothing twice and loses nothing when killed before and after each kind of call and commit (part %i)',
    { timeout: TIMEOUT_MS },
    async (part, context) => {
      const { world, server, seller } = await begin(context);
      const chance = createChance(SEED + part);
      // The recover step sets the fields that creation refuses.
      await world.control('POST', '/settings', {
        refuse: [{ operation: 'createDraftListing', field: 'tags', message: 'The tags are not valid' }],
      });
      const sales: Promise<void>[] = [];
      const lives = await listLives(part);
      for (const [number, { point, build, is_armed_at_once }] of lives.entries()) {
        const title = `part-${part}-mug-${number}-`;
        const mark = is_armed_at_once ? '' : `before store.listings.createListing(${title}) > `;
        const life = server.start({ ...buildClockSteps(chance), CRASH_AT: `${mark}${point}` });
        // The work of the previous life is finished first, so that only calls of one job count.
        if (!is_armed_at_once) await Promise.race([sales.at(-1), life.ended]);
        sales.push(seller.sell(build(world.stock, title)));
        const patience = setTimeout(() => void life.stop(), PATIENCE_MS);
        const end = await life.ended;
        clearTimeout(patience);
        seller.check();
        expect({ point, ...end }).toEqual({ point, signal: 'SIGKILL', code: null, stderr: '' });
      }
      server.start(AHEAD_CLOCK);
      await Promise.all(sales);
      seller.check();
      const injected: Injected = { ...NOTHING_INJECTED, clocks: lives.length };
      const tally = await takeTally(world, seller, lives.length);
      // For last_line.ts.
      Object.assign(context.task.meta, { injected, tally });
      expect(tally).toEqual(toSound(tally));
      expect(tally.activations).toBeGreaterThan(0);

      async function listLives(of: number): Promise<CreationLife[]> {
        const at_once = MOST_AT_STAKE.map((point) => ({
          point,
          build: buildRichOrder,
          is_armed_at_once: true,
        }));
        if (!IS_FULL) return at_once;
        const rich = await recordCalls({ world, server }, (name) =>
          seller.sell(buildRichOrder(world.stock, name)),
        );
        const digital = await recordCalls({ world, server }, (name) =>
          seller.sell(buildDigitalOrder(world.stock, name)),
        );
        const of_files = digital.map((calls) => calls.filter((call) => !rich[0].includes(call)));
        return [
          ...toLives(chooseCrashPoints(...rich), buildRichOrder),
          ...toLives(chooseCrashPoints(...of_files), buildDigitalOrder),
          ...at_once,
        ].filter((_, index) => index % PARTS.length === of - 1);
      }
    },
  );

  it('counts a sale that one job began and another finished', { timeout: TIMEOUT_MS }, async (context) => {
    const { world, server, seller } = await begin(context);
    const action = { type: 'status', status: 400, body: { error: 'No.' } };
    const shop_id = world.stock.targets[1]?.shop_id;
    await world.control('POST', '/faults', {
      rules: [{ operation: 'createDraftListing', shop_id, action }],
    });
    server.start();
    await seller.sell(buildRichOrder(world.stock, 'half-mug'));
    seller.check();
    const tally = await takeTally(world, seller, 0);
    expect(tally).toEqual({ ...EMPTY_TALLY, jobs: 2, fees: 2, activations: 2 });
  });

  it.for(PARTS)(
    'finishes an update once when killed before and after each kind of call and commit of it (part %i)',
    { timeout: TIMEOUT_MS },
    async (part, context) => {
      const { world, server, seller } = await begin(context);
      const order = buildRichOrder(world.stock, 'changed-mug');
      const plain = server.start();
      await seller.sell(order);
      await plain.stop();
      const sale = seller.sales[0] ?? never();
      const { listings } = await world.control<SandboxState>('GET', '/state');
      const de = { title: 'Becher', description: 'Ein Becher.' };
      for (const { listing_id } of listings) {
        await world.control('POST', `/listings/${listing_id}/edit`, { translations: { de } });
      }
      let turns = 0;
      const points = await listPoints();
      let changes: Promise<void>[] = [];
      let wanted: object | undefined;
      for (const point of points) {
        const face = turn();
        const life = server.start({
          CRASH_AT: `before store.listings.createJob(${face.wanted.title}) > ${point}`,
        });
        await finishLast(life);
        changes = [...changes, seller.change(sale, face.changes)];
        wanted = face.wanted;
        const patience = setTimeout(() => void life.stop(), PATIENCE_MS);
        const end = await life.ended;
        clearTimeout(patience);
        expect({ point, ...end }).toEqual({ point, signal: 'SIGKILL', code: null, stderr: '' });
      }
      await finishLast(server.start());
      seller.check();

      function turn() {
        turns += 1;
        return toFace(world.stock, turns % 2 === 0 ? 2 : 1, `Mug ${turns} as changed`);
      }

      /** This life resumes the update of the previous one. */
      async function finishLast(life: Life): Promise<void> {
        await Promise.race([Promise.all(changes), life.ended]);
        if (!wanted) return;
        const { listings: shown, fees } = await world.control<SandboxState>('GET', '/state');
        expect(shown.map(describeChanged)).toEqual(shown.map(() => wanted));
        expect(shown.length).toBe(fees.length);
      }

      async function listPoints(): Promise<CrashPoint[]> {
        if (!IS_FULL) return ['after marketplace.updateImage'];
        // From here on the listing alternates between two versions.
        const first = server.start();
        await seller.change(sale, turn().changes);
        await first.stop();
        const calls = await recordCalls({ world, server }, () => seller.change(sale, turn().changes));
        return chooseCrashPoints(...calls).filter((_, index) => index % PARTS.length === part - 1);
      }
    },
  );

  it.for(RANDOM_KILLS.map((kills, index) => ({ kills, seed: SEED + index })))(
    'creates nothing twice and loses nothing when killed $kills times at random, on a computer with all troubles (seed $seed)',
    { timeout: TIMEOUT_MS },
    async ({ kills, seed }, context) => {
      const { world, server, seller } = await begin(context, DISK_MB);
      const chance = createChance(seed);
      const hasLongSleep = IS_FULL && seed === SEED + RANDOM_KILLS.length - 1;
      const troubles = createTroubles(world, server, seller, chance, { has_long_sleep: hasLongSleep });
      await world.control('POST', '/settings', { latency_ms: 5 });
      const over = new AbortController();
      const sellers = Array.from({ length: SELLERS }, async (_, number) => {
        for (let count = 0; !over.signal.aborted; count += 1) {
          await seller.sell(buildAnyOrder(world.stock, `mug-${number}-${count}`, chance));
        }
      });
      for (let kill = 1; kill <= kills; kill += 1) {
        let life = troubles.start();
        // Sometimes before it is up.
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

/** The context's own hook: concurrent tests would otherwise close each other's worlds. */
async function begin({ onTestFinished }: TestContext, disk_mb?: number) {
  const world = await openWorld(disk_mb === undefined ? {} : { disk_mb });
  const server = createServer(world);
  onTestFinished(async () => {
    await server.close();
    await world.close();
  });
  return { world, server, seller: createSeller(world, server) };
}

function toLives(points: readonly CrashPoint[], build: typeof buildRichOrder): CreationLife[] {
  return points.map((point) => ({ point, build, is_armed_at_once: false }));
}

type CreationLife = { point: CrashPoint; build: typeof buildRichOrder; is_armed_at_once: boolean };

/** The port calls of two undisturbed runs, because one run may make a call more than another. */
async function recordCalls(
  { world, server }: Pick<Awaited<ReturnType<typeof begin>>, 'world' | 'server'>,
  work: (name: string) => Promise<void>,
): Promise<[string[], string[]]> {
  const record = async (name: string): Promise<string[]> => {
    await rm(world.calls_file, { force: true });
    const life = server.start({ RECORD_CALLS: world.calls_file });
    await work(name);
    expect(await life.stop()).toBe(0);
    return world.readCalls();
  };
  recorded += 2;
  return [await record(`recorded-mug-${recorded}`), await record(`recorded-mug-${recorded + 1}`)];
}
let recorded = 0;

/** The expected tally after any kills. */
function toSound(tally: Tally): Tally {
  return { ...tally, duplicates: 0, orphans: 0, fees: tally.activations, lost: 0, wrong: [] };
}

/** Two versions of the mug, so that each update changes something. */
function toFace({ photos }: Stock, number: 1 | 2, title: string) {
  const shown = number === 1 ? photos.slice(0, 3) : photos.slice(1, 5).reverse();
  const instructions = `Name ${number}`;
  return {
    changes: {
      listing: { title },
      images: shown.map(({ url }) => ({ url, alt_text: `Face ${number}` })),
      offerings: [{ size: 'Small', glaze: 'White', price: 20 + number }],
      personalization: { instructions },
      variations: { variation_images: { property: 'Glaze', mapping: { White: 0, Blue: number } } },
    },
    wanted: {
      title,
      photos: shown.map(({ sha256 }) => sha256),
      prices: [2000 + 100 * number, 2000, 2000, 2000],
      values: 2,
      languages: ['de'],
    },
  };
}

function describeChanged({ fields, images, inventory, variation_images, translations }: SandboxListing) {
  return {
    title: fields.title,
    photos: [...images].sort((a, b) => a.rank - b.rank).map(({ sha256 }) => sha256),
    prices: inventory.products.map(({ offering }) => offering.price_amount),
    values: variation_images.length,
    languages: translations.map(({ language }) => language),
  };
}

function never(): never {
  throw new Error('there is one');
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListingJobResult, ShopResult } from '../../../../schemas/job.js';
import type { UpdateResult } from '../../../../schemas/listing_changes.js';
import type { CallTimeouts } from '../../../../src/compose/marketplace.js';
import {
  buildMug,
  fixturePath,
  listTargets,
  startService,
  upload,
  type TestService,
} from '../../../service.js';
import { history, type History, type ModelJob } from './model.js';
import {
  beginLiving,
  changeByHand,
  judgeLiving,
  note,
  noteUnknown,
  send,
  type Living,
  type LivingWorld,
  type ModelChange,
  type ModelChanges,
} from './model_changes.js';
import { buildClock, openComputer, type Computer } from './model_computer.js';
import type { ClockStep } from './model_troubles.js';
import { finish as finishJob } from '../update/rig.js';
import { IS_WHOLE } from '../../../whole.js';

/** MODEL_RUNS=200 for a long look; a failure names the seed and path that MODEL_SEED and MODEL_PATH take up again. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? (IS_WHOLE ? 12 : 4));
const SEED = Number(process.env['MODEL_SEED'] ?? 20_261_120);
const PATH = process.env['MODEL_PATH'];
/** Histories are mostly waiting, so several are lived at once. */
const LANES = 4;

/** While things go wrong; before and after, the client has all the time it usually has. */
const IMPATIENT = { call_timeout_ms: 500, upload_timeout_ms: 500 };
/** Longer than a slow call and the draft list lag behind, together. */
const SETTLE_MS = 1_200;
const SETTINGS = {
  // The disk is a small one, which is filled on purpose.
  MIN_FREE_DISK_MB: '0',
  RECONCILE_SETTLE_MS: String(SETTLE_MS),
};
const FINISHING_TRIES = 3;

type World = {
  listings: (LivingWorld['listings'][number] & {
    shop_id: number;
    images: { listing_image_id: number; rank: number; sha256: string }[];
  })[];
  fees: { listing_id: number }[];
};
const PHOTOS = ['photo-01.jpg', 'photo-02.jpg', 'photo-03.jpg'];

type Scene = {
  computer: Computer;
  service: TestService;
  targets: Awaited<ReturnType<typeof listTargets>>;
  photos: string[];
};
const HASHES = PHOTOS.map((name) =>
  createHash('sha256')
    .update(readFileSync(fixturePath(name)))
    .digest('hex'),
);

type Answer = { job: ModelJob; result: ListingJobResult };

describe('any number of jobs on a marketplace that loses, delays and refuses, and a computer with all troubles', () => {
  it.concurrent.for(Array.from({ length: LANES }, (_, lane) => SEED + lane))(
    'end with what was asked for, once (seed %i)',
    { timeout: 60_000 + RUNS * 20_000 },
    async (seed) => {
      const options = {
        seed,
        ...(PATH === undefined ? {} : { path: PATH }),
        numRuns: Math.ceil(RUNS / LANES),
        endOnFailure: true,
        includeErrorInReport: true,
      };
      const check = fc.check(fc.asyncProperty(history, live), options);
      expect(fc.defaultReportMessage(await check)).toBeUndefined();
    },
  );
});

async function live(lived: History): Promise<void> {
  const computer = await openComputer();
  try {
    await liveOn(computer, lived);
  } finally {
    await computer.close();
  }
}

async function liveOn(
  computer: Computer,
  { jobs: drawn, faults, restart_after_ms, troubles, changes, ...lags }: History,
): Promise<void> {
  const [first_clock, second_clock, last_clock] = troubles.clocks;
  // Of two that read alike, a restored copy cannot tell which is which: people have to.
  const jobs = drawn.map((job, index) =>
    troubles.backup ? { ...job, title: `${job.title} ${index}` } : job,
  );
  const scene = await begin(computer);
  try {
    await restart(scene, first_clock, IMPATIENT);
    await scene.service.control('POST', '/settings', lags);
    await scene.service.control('POST', '/faults', { rules: faults });
    const first = jobs.map((job, index) => create(scene, job, index).catch(() => undefined));
    const troubled = scene.computer.begin(troubles);
    if (restart_after_ms !== null) await delay(restart_after_ms);
    await troubled;
    let known: ReadonlySet<string> | undefined;
    if (restart_after_ms !== null || troubles.backup) known = await restart(scene, second_clock, IMPATIENT);
    await Promise.all(first);
    const isKnown = (title: string) => known === undefined || known.has(title);
    const lookAtKnown = async () => selectKnown(await look(scene), isKnown);
    const answers = await Promise.all(
      jobs.flatMap((job, index) =>
        isKnown(job.title) ? [create(scene, job, index).then((result) => ({ job, result }))] : [],
      ),
    );
    judge(await lookAtKnown(), answers, { is_finished: false });

    await scene.service.control('DELETE', '/faults');
    await restart(scene, last_clock);
    const finished = await Promise.all(answers.map((answer) => finish(scene, answer)));
    judge(await lookAtKnown(), finished, { is_finished: true });
    await change(scene, finished, changes, troubles.clocks);
  } finally {
    await scene.service.close({ keep: true });
  }
}

async function begin(computer: Computer): Promise<Scene> {
  const service = await startService(SETTINGS, { data_dir: computer.getDataDir() });
  const targets = await listTargets(service);
  const photos = await Promise.all(PHOTOS.map((name) => upload(service, name)));
  // Read once, so that preflight asks the marketplace for nothing: faults are for what comes after it.
  await service.call('listing_schema', { category_id: 1062 });
  return { computer, service, targets, photos };
}

/** The titles that a copy knows, where one was put in place. */
async function restart(
  scene: Scene,
  clock: readonly ClockStep[],
  timeouts: CallTimeouts = {},
  meddle?: () => Promise<void>,
): Promise<ReadonlySet<string> | undefined> {
  await scene.service.close({ keep: true });
  const known = await scene.computer.restore();
  const data_dir = scene.computer.getDataDir();
  scene.service = await startService(SETTINGS, { data_dir, timeouts, clock: buildClock(clock) });
  await meddle?.();
  // As every server does at its start: claims of a life that could not give them back are over.
  await scene.service.app.core.listings.resume();
  return known;
}

/** What was made after a copy that was put in place is left to people, as operators.md says. */
function selectKnown({ listings, fees }: World, isKnown: (title: string) => boolean): World {
  const known = listings.filter(({ fields }) => isKnown(fields.title));
  const ids = new Set(known.map(({ listing_id }) => listing_id));
  return { listings: known, fees: fees.filter(({ listing_id }) => ids.has(listing_id)) };
}

function create(
  { service, targets, photos }: Scene,
  job: ModelJob,
  index: number,
): Promise<ListingJobResult> {
  const [first, second] = targets;
  const shops = { both: targets, first: [first], second: [second] }[job.shops];
  const body = buildMug(shops as object[], {
    state: job.state,
    idempotency_key: `job-${index}`,
    ...(job.photos > 0 ? { images: photos.slice(0, job.photos).map((url) => ({ url })) } : {}),
    ...(job.has_variations
      ? { variations: { properties: [{ property_id: 513, name: 'Size', values: ['Small', 'Large'] }] } }
      : {}),
  });
  body.listing.title = job.title;
  return service.call<ListingJobResult>('listing_create', body);
}

/** As a seller would, once the marketplace is well again. */
async function finish({ service }: Scene, { job, result }: Answer): Promise<Answer> {
  const { listing_pk } = result;
  let last = result;
  for (let attempt = 0; attempt < FINISHING_TRIES; attempt += 1) {
    if (last.status === 'completed' && !last.results?.some(isError)) break;
    const answer = await service.call<ListingJobResult>('listing_publish', { listing_pk, state: job.state });
    // Only the shops that were left are reported; what was reported of the others stays true.
    const touched = new Set(answer.results?.map(({ shop_id }) => shop_id));
    const others = last.results?.filter(({ shop_id }) => !touched.has(shop_id)) ?? [];
    last = { ...answer, results: [...others, ...(answer.results ?? [])] };
  }
  return { job, result: last };
}

/** Changes what was made, while things go wrong anew, and holds it after each round against what was told. */
async function change(
  scene: Scene,
  finished: readonly Answer[],
  { rounds, faults, stop }: ModelChanges,
  [first_clock, second_clock, last_clock]: History['troubles']['clocks'],
): Promise<void> {
  const before = await look(scene);
  const livings = finished.map(({ job, result }, index) =>
    beginLiving(
      before,
      {
        index,
        listing_pk: result.listing_pk ?? 0,
        has_variations: job.has_variations,
        is_on_sale: job.state === 'active',
      },
      (result.results ?? []).map((shop) => ({
        shop_id: Number(shop.shop_id),
        listing_id: findListingId(shop) ?? 0,
      })),
    ),
  );
  await restart(scene, first_clock, IMPATIENT);
  await scene.service.control('POST', '/faults', { rules: faults });
  for (const [round, drawn] of rounds.entries()) {
    const stopped = stop?.round === round ? stop : undefined;
    const made = livings.map((living) => {
      const one = toPossible(living, drawn[living.index]);
      // Where a change overwrites edits that were made by hand meanwhile, it cannot be told which write came last.
      return stopped?.hands[living.index] && 'on_drift' in one
        ? { ...one, on_drift: 'refuse' as const }
        : one;
    });
    const told = livings.map((living, index) => run(scene.service, living, made[index], round));
    if (stopped) {
      const running = Promise.allSettled(told);
      await delay(stopped.after_ms);
      await goOn(scene, { livings, made, told, running, round, hands: stopped.hands, clock: second_clock });
    } else {
      for (const [index, answer] of (await Promise.all(told)).entries()) {
        const [living, one] = [livings[index], made[index]];
        if (living && one && one.kind !== 'hand') note(living, one, answer, round);
      }
    }
    judgeLiving(await look(scene), livings, `after round ${round}`);
  }
  await scene.service.control('DELETE', '/faults');
  await restart(scene, last_clock);
  expect(await scene.service.app.store.listings.listClaimableJobs()).toEqual([]);
  for (const living of livings) {
    const last = { kind: 'title', on_drift: 'overwrite' } as const;
    const answer = await send(scene.service, living, last, rounds.length);
    expect(answer?.results?.map(({ status, error }) => error ?? status)).toEqual(
      living.shops.map(() => 'ok'),
    );
    note(living, last, answer, rounds.length);
  }
  const after = await look(scene);
  judgeLiving(after, livings, 'in the end');
  expect(after.listings.length).toBe(before.listings.length);
  expect(after.fees).toEqual(before.fees);
}

/** A draft is not for sale: its price is changed in place of that. */
function toPossible({ is_on_sale }: Living, drawn: ModelChange | undefined): ModelChange {
  const isOfSale = drawn?.kind === 'off' || drawn?.kind === 'on';
  return drawn && (is_on_sale || !isOfSale) ? drawn : { kind: 'price', on_drift: 'refuse' };
}

async function run(
  service: TestService,
  living: Living,
  made: ModelChange | undefined,
  round: number,
): Promise<UpdateResult | undefined> {
  if (!made) return undefined;
  if (made.kind !== 'hand') return send(service, living, made, round);
  await changeByHand(service, living, made, round);
  return undefined;
}

type Interrupted = {
  livings: readonly Living[];
  made: readonly ModelChange[];
  told: readonly Promise<UpdateResult | undefined>[];
  running: Promise<unknown>;
  round: number;
  hands: readonly (Extract<ModelChange, { kind: 'hand' }> | null)[];
  clock: readonly ClockStep[];
};

/** Stops the service in the middle of a round; who was told nothing by then asks again with the same key. */
async function goOn(
  scene: Scene,
  { livings, made, told, running, round, hands, clock }: Interrupted,
): Promise<void> {
  const unfinished = new Map<Living, string>();
  await restart(scene, clock, IMPATIENT, async () => {
    await running;
    const { app } = scene.service;
    const { account_id } = await app.core.accounts.getDefault();
    for (const living of livings) {
      const job = await app.store.listings.findRunningJob(account_id, living.listing_pk);
      if (job) unfinished.set(living, job.job_id);
      const hand = hands[living.index];
      // What was begun by hand itself is done by then, and this comes after it.
      if (hand && made[living.index]?.kind !== 'hand') await changeByHand(scene.service, living, hand, round);
    }
  });
  for (const [index, living] of livings.entries()) {
    const one = made[index];
    if (!one) continue;
    if (one.kind === 'hand') {
      // A hand whose door was closed on it is repeated.
      await changeByHand(scene.service, living, one, round);
      continue;
    }
    const job_id = unfinished.get(living);
    const isMeddled = hands[living.index] !== null;
    if (job_id !== undefined) {
      const answer = await finishJob(scene.service, job_id);
      note(living, one, answer, round, isMeddled);
    } else if (one.kind === 'undo') {
      const answer = await told[index]?.catch(() => undefined);
      if (answer && answer.status !== 'processing') note(living, one, answer, round, isMeddled);
      else noteUnknown(living);
    } else note(living, one, await send(scene.service, living, one, round), round, isMeddled);
  }
}

function look({ service }: Scene): Promise<World> {
  return service.control<World>('GET', '/state');
}

/** Holds what exists against what should. Once the jobs are finished, all errors are gone. */
function judge(world: World, answers: readonly Answer[], { is_finished }: { is_finished: boolean }): void {
  // A fault of the computer ends a job as failed, and listing_publish finishes it.
  const ended = is_finished ? ['completed'] : ['completed', 'failed'];
  expect(answers.filter(({ result }) => !ended.includes(result.status))).toEqual([]);
  const shops = answers.flatMap(({ job, result }) => (result.results ?? []).map((shop) => ({ job, shop })));
  expect(answers.map(({ result }) => result.results?.length)).toEqual(
    answers.map(({ job }) => (job.shops === 'both' ? 2 : 1)),
  );

  const named = shops.flatMap(({ shop }) => findListingId(shop) ?? []);
  const existing = world.listings.map(({ listing_id }) => listing_id);
  // A create whose answer was lost and whose listing no search could find is known by its intent alone.
  const unfinished = shops.filter(({ shop }) => isError(shop) && findListingId(shop) === undefined);
  expect(new Set(named).size).toBe(named.length);
  expect(named.filter((id) => !existing.includes(id))).toEqual([]);
  expect(existing.length - named.length).toBeLessThanOrEqual(unfinished.length);

  const paid = world.fees.map(({ listing_id }) => listing_id);
  const live = world.listings.filter(({ state }) => state === 'active').map(({ listing_id }) => listing_id);
  expect(paid.sort(byNumber)).toEqual(live.sort(byNumber));
  const activated = shops.flatMap(({ shop }) => (shop.activated ? (shop.listing_id ?? []) : []));
  expect(activated.filter((id) => !live.includes(id))).toEqual([]);

  const whole = shops.filter(({ shop }) => shop.status === 'ok');
  expect(whole.map(({ shop }) => describeListing(world, shop))).toEqual(
    whole.map(({ job, shop }) => toWanted(job, shop)),
  );
  if (!is_finished) return;
  expect(shops.filter(({ shop }) => isError(shop))).toEqual([]);
  expect(existing.length).toBe(named.length);
  expect(activated.length).toBe(paid.length);
}

function describeListing({ listings }: World, { listing_id, shop_id, images = [] }: ShopResult) {
  const found = listings.find((listing) => listing.listing_id === listing_id);
  if (!found) return undefined;
  const told = images.map(({ listing_image_id }) => listing_image_id);
  const ids = found.images.map(({ listing_image_id }) => listing_image_id);
  const ranked = [...found.images]
    .sort((a, b) => a.rank - b.rank)
    .flatMap(({ listing_image_id }) => (told.includes(listing_image_id) ? [listing_image_id] : []));
  return {
    shop_id: Number(shop_id) === found.shop_id ? shop_id : found.shop_id,
    title: found.fields.title,
    state: found.state,
    photos: told.map((id) => HASHES.indexOf(found.images[ids.indexOf(id)]?.sha256 ?? '')),
    is_ordered: JSON.stringify(ranked) === JSON.stringify(told),
    has_more_photos: ids.length > told.length,
    products: found.inventory.products.length,
  };
}

function toWanted(job: ModelJob, { shop_id, warnings = [] }: ShopResult) {
  const failed = new Set(
    warnings.filter(({ code }) => code === 'image_failed').flatMap(({ fields }) => fields),
  );
  const wanted = Array.from({ length: job.photos }, (_, index) => index).filter(
    (index) => !failed.has(`images[${index}]`),
  );
  return {
    shop_id,
    title: job.title,
    state: job.state === 'active' ? 'active' : 'draft',
    photos: wanted,
    is_ordered: !warnings.some(({ reason }) => reason.includes('images in another order')),
    // A double is never without a word, and nothing else is.
    has_more_photos: warnings.some(({ reason }) =>
      reason.includes(`where ${wanted.length} of ours are known`),
    ),
    products: job.has_variations ? 2 : 1,
  };
}

function byNumber(a: number, b: number): number {
  return a - b;
}

function isError({ status }: ShopResult): boolean {
  return status === 'error';
}

function findListingId({ listing_id, details }: ShopResult): number | undefined {
  return listing_id ?? details?.listing_id;
}

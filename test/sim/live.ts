/* oxlint-disable promise/always-return, no-unmodified-loop-condition -- the people of a world change it while its time passes */
import { createChance } from './kernel/chance.js';
import type { SeenListing, SeenMarketplace } from './oracles/seen.js';
import type { Passed } from './oracles/limits.js';
import { measureHeap } from './oracles/bounds.js';
import { judgeEnd, judgeLeft, judgeMoment, type Witness } from './oracles/judge.js';
import { createAsk } from './people/asking.js';
import { liveOrder, type Order } from './people/orders.js';
import { createCollector } from './people/collection/collector.js';
import { createSeller } from './people/sale/seller.js';
import { restoreReceiver, switchOn } from './people/restoring.js';
import { rotateSecret } from './people/rotating.js';
import { reconnectShops } from './people/reconnecting.js';
import type { Plan } from './plan.js';
import type { Template } from './world/template.js';
import { START_MS } from './world/template.js';
import { beginTroubles } from './world/troubles.js';
import { openWorld, type World } from './world/world.js';

/** The result of one seed. */
export type Lived = {
  seed: number;
  hash: string;
  /** The oracles' findings, one sentence each; empty if all is well. */
  found: string[];
  virtual_hours: number;
  calls: number;
  requests: number;
  faults: number;
  crashes: number;
  listings: number;
  events: number;
  completions: number;
  lines: readonly string[];
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WEBHOOK_URL = 'https://hooks.seller.example/orders';

/** Unhandled rejections in this process since the last world began. */
export const rejections: unknown[] = [];

export async function live(
  plan: Plan,
  template: Template,
  folder: string,
  isTraced: boolean,
): Promise<Lived> {
  rejections.length = 0;
  const world = await openWorld(plan, template, folder, isTraced);
  try {
    return await world.schedule.runUntil(liveIn(world, isTraced));
  } finally {
    await world.schedule.runUntil(world.close());
  }
}

async function liveIn(world: World, isTraced: boolean): Promise<Lived> {
  const { plan, schedule, machines, marketplace, journal, fates, receivers } = world;
  const found: string[] = [];
  const report = (what: string): void => {
    if (found.includes(what)) return;
    found.push(what);
    journal.note('ORACLE', what);
  };
  let calls = 0;
  const passed: Passed[] = [];
  const ask = createAsk(world, createChance(plan.seed, 'asking'), {
    fault: report,
    call: () => {
      calls += 1;
    },
    passed: (call) => passed.push(call),
  });
  const readState = async (): Promise<SeenListing[]> =>
    (await marketplace.control<SeenMarketplace>('GET', '/state')).listings;

  await marketplace.control('POST', '/settings', {
    ...plan.lags,
    access_token_ttl_s: plan.token_s,
    webhook_copies: plan.message_copies,
    rate_per_second: plan.calls_a_second,
    rate_per_day: plan.requests_a_day,
  });
  for (const machine of machines) await machine.start();
  const receiver = receivers.add(WEBHOOK_URL);
  const set = await ask('seller', 'webhook_endpoint_set', { url: WEBHOOK_URL }, { face: 'rest' });
  if (set.kind === 'told') receiver.secret = String(set.output['secret']);

  const sellers = plan.sales.map((planned) =>
    createSeller(world, planned, {
      ask,
      look: readState,
      chance: createChance(plan.seed, `sale ${planned.number}`),
    }),
  );
  const sales = sellers.map(({ sale }) => sale);
  const collectors = plan.collections.map((planned) =>
    createCollector(world, planned, {
      ask,
      look: readState,
      chance: createChance(plan.seed, `collection ${planned.number}`),
    }),
  );
  const collections = collectors.map(({ collecting }) => collecting);
  const isAtWork = (): boolean => [...sales, ...collections].some((one) => one.is_running);
  const orders: Order[] = [];
  const witness: Witness = { world, sales, collections, orders, ask, passed, heaps: [] };
  const measure = (): void => {
    if (plan.hours >= MONTHS_HOURS && !isTraced) witness.heaps.push(measureHeap());
  };
  schedule.after((plan.hours * HOUR_MS) / 3, measure);
  const troubles = beginTroubles(world);
  const track = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      report(`the simulator itself: ${String(error)}`);
      if (error instanceof Error) journal.remark(error.stack ?? '');
    });
  const people = [
    ...sellers.map((seller) => track(seller.live())),
    ...collectors.map((collector) => track(collector.live())),
    ...plan.orders.map((planned) => track(liveOrder(world, planned, orders))),
    ...plan.outages.map((planned) => track(restoreReceiver(world, planned, { ask, receiver }))),
    ...plan.rotations.map((planned) => track(rotateSecret(world, planned, { ask, receiver }))),
  ];
  const all = Promise.all(people);
  const nap = createNap(world);
  let isOver = false;
  /** The number of writes at the last judgment. */
  let judged = -1;
  void all.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await nap(() => isAtWork() || isOver);
    if (sales.some((sale) => sale.is_running) || judged === marketplace.countWrites()) continue;
    judged = marketplace.countWrites();
    (await judgeMoment(witness)).forEach(report);
  }
  await all;

  fates.calm();
  receivers.calm();
  await troubles.calm();
  (await judgeLeft(witness, () => nap(() => true))).forEach(report);
  for (const { finish } of [...sellers, ...collectors]) await passTimeUntil(track(finish()), nap);
  await passTimeUntil(track(switchOn(world, { ask, receiver })), nap);
  const until_ms = Math.max(schedule.now(), START_MS + plan.hours * HOUR_MS) + HOUR_MS;
  while (schedule.now() < until_ms) await nap(() => false);
  measure();
  (await judgeEnd(witness, () => nap(() => false))).forEach(report);
  for (const machine of machines) await machine.stop();
  await schedule.pause(MINUTE_MS);
  for (const reason of rejections) {
    report(`unhandled: ${String(reason)}`);
    if (reason instanceof Error) journal.remark(reason.stack ?? '');
  }
  for (const fault of receivers.faults) report(`webhook ${fault}`);

  const { listings } = await marketplace.control<SeenMarketplace>('GET', '/state');
  return {
    seed: plan.seed,
    hash: journal.hash(),
    found,
    virtual_hours: (schedule.now() - START_MS) / HOUR_MS,
    calls,
    requests: world.countRequests(),
    faults: fates.count() + receivers.countOutages(),
    crashes: troubles.countCrashes(),
    listings: listings.length,
    events: receivers.list().reduce((sum, { messages }) => sum + messages.length, 0),
    completions: schedule.count(),
    lines: journal.lines,
  };
}

/**
 * Lets time pass. While nothing is going on, the computers sleep like laptops and wake for due work, so that a
 * day need not be run second by second. While work only waits, they doze: for less than a minute, and for
 * minutes after a long wait.
 */
function createNap(world: World): (isBusy: () => boolean) => Promise<void> {
  const { schedule, machines, plan, countTraffic } = world;
  const chance = createChance(plan.seed, 'naps');
  const least_ms = chooseNap(plan.hours);
  let traffic = -1;
  let quiet_steps = 0;
  let isConnected = true;
  /** Whether no request to the marketplace was sent or answered since the last call. */
  const isSettled = (): boolean => {
    const isSettled = traffic === countTraffic();
    traffic = countTraffic();
    return isSettled;
  };
  return async (isBusy) => {
    let isWorking: boolean;
    let isStill: boolean;
    do {
      // A grant can only have ended while a request was sent or answered.
      if (quiet_steps === 0 || !isConnected) isConnected = await reconnectShops(world);
      await schedule.pause(STEP_MS);
      isWorking = isBusy();
      isStill = isSettled();
      quiet_steps = isStill ? quiet_steps + 1 : 0;
    } while (!isWorking && !isStill);
    if (isWorking && quiet_steps < QUIET_STEPS) return;
    const doze = quiet_steps < LONG_QUIET_STEPS ? 1 : 10;
    const nap_ms = isWorking ? doze * chance.between(5_000, 60_000) : chance.between(least_ms, 5 * least_ms);
    for (const machine of machines) machine.sleep(nap_ms);
    // A person who arrives in the meantime wakes them, and the rest of the doze is canceled.
    await Promise.race([schedule.pause(nap_ms), world.bell.wait()]);
    for (const machine of machines) machine.wake();
  };
}

/** Programs stay awake during it, and a shop whose grant ends is connected again, as at any other time. */
async function passTimeUntil(
  work: Promise<void>,
  nap: (isBusy: () => boolean) => Promise<void>,
): Promise<void> {
  let isOver = false;
  void work.then(() => {
    isOver = true;
  });
  while (!isOver) await nap(() => true);
}

const STEP_MS = 1_500;
/** After this many steps without a request to the marketplace, work in progress only waits. */
const QUIET_STEPS = 4;
/** After this many, it waits for hours, for example for the next day's requests. */
const LONG_QUIET_STEPS = 12;
/** Worlds that run this long are judged less often. */
const LONG_HOURS = 12;
const MONTHS_HOURS = 24 * 30;

function chooseNap(hours: number): number {
  if (hours >= MONTHS_HOURS) return 12 * HOUR_MS;
  return hours >= LONG_HOURS ? 2 * HOUR_MS : 30 * MINUTE_MS;
}

import { createChance, type Chance } from '../kernel/chance.js';
import type { Plan, PlannedCrash, PlannedMachine } from '../plan.js';
import { drawDay, drawGone, drawOrder, drawOutage, drawRotations } from './around.js';
import { addDeeds, drawCollections } from './collections.js';
import { addBuyers, addManualEdits } from './manual_edits.js';
import { drawSale, listMoments } from './sales.js';
import { drawMany, HOUR_MS, MINUTE_MS } from './times.js';

const FAULT_KINDS = [
  'refused',
  'reset',
  'lost',
  'lost',
  'silent',
  'late',
  'late',
  'slow',
  'twice',
  'truncated',
  'status',
  'status',
] as const;

const FAULTED = [
  'any',
  'read',
  'write',
  'write',
  'create',
  'create',
  'create',
  'change',
  'change',
  'inventory',
  'image',
  'token',
] as const;

/** One in this many seeds runs for months, in which leaks could grow. */
const LONG_ONE_IN = 50;

export function buildPlan(seed: number, hours?: number): Plan {
  const chance = createChance(seed, 'plan');
  const short_hours = chance.weighed([
    [8, 1],
    [5, 4],
    [2, 12],
    [1, 48],
  ] as const);
  const isLong = seed % LONG_ONE_IN === 0;
  const drawn_hours = isLong ? 24 * chance.between(60, 110) : short_hours;
  const span_ms = (hours ?? drawn_hours) * HOUR_MS;
  const machines = drawMachines(chance, span_ms);
  const collections = drawCollections(createChance(seed, 'collections'), span_ms);
  /** A world with a collection has fewer sales, so that it takes about as long as one without. */
  const most = collections.length > 0 ? 1 : 3;
  const sales = drawMany(Math.min(most, chance.between(1, 3)), (number) =>
    addBuyers(seed, addManualEdits(seed, drawSale(chance, number, span_ms))),
  );
  const busy_ms = [...sales.flatMap(listMoments), ...collections.flatMap(listMoments), span_ms].filter(
    (at_ms) => at_ms <= span_ms,
  );
  /** While something is going on: troubles at other times hit nothing. */
  const drawBusy = (): number => Math.max(0, chance.pick(busy_ms) + chance.between(-2000, 60_000));
  const plan: Plan = {
    seed,
    hours: hours ?? drawn_hours,
    machines,
    sales,
    collections,
    orders: drawMany(
      isLong
        ? chance.between(6, 12)
        : chance.weighed([
            [2, 0],
            [3, 1],
            [2, 2],
            [1, 4],
          ] as const),
      () => drawOrder(chance, span_ms),
    ),
    faults: drawMany(chance.between(0, 8), () => ({
      at_ms: drawBusy(),
      on: chance.pick(FAULTED),
      kind: chance.pick(FAULT_KINDS),
      times: chance.weighed([
        [5, 1],
        [2, 2],
        [1, 4],
      ] as const),
    })),
    outages: [
      ...drawMany(
        chance.weighed([
          [3, 0],
          [2, 1],
          [1, 2],
        ] as const),
        () => drawOutage(chance, span_ms),
      ),
      ...drawGone(createChance(seed, 'gone'), span_ms),
    ],
    crashes: drawMany(
      chance.weighed([
        [2, 0],
        [3, 1],
        [3, 2],
        [2, 4],
      ] as const),
      () => drawCrash(chance, drawBusy(), machines.length),
    ),
    sleeps: drawMany(
      chance.weighed([
        [4, 0],
        [1, 1],
      ] as const),
      () => ({
        at_ms: drawBusy(),
        machine: chance.below(machines.length),
        lasts_ms: chance.between(5_000, 10 * MINUTE_MS),
      }),
    ),
    rotations: drawRotations(createChance(seed, 'rotations'), span_ms),
    lags: {
      draft_list_lag_ms: chance.pick([0, 0, 2_000, 15_000]),
      media_list_lag_ms: chance.pick([0, 0, 2_000]),
    },
    token_s: chance.pick([3600, 3600, 300]),
    expiries: drawMany(
      chance.weighed([
        [3, 0],
        [1, 2],
      ] as const),
      drawBusy,
    ),
    most_activations: chance.weighed([
      [4, 20],
      [1, 3],
      [1, 1],
    ] as const),
    calls_a_day: chance.weighed([
      [14, 5000],
      [1, 100],
    ] as const),
    calls_a_second: chance.pick([10, 10, 5, 3]),
    requests_a_day: drawDay(createChance(seed, 'day')),
    message_copies: chance.pick([1, 1, 2]),
  };
  return withLaterDeeds(plan, span_ms);
}

/** Drawn separately, with its own crashes, so that everything before it is the same as without it. */
function withLaterDeeds(plan: Plan, span_ms: number): Plan {
  const { seed, most_activations, machines } = plan;
  const chance = createChance(seed, 'deeds');
  const collections = addDeeds(chance, plan.collections, { span_ms, most_activations });
  const moments = collections.flatMap((one) => listMoments(one).slice(-2));
  const crashes = drawMany(moments.length > 0 ? chance.below(3) : 0, () =>
    drawCrash(chance, chance.pick(moments) + chance.below(2 * MINUTE_MS), machines.length),
  );
  return { ...plan, collections, crashes: [...plan.crashes, ...crashes] };
}

function drawCrash(chance: Chance, at_ms: number, machines: number): PlannedCrash {
  return {
    at_ms,
    machine: chance.below(machines),
    at: chance.pick(['time', 'before_commit', 'after_commit', 'request', 'answer'] as const),
    n: chance.between(1, 12),
    down_ms: chance.weighed([
      [3, 2_000],
      [2, 45_000],
      [1, 20 * MINUTE_MS],
    ] as const),
  };
}

/**
 * Mostly the clocks of one computer, which agree; otherwise processes whose clocks are wrong by up to minutes.
 */
function drawMachines(chance: Chance, span_ms: number): PlannedMachine[] {
  const count = chance.weighed([
    [5, 1],
    [4, 2],
    [1, 3],
  ] as const);
  const lies = chance.oneIn(3);
  return drawMany(count, () => ({
    skew_ms: lies ? chance.between(-90_000, 90_000) : 0,
    step:
      lies && chance.oneIn(3)
        ? { at_ms: chance.below(span_ms), skew_ms: chance.between(-600_000, 600_000) }
        : null,
  }));
}

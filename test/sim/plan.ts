import { createChance, type Chance } from './kernel/chance.js';
import type { FaultKind } from './world/fates.js';

/*
 * What is to happen in a world, as data: drawn from the seed before anything runs, so that a part can be left out without moving the
 * rest. Times are milliseconds since the world's beginning.
 */

export type Plan = {
  seed: number;
  hours: number;
  /** Programs on one database, each with a clock of its own. */
  machines: PlannedMachine[];
  sales: PlannedSale[];
  orders: PlannedOrder[];
  faults: PlannedFault[];
  outages: PlannedOutage[];
  crashes: PlannedCrash[];
  sleeps: PlannedSleep[];
  rotations: PlannedRotation[];
  lags: { draft_list_lag_ms: number; media_list_lag_ms: number };
  /** Access tokens live so long, and are taken away at these times. */
  token_s: number;
  expiries: number[];
  most_activations: number;
  /** Calls that an account may make in a day, and an application in a second. */
  calls_a_day: number;
  calls_a_second: number;
  /** What the marketplace allows an application in a day. */
  requests_a_day: number;
  /** The marketplace sends each of its messages so often. */
  message_copies: number;
};

export type PlannedMachine = { skew_ms: number; step: { at_ms: number; skew_ms: number } | null };

export type Face = 'rest' | 'mcp_http' | 'mcp_stdio';

export type PlannedSale = {
  number: number;
  at_ms: number;
  face: Face;
  /** Made by hand in the shop, and then imported. */
  is_import: boolean;
  shops: 'both' | 'first' | 'second';
  state: 'publish' | 'active';
  photos: number;
  has_variations: boolean;
  /** A file instead of a thing: such a listing has neither variations nor shipping. */
  is_digital: boolean;
  has_video: boolean;
  /** Buyers are asked what it shall say. */
  has_question: boolean;
  has_key: boolean;
  /** So many of the same call at once, with one key. */
  calls: number;
  /** Goes away in the middle, and never comes back for it. */
  gives_up: boolean;
  deeds: PlannedDeed[];
};

export type PlannedDeed = { after_ms: number } & (
  | {
      /** several: a title, a price and photos in one change. */
      kind: 'title' | 'price' | 'photos' | 'video' | 'question' | 'files' | 'several';
      on_drift: 'refuse' | 'overwrite';
      has_key: boolean;
      gives_up: boolean;
    }
  | {
      kind: 'hand';
      field: HandField;
      shops: 'all' | 'first';
      is_beside: boolean;
    }
  /** A listing that is sold out is put on sale again, and is sold out once more before that has ended. `is_silent`: the answer to it never comes. */
  | { kind: 'renew'; is_silent: boolean }
  /** sync: the shop's lists are read anew; resend: an event is sent once more by hand; delete: what stands in shops cannot be. */
  | { kind: 'sync' | 'resend' | 'delete' }
  /** Two sellers change the title and the price at one time. */
  | { kind: 'at_once' }
  | { kind: 'undo' | 'off' | 'on' | 'look' | 'dry' | 'copy' | 'sell' | 'sell_out' | 'none' }
);

export type HandField = 'title' | 'price' | 'question' | 'words' | 'photos' | 'state';

/** What happens to an order of a shop, one thing after another. */
export type PlannedOrder = {
  at_ms: number;
  shop: 0 | 1;
  changes: { after_ms: number; change: 'paid' | 'shipped' | 'delivered' | 'canceled' }[];
};

export type PlannedFault = {
  at_ms: number;
  on: 'any' | 'read' | 'write' | 'create' | 'change' | 'inventory' | 'image' | 'token';
  kind: FaultKind;
  times: number;
};

export type PlannedOutage = {
  at_ms: number;
  lasts_ms: number;
  /** slow: answered around the deadline, in time or not. */
  kind: 'refused' | 'lost' | 'silent' | 'slow' | 'status';
  status?: number;
  headers?: Record<string, string>;
};

/** `at`: the place, when it is reached for the n-th time after the moment. */
export type PlannedCrash = {
  at_ms: number;
  machine: number;
  at: 'time' | 'before_commit' | 'after_commit' | 'request' | 'answer';
  n: number;
  down_ms: number;
};

export type PlannedSleep = { at_ms: number; machine: number; lasts_ms: number };

/** The secret of webhooks is changed; their receiver goes on checking with the one before for so long. */
export type PlannedRotation = { at_ms: number; learns_after_ms: number };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

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

/** Every so many seeds one lives for months, in which what must not grow could. */
const LONG_ONE_IN = 50;

export function buildPlan(seed: number, hours?: number): Plan {
  const chance = createChance(seed, 'plan');
  const short_hours = chance.weighed([
    [8, 1],
    [5, 4],
    [2, 12],
    [1, 48],
  ] as const);
  const is_long = seed % LONG_ONE_IN === 0;
  const drawn_hours = is_long ? 24 * chance.between(60, 110) : short_hours;
  const span_ms = (hours ?? drawn_hours) * HOUR_MS;
  const machines = drawMachines(chance, span_ms);
  const sales = drawMany(chance.between(1, 3), (number) => drawSale(chance, number, span_ms));
  const busy_ms = [...sales.flatMap(listMoments), span_ms].filter((at_ms) => at_ms <= span_ms);
  /** Where something is going on: troubles elsewhere meet nothing. */
  const drawBusy = (): number => Math.max(0, chance.pick(busy_ms) + chance.between(-2000, 60_000));
  return {
    seed,
    hours: hours ?? drawn_hours,
    machines,
    sales,
    orders: drawMany(
      is_long
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
      () => ({
        at_ms: drawBusy(),
        machine: chance.below(machines.length),
        at: chance.pick(['time', 'before_commit', 'after_commit', 'request', 'answer'] as const),
        n: chance.between(1, 12),
        down_ms: chance.weighed([
          [3, 2_000],
          [2, 45_000],
          [1, 20 * MINUTE_MS],
        ] as const),
      }),
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
}

function drawMany<Item>(count: number, draw: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => draw(index));
}

/** Mostly the clocks of one computer, which agree; else processes that lie, as far as minutes. */
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

function drawSale(chance: Chance, number: number, span_ms: number): PlannedSale {
  const state = chance.pick(['publish', 'active', 'active'] as const);
  const has_key = chance.oneIn(2);
  const is_import = chance.oneIn(6);
  const is_digital = !is_import && chance.oneIn(7);
  return {
    number,
    at_ms: chance.below(Math.min(span_ms, 2 * HOUR_MS) / 2),
    face: chance.pick(['rest', 'rest', 'mcp_http', 'mcp_stdio'] as const),
    is_import,
    shops: is_import ? 'first' : chance.pick(['both', 'first', 'second'] as const),
    state,
    photos: chance.between(state === 'active' ? 1 : 0, 3),
    has_variations: !is_import && !is_digital && chance.oneIn(2),
    is_digital,
    has_video: !is_import && chance.oneIn(4),
    has_question: chance.oneIn(4),
    has_key,
    calls: has_key
      ? chance.weighed([
          [4, 1],
          [1, 2],
          [1, 5],
        ] as const)
      : 1,
    gives_up: chance.oneIn(12),
    deeds: drawDeeds(chance, { is_on_sale: state === 'active', is_digital }, span_ms),
  };
}

type Saleable = { is_on_sale: boolean; is_digital: boolean };

/** What hands have changed is often what its people change next; what hands change beside a change, that meets. */
function drawDeeds(chance: Chance, saleable: Saleable, span_ms: number): PlannedDeed[] {
  const deeds = drawMany(
    chance.weighed([
      [1, 0],
      [3, 2],
      [3, 4],
      [1, 7],
    ] as const),
    () => drawDeed(chance, saleable, span_ms),
  );
  return deeds.flatMap((deed, index) => {
    const before = deeds[index - 1];
    const is_met = before?.kind === 'hand' && before.is_beside;
    const next = is_met ? { ...deed, after_ms: chance.below(MEETING_MS) } : deed;
    const has_more = deed.kind === 'hand' && deed.field !== 'words' && chance.oneIn(2);
    return has_more ? [next, drawSame(chance, deed)] : [next];
  });
}

const MEETING_MS = 2_000;

function drawSame(
  chance: Chance,
  { field, is_beside }: { field: HandField; is_beside: boolean },
): PlannedDeed {
  const after_ms = chance.below(is_beside ? MEETING_MS : 3 * MINUTE_MS);
  if (field === 'state') return { after_ms, kind: chance.pick(['on', 'off'] as const) };
  const kind = field === 'words' ? 'title' : field;
  return { after_ms, kind, on_drift: 'refuse', has_key: chance.oneIn(2), gives_up: false };
}

function drawDeed(chance: Chance, { is_on_sale, is_digital }: Saleable, span_ms: number): PlannedDeed {
  const after_ms = chance.weighed([
    [3, chance.between(0, 3 * MINUTE_MS)],
    [2, chance.below(span_ms / 4)],
  ]);
  const kind = chance.weighed([
    [6, 'title'],
    [5, 'price'],
    [2, 'photos'],
    [2, 'video'],
    [2, 'several'],
    [2, 'at_once'],
    [2, 'question'],
    [2, is_digital ? 'files' : 'undo'],
    [6, 'hand'],
    [4, 'undo'],
    [2, is_on_sale ? 'off' : 'title'],
    [2, is_on_sale ? 'on' : 'price'],
    [1, 'look'],
    [1, 'sync'],
    [1, 'resend'],
    [1, 'delete'],
    [1, 'dry'],
    [1, 'copy'],
    [2, is_on_sale ? 'sell' : 'look'],
    [1, is_on_sale ? 'sell_out' : 'dry'],
    [1, is_on_sale ? 'renew' : 'look'],
  ] as const);
  switch (kind) {
    case 'title':
    case 'price':
    case 'photos':
    case 'video':
    case 'question':
    case 'files':
    case 'several':
      return {
        after_ms,
        kind,
        on_drift: chance.pick(['refuse', 'refuse', 'overwrite'] as const),
        has_key: chance.oneIn(2),
        gives_up: chance.oneIn(10),
      };
    case 'hand': {
      const field = chance.weighed([
        [2, 'title'],
        [2, 'price'],
        [1, 'question'],
        [2, 'words'],
        [2, 'photos'],
        [1, is_on_sale ? 'state' : 'title'],
      ] as const);
      return {
        after_ms,
        kind,
        field,
        shops: chance.pick(['all', 'first'] as const),
        // A change of the title puts translations back as they were before: which came last, no one can tell.
        is_beside: field !== 'words' && chance.oneIn(3),
      };
    }
    case 'renew':
      return { after_ms, kind, is_silent: chance.oneIn(2) };
    default:
      return { after_ms, kind };
  }
}

function listMoments({ at_ms, deeds }: PlannedSale): number[] {
  const moments = [at_ms, at_ms, at_ms];
  let at = at_ms;
  for (const { after_ms } of deeds) {
    at += after_ms;
    moments.push(at);
  }
  return moments;
}

function drawOrder(chance: Chance, span_ms: number): PlannedOrder {
  const way = chance.pick([
    ['paid'],
    ['paid', 'shipped'],
    ['paid', 'shipped', 'delivered'],
    ['paid', 'canceled'],
  ] as const);
  return {
    at_ms: chance.below(span_ms * 0.8),
    shop: chance.oneIn(2) ? 0 : 1,
    changes: way.map((change) => ({
      after_ms: chance.below(span_ms / 8),
      change,
    })),
  };
}

/** Mostly more than a world asks for, and now and then so few that a product is not made within the day. */
function drawDay(chance: Chance): number {
  return chance.oneIn(6) ? chance.between(40, 250) : MANY_A_DAY;
}

/** Where less than this is allowed in a day, of calls or of requests, its people may have to come again on another. */
export const MANY_A_DAY = 10_000;

/** One at most, and learnt well within the 24 hours in which both secrets count. */
function drawRotations(chance: Chance, span_ms: number): PlannedRotation[] {
  return drawMany(chance.oneIn(3) ? 1 : 0, () => ({
    at_ms: chance.below(span_ms),
    learns_after_ms: chance.pick([0, chance.below(HOUR_MS), chance.below(23 * HOUR_MS)]),
  }));
}

function drawOutage(chance: Chance, span_ms: number): PlannedOutage {
  const kind = chance.pick(['refused', 'lost', 'silent', 'slow', 'status', 'status'] as const);
  return {
    at_ms: chance.below(span_ms),
    lasts_ms: chance.pick([20_000, 10 * MINUTE_MS, 2 * HOUR_MS]),
    kind,
    ...(kind === 'status' && {
      status: chance.pick([500, 503, 404, 302, 429]),
      headers: chance.oneIn(3) ? { 'retry-after': String(chance.between(1, 600)) } : {},
    }),
  };
}

/** At most once a receiver says that it is gone, and wants no more. Its seller finds out, and sets it again. */
function drawGone(chance: Chance, span_ms: number): PlannedOutage[] {
  return drawMany(chance.oneIn(6) ? 1 : 0, () => ({
    at_ms: chance.below(span_ms),
    lasts_ms: chance.between(HOUR_MS / 4, 4 * HOUR_MS),
    kind: 'status',
    status: GONE,
  }));
}

export const GONE = 410;

/** How long a smaller world may have to live. */
const SHORTER_HOURS = [1, 4, 12, 48];

const LISTS = ['sales', 'orders', 'faults', 'outages', 'crashes', 'sleeps', 'expiries', 'rotations'] as const;

/** All that can be left out of a plan, by name; what is left out already is null and named no more. */
export function listParts(plan: Plan): string[] {
  const lists = LISTS.flatMap((list) => plan[list].map((_, index) => `${list}.${index}`));
  const deeds = plan.sales.flatMap((sale, index) =>
    sale.deeds.map((_, deed) => `sales.${index}.deeds.${deed}`),
  );
  const machines = plan.machines.length > 1 ? [`machines.${plan.machines.length - 1}`] : [];
  const hours = SHORTER_HOURS.filter((shorter) => shorter < plan.hours).map((shorter) => `hours.${shorter}`);
  return [...hours, ...machines, ...lists, ...deeds].filter((part) => !isOut(plan, part));
}

/** Keeps the places of what stays, so that each part is named the same in every smaller plan. */
export function leaveOut(plan: Plan, parts: readonly string[]): Plan {
  const smaller = structuredClone(plan);
  for (const part of parts) {
    const [list, index, , deed] = part.split('.');
    const at = Number(index);
    if (list === 'hours') smaller.hours = Math.min(smaller.hours, at);
    else if (list === 'machines') smaller.machines.splice(at, 1);
    else if (deed !== undefined) {
      const planned = smaller.sales[at]?.deeds[Number(deed)];
      // Its pause stays.
      if (planned) Object.assign(planned, { kind: 'none' });
    } else {
      const found = smaller[list as (typeof LISTS)[number]][at];
      if (typeof found === 'object') found.at_ms = NEVER_MS;
      else smaller.expiries[at] = NEVER_MS;
    }
  }
  return smaller;
}

function isOut(plan: Plan, part: string): boolean {
  const [list, index, , deed] = part.split('.');
  const at = Number(index);
  if (list === 'machines' || list === 'hours') return false;
  const found = plan[list as (typeof LISTS)[number]][at];
  if (deed !== undefined) {
    const sale = plan.sales[at];
    return (
      sale === undefined || sale.at_ms === NEVER_MS || (sale.deeds[Number(deed)]?.kind as string) === 'none'
    );
  }
  return (typeof found === 'object' ? found.at_ms : found) === NEVER_MS;
}

/** After every world's end. */
export const NEVER_MS = 1e12;

import { MANY_A_DAY } from '../plan.js';
import { TRIP_MS } from '../world/network.js';
import { START_MS } from '../world/template.js';
import type { World } from '../world/world.js';
import type { SeenMarketplace } from './seen.js';

/** A call that no limit refused. `has_waited`: it waited for its turn. */
export type Passed = { at_ms: number; has_waited: boolean };

const CALLS_A_SECOND = 2;
const SECOND_MS = 1000;
/** A call may have got its turn this much later than it was made. */
const LOCK_MS = 60;
/** The same for a call that waits. */
const TURN_MS = 20_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A fee may be paid this much later than it was claimed: an interrupted job is finished first. */
const LATE_MS = 12 * HOUR_MS;
/**
 * How much of an exchange was spent on the way there is unknown, and may differ by this much between two
 * exchanges.
 */
const WAY_MS = TRIP_MS.most - TRIP_MS.least;
/** By then the first answers have reported the limit. */
const LEARNT_MS = 10_000;

/** Wrong clocks have their own seconds and days, so nothing can be judged with them. */
function areClocksTrue({ plan }: World): boolean {
  return plan.machines.every(({ skew_ms, step }) => skew_ms === 0 && step === null);
}

/** The most by which this computer's clock is set ahead. A day it waits for ends this much earlier. */
function findStepAhead({ plan, machines }: World, name: string): number {
  const planned = plan.machines[machines.findIndex((machine) => machine.name === name)];
  return Math.max(0, (planned?.step?.skew_ms ?? -Infinity) - (planned?.skew_ms ?? 0));
}

/** The calls an account may make in a second, and in the day that begins with the first. */
export function judgeCalls(world: World, passed: readonly Passed[]): string[] {
  if (!areClocksTrue(world)) return [];
  const found: string[] = [];
  const { calls_a_day } = world.plan;
  const at_once = passed.flatMap(({ at_ms, has_waited }) => (has_waited ? [] : [at_ms]));
  const over = countOver(at_once, CALLS_A_SECOND, SECOND_MS - LOCK_MS);
  if (over > 0) found.push(`${over} calls were more than ${CALLS_A_SECOND} in their second`);
  const times = passed.map(({ at_ms }) => at_ms).toSorted((a, b) => a - b);
  const until_ms = (times[0] ?? 0) + DAY_MS - TURN_MS;
  const first_day = times.filter((at_ms) => at_ms < until_ms).length;
  if (first_day > calls_a_day)
    found.push(`${first_day} calls were made in the first day, of ${calls_a_day} allowed`);
  return found;
}

/**
 * The requests the marketplace allows in any second, counted where they arrive. Programs share the second, but
 * only by a common clock.
 */
export function judgeMarketplaceCalls(world: World): string[] {
  const { plan, arrivals } = world;
  if (plan.machines.length > 1 && !areClocksTrue(world)) return [];
  const learnt = arrivals.filter((at_ms) => at_ms > START_MS + LEARNT_MS);
  const over = countOver(learnt, plan.calls_a_second, SECOND_MS - WAY_MS);
  return over > 0
    ? [`${over} requests were more than the ${plan.calls_a_second} that the marketplace allows in a second`]
    : [];
}

/**
 * The day of an application's key, as reported by the marketplace. A program told that nothing is left sends
 * nothing until the reported time, and neither do the programs that share its database. Some of the last calls
 * are reserved, so that polls stop first, and all other work after them.
 */
export function judgeMarketplaceDay(world: World): string[] {
  const { sent, plan } = world;
  if (plan.requests_a_day >= MANY_A_DAY) return [];
  const reports = sent.flatMap(({ owner, told: one }) => (one ? [{ ...one, owner }] : []));
  const areOne = areClocksTrue(world);
  const found = new Set<string>();
  for (const { owner, at_ms, kind } of sent) {
    // Requests that had their turn, or waited for it, may have left a little later.
    const isRefused = reports.some(
      (one) =>
        one.wait_ms > LONG_WAIT_MS &&
        one.at_ms + TURN_OF_REQUEST_MS < at_ms &&
        at_ms < one.until_ms - WAY_MS - findStepAhead(world, owner.name) &&
        (one.owner === owner || (areOne && one.owner.isAlive())),
    );
    if (isRefused) found.add('requests are sent on a day that the marketplace has said is over');
    const share = KEPT_SHARE[kind];
    // When nothing was left of a day, the marketplace reported when it ends.
    const lately = reports.filter(
      (one) =>
        one.at_ms <= at_ms &&
        at_ms - one.at_ms < READ_MS &&
        (one.remaining > 0 ||
          one.wait_ms === 0 ||
          at_ms < one.until_ms - WAY_MS - findStepAhead(world, owner.name)),
    );
    const knew = lately.some((one) => one.owner === owner && one.at_ms + TURN_OF_REQUEST_MS < at_ms);
    // They share the newest answer, by clocks that may be wrong: an older one may be taken for the newest.
    const isNewest = areOne || plan.machines.length === 1;
    const isKept = lately.every(({ remaining, limit }) => remaining < Math.floor(limit * share));
    if (share > 0 && knew && isNewest && isKept)
      found.add(`a ${kind} is sent of the calls of a day that are kept for others`);
  }
  return [...found];
}

/** A refusal for one second asks for a shorter wait. */
const LONG_WAIT_MS = 60_000;
/** A request may leave this much later than it was let through. */
const TURN_OF_REQUEST_MS = 10_000;
/** A report about the day is valid for at least this long. */
const READ_MS = 58_000;
/** The share of a day's calls that each kind leaves to others. */
const KEPT_SHARE = { look: 0.1, write: 0.01, other: 0 };

/** An account never exceeds its fees per day in any 24 hours. */
export function judgeCeiling(world: World, { fees }: SeenMarketplace): string[] {
  if (!areClocksTrue(world)) return [];
  const { most_activations } = world.plan;
  const paid = fees.map(({ created_at }) => created_at);
  return countOver(paid, most_activations, DAY_MS - LATE_MS) > 0
    ? [`more than ${most_activations} fees in a day`]
    : [];
}

/** How many of the times exceed `most` in the window that ends with them. */
function countOver(times: readonly number[], most: number, window_ms: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted.filter((at_ms, index) => {
    const before = sorted[index - most];
    return before !== undefined && at_ms - before < window_ms;
  }).length;
}

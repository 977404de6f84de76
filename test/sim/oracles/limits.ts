import { MANY_A_DAY } from '../plan.js';
import { TRIP_MS } from '../world/network.js';
import { START_MS } from '../world/template.js';
import type { World } from '../world/world.js';
import type { SeenMarketplace } from './seen.js';

/** A call that no limit refused. `has_waited`: it came to its turn later than it was made. */
export type Passed = { at_ms: number; has_waited: boolean };

const CALLS_A_SECOND = 2;
const SECOND_MS = 1000;
/** So much later than it was made a call may have come to its turn. */
const LOCK_MS = 60;
/** So much later one that waits. */
const TURN_MS = 20_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** So much later than it was promised a fee may be paid: a job that was interrupted is finished first. */
const LATE_MS = 12 * HOUR_MS;
/** Of how long an exchange took, no one can tell how much was the way there: that may differ by so much from one to the next. */
const WAY_MS = TRIP_MS.most - TRIP_MS.least;
/** By then the first answers have told the limit. */
const LEARNT_MS = 10_000;

/** Clocks that lie have seconds and days of their own, so that nothing can be said of them then. */
function areClocksTrue({ plan }: World): boolean {
  return plan.machines.every(({ skew_ms, step }) => skew_ms === 0 && step === null);
}

/** So much the clock of this computer is set ahead at most, for which a day that is waited for is over so much earlier. */
function findStepAhead({ plan, machines }: World, name: string): number {
  const planned = plan.machines[machines.findIndex((machine) => machine.name === name)];
  return Math.max(0, (planned?.step?.skew_ms ?? -Infinity) - (planned?.skew_ms ?? 0));
}

/** Of what calls an account may make in a second, and in the day that begins with the first. */
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
 * Of what calls the marketplace allows in any second, as they came there. Programs share the second, but by a clock that all of them
 * have.
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
 * Of the day of an application's key, as the marketplace tells it. What was told that nothing is left stays away until it is told to
 * come again, and so do all that share a database with it; of the last calls some are kept, so that looks give way first, and then
 * all work.
 */
export function judgeMarketplaceDay(world: World): string[] {
  const { sent, plan } = world;
  if (plan.requests_a_day >= MANY_A_DAY) return [];
  const told = sent.flatMap(({ owner, told: one }) => (one ? [{ ...one, owner }] : []));
  const areOne = areClocksTrue(world);
  const found = new Set<string>();
  for (const { owner, at_ms, kind } of sent) {
    // What had its turn already, or waited for it, may have left a little after.
    const isRefused = told.some(
      (one) =>
        one.wait_ms > LONG_WAIT_MS &&
        one.at_ms + TURN_OF_REQUEST_MS < at_ms &&
        at_ms < one.until_ms - WAY_MS - findStepAhead(world, owner.name) &&
        (one.owner === owner || (areOne && one.owner.isAlive())),
    );
    if (isRefused) found.add('requests are sent on a day that the marketplace has said is over');
    const share = KEPT_SHARE[kind];
    // Of a day of which nothing was left, it was told when it is over.
    const lately = told.filter(
      (one) =>
        one.at_ms <= at_ms &&
        at_ms - one.at_ms < READ_MS &&
        (one.remaining > 0 ||
          one.wait_ms === 0 ||
          at_ms < one.until_ms - WAY_MS - findStepAhead(world, owner.name)),
    );
    const knew = lately.some((one) => one.owner === owner && one.at_ms + TURN_OF_REQUEST_MS < at_ms);
    // They share what the newest answer told, by clocks that may lie: an older one may pass for the newest.
    const isNewest = areOne || plan.machines.length === 1;
    const isKept = lately.every(({ remaining, limit }) => remaining < Math.floor(limit * share));
    if (share > 0 && knew && isNewest && isKept)
      found.add(`a ${kind} is sent of the calls of a day that are kept for others`);
  }
  return [...found];
}

/** A refusal of a second asks for less. */
const LONG_WAIT_MS = 60_000;
/** So long after it was let through, a request may leave. */
const TURN_OF_REQUEST_MS = 10_000;
/** What was told of the day counts so long, at least. */
const READ_MS = 58_000;
/** Of a day's calls, what each kind leaves to others. */
const KEPT_SHARE = { look: 0.1, write: 0.01, other: 0 };

/** What an account may spend in a day is never passed, in any 24 hours. */
export function judgeCeiling(world: World, { fees }: SeenMarketplace): string[] {
  if (!areClocksTrue(world)) return [];
  const { most_activations } = world.plan;
  const paid = fees.map(({ created_at }) => created_at);
  return countOver(paid, most_activations, DAY_MS - LATE_MS) > 0
    ? [`more than ${most_activations} fees in a day`]
    : [];
}

/** How many of them were more than so many in a window that ends with them. */
function countOver(times: readonly number[], most: number, window_ms: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted.filter((at_ms, index) => {
    const before = sorted[index - most];
    return before !== undefined && at_ms - before < window_ms;
  }).length;
}

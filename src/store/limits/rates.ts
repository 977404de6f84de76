import type { Transaction } from 'kysely';
import type { RateStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { RateTables } from './schema.js';

const SECOND_MS = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How far a recorded call may lie ahead: more than processes differ, less than a clock that was set back. */
const MAX_SKEW_MS = 60_000;

/** Calls of an account; what is no longer of the last second stays that long. */
const PRUNED_EVERY = 16;

type Calls = { called_at_ms: number; calls: number };
type Day = { started_at_ms: number; calls: number };

/**
 * Any second is a sliding one; a day begins with the first call after the last one's end. Calls are recorded in the order in which
 * they pass, whatever the processes' clocks say, so that "in any second" holds for what is recorded.
 *
 * Our own, though rate-limiter-flexible (11.4, well kept, no dependencies, stores in better-sqlite3) is at hand: its windows are
 * fixed, so that two calls at the end of one second and two at the start of the next would pass together; a limiter counts each
 * window in a statement of its own, so that a call refused by the day would still cost a place in the second; and it counts the
 * calls that it refuses.
 */
export function createRateRepository({ read, write, now }: Engine<RateTables>): RateStore {
  return {
    take: (account_id, limits) =>
      write(async (trx) => {
        const now_ms = Date.parse(await now(trx));
        const stored = await lockDay(trx, account_id, now_ms);
        const { time_ms, used } = await countRecent(trx, account_id, now_ms);
        const day = toCurrentDay(stored, time_ms);
        if (day.calls >= limits.per_day) {
          return { is_allowed: false, window: 'day', retry_after_ms: day.started_at_ms + DAY_MS - now_ms };
        }
        if (used >= limits.per_second) {
          const recent = await listRecent(trx, account_id, time_ms);
          const free_at_ms = getFreeTime(recent, used - limits.per_second + 1) ?? time_ms + SECOND_MS;
          return { is_allowed: false, window: 'second', retry_after_ms: free_at_ms - now_ms };
        }
        const calls = day.calls + 1;
        if (calls % PRUNED_EVERY === 0) await prune(trx, account_id, time_ms);
        await record(trx, account_id, time_ms, { ...day, calls });
        return {
          is_allowed: true,
          remaining_second: limits.per_second - used - 1,
          remaining_day: limits.per_day - calls,
        };
      }),
    look: (account_id, limits) =>
      read(async (trx) => {
        const now_ms = Date.parse(await now(trx));
        const { time_ms, used } = await countRecent(trx, account_id, now_ms);
        const day = toCurrentDay(await findDay(trx, account_id), time_ms);
        return {
          remaining_second: Math.max(0, limits.per_second - used),
          remaining_day: Math.max(0, limits.per_day - day.calls),
        };
      }),
  };
}

/** Writes the row of the account's day as it is, or a new one: calls of the account that come at once pass here one by one. */
function lockDay(trx: Transaction<RateTables>, account_id: string, now_ms: number): Promise<Day> {
  return trx
    .insertInto('days')
    .values({ account_id, started_at_ms: now_ms, calls: 0 })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ account_id }))
    .returning(['started_at_ms', 'calls'])
    .executeTakeFirstOrThrow();
}

function findDay(trx: Transaction<RateTables>, account_id: string): Promise<Day | undefined> {
  return trx
    .selectFrom('days')
    .select(['started_at_ms', 'calls'])
    .where('account_id', '=', account_id)
    .executeTakeFirst();
}

/** The time of a call that passes now, never before the last one that passed, and how many passed in the second before it. */
async function countRecent(
  trx: Transaction<RateTables>,
  account_id: string,
  now_ms: number,
): Promise<{ time_ms: number; used: number }> {
  const { last_ms, used } = await sumCalls(trx, account_id, now_ms, now_ms + MAX_SKEW_MS);
  if (last_ms === null || last_ms <= now_ms) return { time_ms: now_ms, used: Number(used) };
  // Another process's clock goes before this one.
  const until_last = await sumCalls(trx, account_id, last_ms, last_ms);
  return { time_ms: last_ms, used: Number(until_last.used) };
}

function sumCalls(trx: Transaction<RateTables>, account_id: string, second_to_ms: number, until_ms: number) {
  return trx
    .selectFrom('recent_calls')
    .select(({ fn }) => [fn.max('called_at_ms').as('last_ms'), fn.sum('calls').as('used')])
    .where('account_id', '=', account_id)
    .where('called_at_ms', '>', second_to_ms - SECOND_MS)
    .where('called_at_ms', '<=', until_ms)
    .executeTakeFirstOrThrow();
}

/** Calls of the second that ends at that time, the oldest first. */
function listRecent(trx: Transaction<RateTables>, account_id: string, time_ms: number): Promise<Calls[]> {
  return trx
    .selectFrom('recent_calls')
    .select(['called_at_ms', 'calls'])
    .where('account_id', '=', account_id)
    .where('called_at_ms', '>', time_ms - SECOND_MS)
    .where('called_at_ms', '<=', time_ms)
    .orderBy('called_at_ms')
    .execute();
}

/** Removes what is not of the second that ends at that time. */
async function prune(trx: Transaction<RateTables>, account_id: string, time_ms: number): Promise<void> {
  await trx
    .deleteFrom('recent_calls')
    .where('account_id', '=', account_id)
    .where((eb) => eb.or([eb('called_at_ms', '<=', time_ms - SECOND_MS), eb('called_at_ms', '>', time_ms)]))
    .execute();
}

async function record(
  trx: Transaction<RateTables>,
  account_id: string,
  time_ms: number,
  day: Day,
): Promise<void> {
  await trx
    .insertInto('recent_calls')
    .values({ account_id, called_at_ms: time_ms, calls: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'called_at_ms'])
        .doUpdateSet((eb) => ({ calls: eb('recent_calls.calls', '+', 1) })),
    )
    .execute();
  await trx.updateTable('days').set(day).where('account_id', '=', account_id).execute();
}

function toCurrentDay(day: Day | undefined, time_ms: number): Day {
  const isCurrent = day && time_ms < day.started_at_ms + DAY_MS && day.started_at_ms <= time_ms + MAX_SKEW_MS;
  return isCurrent ? day : { started_at_ms: time_ms, calls: 0 };
}

/** When the given number of the oldest calls has left the window. */
function getFreeTime(recent: readonly Calls[], leaving: number): number | undefined {
  let left = 0;
  for (const { called_at_ms, calls } of recent) {
    left += calls;
    if (left >= leaving) return called_at_ms + SECOND_MS;
  }
  return undefined;
}

import { sql, type Transaction } from 'kysely';
import type { RateStore, RateTaken } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { RateTables } from './schema.js';

const SECOND_MS = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * How far in the future a recorded call may be: more than the clocks of processes differ, less than a clock that was set
 * back.
 */
const MAX_SKEW_MS = 60_000;

/** Old calls of an account are deleted once in this many calls; until then they stay. */
const PRUNED_EVERY = 16;
/** Each failed attempt means that another call of the account passed: more than there are connections. */
const MAX_ATTEMPTS = 100;

type Limits = { per_second: number; per_day: number };
type Counts = Omit<RateTables['call_counts'], 'account_id'>;
/**
 * The state that a call passing at `time_ms` finds: how many passed in the second before it, and the day that it belongs to.
 */
type State = { time_ms: number; used: number; day_used: number; counts: Counts };

/**
 * The second is a sliding window; a day begins with the first call after the end of the last one. Calls are recorded in the
 * order in which they pass, even if the processes' clocks differ, so that "in any second" holds for the recorded times. They
 * are numbered in that order: the number of calls in a second is the difference of two numbers, however many they are.
 *
 * This is our own code, though rate-limiter-flexible (11.4, well maintained, no dependencies, stores in better-sqlite3)
 * exists: its windows are fixed, so that two calls at the end of one second and two at the start of the next would pass
 * together; a limiter counts each window in a statement of its own, so that a call refused by the day would still cost a slot
 * in the second; and it counts the calls that it refuses.
 *
 * The three queries of a call that passes are written as SQL: every call pays for them, and Kysely's builder takes two to
 * three times as long to build them as the database takes to answer them.
 */
export function createRateRepository({ read, write, now }: Engine<RateTables>): RateStore {
  return {
    take: (account_id, limits) =>
      write(async (trx) => {
        const now_ms = Date.parse(await now(trx));
        for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
          const state = await findState(trx, account_id, now_ms);
          const refusal = await findRefusal(trx, account_id, state, limits, now_ms);
          if (refusal) return refusal;
          if (await record(trx, account_id, state)) {
            return {
              is_allowed: true,
              remaining_second: limits.per_second - state.used - 1,
              remaining_day: limits.per_day - state.day_used - 1,
            };
          }
        }
        throw new Error('other calls of the account came before this one each time');
      }),
    peek: (account_id, limits) =>
      read(async (trx) => {
        const { used, day_used } = await findState(trx, account_id, Date.parse(await now(trx)));
        return {
          remaining_second: Math.max(0, limits.per_second - used),
          remaining_day: Math.max(0, limits.per_day - day_used),
        };
      }),
  };
}

async function findState(trx: Transaction<RateTables>, account_id: string, now_ms: number): Promise<State> {
  const { rows } = await sql<Counts & { calls_before_second: number | null }>`
    SELECT calls, last_at_ms, day_started_at_ms, calls_before_day, (
      SELECT calls_before FROM recent_calls
      WHERE recent_calls.account_id = ${account_id}
        AND called_at_ms > ${now_ms - SECOND_MS} AND called_at_ms > last_at_ms - ${SECOND_MS}
      ORDER BY called_at_ms LIMIT 1
    ) AS calls_before_second
    FROM call_counts WHERE account_id = ${account_id}
  `.execute(trx);
  const [found] = rows;
  if (!found) {
    const none = { calls: 0, last_at_ms: 0, day_started_at_ms: now_ms, calls_before_day: 0 };
    return { time_ms: now_ms, used: 0, day_used: 0, counts: none };
  }
  const { calls_before_second, ...counts } = found;
  // After a clock was set back, nothing is kept; a clock that is behind another process's continues from that one's time.
  const isSetBack = counts.last_at_ms > now_ms + MAX_SKEW_MS;
  if (isSetBack) return { time_ms: now_ms, used: 0, ...toCurrentDay(counts, now_ms) };
  const time_ms = Math.max(now_ms, counts.last_at_ms);
  const used = calls_before_second === null ? 0 : counts.calls - calls_before_second;
  return { time_ms, used, ...toCurrentDay(counts, time_ms) };
}

function toCurrentDay(counts: Counts, time_ms: number): Pick<State, 'day_used' | 'counts'> {
  const { calls, day_started_at_ms, calls_before_day } = counts;
  const isCurrent = time_ms < day_started_at_ms + DAY_MS && day_started_at_ms <= time_ms + MAX_SKEW_MS;
  if (isCurrent) return { day_used: calls - calls_before_day, counts };
  return { day_used: 0, counts: { ...counts, day_started_at_ms: time_ms, calls_before_day: calls } };
}

async function findRefusal(
  trx: Transaction<RateTables>,
  account_id: string,
  { time_ms, used, day_used, counts }: State,
  { per_second, per_day }: Limits,
  now_ms: number,
): Promise<RateTaken | undefined> {
  if (day_used >= per_day) {
    const retry_after_ms = counts.day_started_at_ms + DAY_MS - now_ms;
    return { is_allowed: false, window: 'day', retry_after_ms };
  }
  if (used < per_second) return undefined;
  // There is room once the call that is `per_second` calls back has left the second.
  const leaving = await trx
    .selectFrom('recent_calls')
    .select('called_at_ms')
    .where('account_id', '=', account_id)
    .where('called_at_ms', '>', time_ms - SECOND_MS)
    .where('calls_before', '<=', counts.calls - per_second)
    .orderBy('called_at_ms', 'desc')
    .limit(1)
    .executeTakeFirst();
  const free_at_ms = (leaving?.called_at_ms ?? time_ms) + SECOND_MS;
  return { is_allowed: false, window: 'second', retry_after_ms: free_at_ms - now_ms };
}

/** False if another call of the account passed since its counts were read; then nothing is written. */
async function record(
  trx: Transaction<RateTables>,
  account_id: string,
  { time_ms, counts }: State,
): Promise<boolean> {
  const { calls, last_at_ms, day_started_at_ms, calls_before_day } = counts;
  const { numAffectedRows } = await sql`
    INSERT INTO call_counts (account_id, calls, last_at_ms, day_started_at_ms, calls_before_day)
    VALUES (${account_id}, ${calls + 1}, ${time_ms}, ${day_started_at_ms}, ${calls_before_day})
    ON CONFLICT (account_id) DO UPDATE SET
      calls = excluded.calls,
      last_at_ms = excluded.last_at_ms,
      day_started_at_ms = excluded.day_started_at_ms,
      calls_before_day = excluded.calls_before_day
    WHERE call_counts.calls = ${calls}
  `.execute(trx);
  if (numAffectedRows !== 1n) return false;
  // After the clock was set back, the calls with later times must go: the numbers of recent calls rise with their times.
  if (last_at_ms > time_ms) await prune(trx, account_id, last_at_ms);
  if (last_at_ms !== time_ms) {
    await sql`
      INSERT INTO recent_calls (account_id, called_at_ms, calls_before)
      VALUES (${account_id}, ${time_ms}, ${calls})
    `.execute(trx);
  }
  if ((calls + 1) % PRUNED_EVERY === 0) await prune(trx, account_id, time_ms - SECOND_MS);
  return true;
}

async function prune(trx: Transaction<RateTables>, account_id: string, until_ms: number): Promise<void> {
  await trx
    .deleteFrom('recent_calls')
    .where('account_id', '=', account_id)
    .where('called_at_ms', '<=', until_ms)
    .execute();
}

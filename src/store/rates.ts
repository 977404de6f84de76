import { rmSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import type { Log, RatesLeft, RateStore } from '../core/ports/index.js';
import { APP_LIMITS } from './app_limits.js';
import { openConnection } from './connection.js';
import { isDamage, listDamage } from './integrity.js';
import { migrate, type Migration } from './migrate.js';

const SECOND_MS = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How far a recorded call may lie ahead: more than processes differ, less than a clock that was set back. */
const MAX_SKEW_MS = 60_000;

const MIGRATIONS: readonly Migration[] = [
  {
    name: '0001_rates',
    up: (sqlite) =>
      sqlite.exec(`
        CREATE TABLE recent_calls (
          account_id TEXT NOT NULL,
          called_at_ms INTEGER NOT NULL,
          calls INTEGER NOT NULL,
          PRIMARY KEY (account_id, called_at_ms)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE days (
          account_id TEXT NOT NULL PRIMARY KEY,
          started_at_ms INTEGER NOT NULL,
          calls INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
      `),
  },
  APP_LIMITS,
];

/**
 * The counters' own file. It does not wait for the disk, so a power loss may forget the last calls or even damage it; a damaged one
 * is begun anew. Call it under a lock over all processes.
 */
export async function openRates(file: string, log: Log): Promise<BetterSqlite3.Database> {
  const sqlite = (await openSound(file)) ?? (await openAnew(file, log));
  try {
    sqlite.transaction(() => migrate(sqlite, file, MIGRATIONS)).immediate();
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

async function openAnew(file: string, log: Log): Promise<BetterSqlite3.Database> {
  log.warn('the rate counters were damaged and begin anew');
  for (const path of [file, `${file}-wal`, `${file}-shm`]) rmSync(path, { force: true });
  return openConnection(file, 'OFF');
}

/** Undefined when the file is damaged. */
async function openSound(file: string): Promise<BetterSqlite3.Database | undefined> {
  try {
    const sqlite = await openConnection(file, 'OFF');
    if (listDamage(sqlite, 'quick_check').length === 0) return sqlite;
    sqlite.close();
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  return undefined;
}

type Call = { called_at_ms: number; calls: number };
type Day = { started_at_ms: number; calls: number };
type Limits = { per_second: number; per_day: number };

/**
 * Any second is a sliding one; a day begins with the first call after the last one's end. Calls are recorded in the order in which
 * they pass, whatever the processes' clocks say, so that "in any second" holds for what is recorded.
 *
 * Our own, though rate-limiter-flexible (11.4, well kept, no dependencies, stores in better-sqlite3) is at hand: its windows are
 * fixed, so that two calls at the end of one second and two at the start of the next would pass together; a limiter counts each
 * window in a statement of its own, so that a call refused by the day would still cost a place in the second; and it counts the
 * calls that it refuses.
 */
export function createRates(sqlite: BetterSqlite3.Database): RateStore {
  const listRecent = sqlite.prepare<[string, number, number], Call>(
    `SELECT called_at_ms, calls FROM recent_calls
       WHERE account_id = ? AND called_at_ms > ? AND called_at_ms <= ? ORDER BY called_at_ms`,
  );
  const findDay = sqlite.prepare<[string], Day>('SELECT started_at_ms, calls FROM days WHERE account_id = ?');
  const findLast = sqlite.prepare<[string, number], { called_at_ms: number | null }>(
    'SELECT MAX(called_at_ms) AS called_at_ms FROM recent_calls WHERE account_id = ? AND called_at_ms <= ?',
  );
  const sumRecent = sqlite.prepare<[string, number, number], { calls: number }>(
    `SELECT COALESCE(SUM(calls), 0) AS calls FROM recent_calls
       WHERE account_id = ? AND called_at_ms > ? AND called_at_ms <= ?`,
  );
  const pruneUntil = sqlite.prepare<[string, number]>(
    'DELETE FROM recent_calls WHERE account_id = ? AND called_at_ms <= ?',
  );
  const pruneAfter = sqlite.prepare<[string, number]>(
    'DELETE FROM recent_calls WHERE account_id = ? AND called_at_ms > ?',
  );
  const addCall = sqlite.prepare<[string, number]>(
    `INSERT INTO recent_calls (account_id, called_at_ms, calls) VALUES (?, ?, 1)
       ON CONFLICT (account_id, called_at_ms) DO UPDATE SET calls = calls + 1`,
  );
  const saveDay = sqlite.prepare<[string, number, number]>(
    `INSERT INTO days (account_id, started_at_ms, calls) VALUES (?, ?, ?)
       ON CONFLICT (account_id) DO UPDATE SET started_at_ms = excluded.started_at_ms, calls = excluded.calls`,
  );

  /** What counts now. `time_ms` is never before the last call that passed. */
  function count(account_id: string, now_ms: number): { time_ms: number; day: Day; used: number } {
    const last_ms = findLast.get(account_id, now_ms + MAX_SKEW_MS)?.called_at_ms;
    const time_ms = Math.max(now_ms, last_ms ?? now_ms);
    const day = toCurrentDay(findDay.get(account_id), time_ms);
    return { time_ms, day, used: sumRecent.get(account_id, time_ms - SECOND_MS, time_ms)?.calls ?? 0 };
  }

  const take = sqlite.transaction(
    (account_id: string, now_ms: number, limits: Limits): Awaited<ReturnType<RateStore['take']>> => {
      const { time_ms, day, used } = count(account_id, now_ms);
      if (day.calls >= limits.per_day) {
        return { is_allowed: false, window: 'day', retry_after_ms: day.started_at_ms + DAY_MS - now_ms };
      }
      if (used >= limits.per_second) {
        const recent = listRecent.all(account_id, time_ms - SECOND_MS, time_ms);
        const free_at_ms = getFreeTime(recent, used - limits.per_second + 1) ?? time_ms + SECOND_MS;
        return { is_allowed: false, window: 'second', retry_after_ms: free_at_ms - now_ms };
      }
      pruneUntil.run(account_id, time_ms - SECOND_MS);
      pruneAfter.run(account_id, time_ms);
      addCall.run(account_id, time_ms);
      saveDay.run(account_id, day.started_at_ms, day.calls + 1);
      return {
        is_allowed: true,
        remaining_second: limits.per_second - used - 1,
        remaining_day: limits.per_day - day.calls - 1,
      };
    },
  );

  const look = sqlite.transaction((account_id: string, now_ms: number, limits: Limits): RatesLeft => {
    const { day, used } = count(account_id, now_ms);
    return {
      remaining_second: Math.max(0, limits.per_second - used),
      remaining_day: Math.max(0, limits.per_day - day.calls),
    };
  });

  return {
    look: async (account_id, now_epoch_ms, limits) => look(account_id, now_epoch_ms, limits),
    take: async (account_id, now_epoch_ms, limits) => take.immediate(account_id, now_epoch_ms, limits),
  };
}

function toCurrentDay(day: Day | undefined, time_ms: number): Day {
  const isCurrent = day && time_ms < day.started_at_ms + DAY_MS && day.started_at_ms <= time_ms + MAX_SKEW_MS;
  return isCurrent ? day : { started_at_ms: time_ms, calls: 0 };
}

/** When the given number of the oldest calls has left the window. */
function getFreeTime(recent: readonly Call[], leaving: number): number | undefined {
  let left = 0;
  for (const call of recent) {
    left += call.calls;
    if (left >= leaving) return call.called_at_ms + SECOND_MS;
  }
  return undefined;
}

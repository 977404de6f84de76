import { rmSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import type { AppLimitStore, Log, RateStore, RateTaken } from '../core/ports/index.js';
import { APP_LIMITS, createAppLimits, HELD_AT } from './app_limits.js';
import { openConnection } from './engine/sqlite/connection.js';
import { isDamage, listDamage } from './engine/sqlite/integrity.js';
import { runExclusive } from './engine/sqlite/locking.js';
import { isUpToDate, migrate, type Migration } from './engine/sqlite/migrate.js';
import { createSharedWrite } from './shared_write.js';

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
  HELD_AT,
];

/**
 * The counters' own file. It does not wait for the disk, so a power loss may forget the last calls or even damage it; a damaged one
 * is begun anew. Call it under a lock over all processes.
 */
export async function openRates(file: string, log: Log): Promise<BetterSqlite3.Database> {
  const sqlite = (await openSound(file)) ?? (await openAnew(file, log));
  try {
    // Mostly it is, and who starts waits for nobody who counts.
    if (!isUpToDate(sqlite, MIGRATIONS)) {
      await runExclusive(sqlite, async () => migrate(sqlite, file, MIGRATIONS));
    }
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
 * What counts of an account: its calls of the last second, the oldest first, how many they are, and its day. `unwritten`: those of
 * the calls that the file does not have yet.
 */
type Window = { recent: Call[]; used: number; day: Day | undefined; unwritten: Call[] };

/** So many accounts are remembered; then all are read anew. */
const MAX_REMEMBERED = 10_000;

/** So many calls of an account pass in two milliseconds only where thousands may pass in a second. */
const RUSH = 4;

/** The counters, and the end of what is under way on their file. */
export type Rates = RateStore & AppLimitStore & { settle(): void };

/**
 * Any second is a sliding one; a day begins with the first call after the last one's end. Calls are recorded in the order in which
 * they pass, whatever the processes' clocks say, so that "in any second" holds for what is recorded.
 *
 * Any process on the directory may take the next place, so each has to see all places that are taken: whoever takes one holds the
 * file's write lock. A process alone keeps it for two milliseconds, in a rush for fifty, in which it counts in memory, and writes
 * at their end; with others on the directory it is given back at once. What was written is remembered as long as no other process
 * has written, which SQLite tells for next to nothing, so that a process alone reads nothing.
 *
 * Our own, though rate-limiter-flexible (11.4, well kept, no dependencies, stores in better-sqlite3) is at hand: its windows are
 * fixed, so that two calls at the end of one second and two at the start of the next would pass together; a limiter counts each
 * window in a statement of its own, so that a call refused by the day would still cost a place in the second; and it counts the
 * calls that it refuses.
 */
export function createRates(sqlite: BetterSqlite3.Database, log: Log, hasOthers: () => boolean): Rates {
  const getVersion = sqlite.prepare<[], { data_version: number }>('PRAGMA data_version');
  const listRecent = sqlite.prepare<[string], Call>(
    'SELECT called_at_ms, calls FROM recent_calls WHERE account_id = ? ORDER BY called_at_ms',
  );
  const findDay = sqlite.prepare<[string], Day>('SELECT started_at_ms, calls FROM days WHERE account_id = ?');
  const prune = sqlite.prepare<[string, number, number]>(
    'DELETE FROM recent_calls WHERE account_id = ? AND (called_at_ms <= ? OR called_at_ms > ?)',
  );
  const addCalls = sqlite.prepare<[string, number, number]>(
    `INSERT INTO recent_calls (account_id, called_at_ms, calls) VALUES (?, ?, ?)
       ON CONFLICT (account_id, called_at_ms) DO UPDATE SET calls = calls + excluded.calls`,
  );
  const saveDay = sqlite.prepare<[string, number, number]>(
    `INSERT INTO days (account_id, started_at_ms, calls) VALUES (?, ?, ?)
       ON CONFLICT (account_id) DO UPDATE SET started_at_ms = excluded.started_at_ms, calls = excluded.calls`,
  );
  const remembered = new Map<string, Window>();
  /** Accounts with calls that the file does not have yet. */
  const unwritten = new Set<string>();
  let version: number | undefined;

  const shared = createSharedWrite(sqlite, {
    onBegin: lookForOthers,
    hasOthers,
    isRush: () =>
      unwritten.size > 0 &&
      [...unwritten].every((account_id) => countCalls(remembered.get(account_id)?.unwritten ?? []) >= RUSH),
    onEnd() {
      for (const account_id of unwritten) write(account_id);
      unwritten.clear();
    },
    onUndone() {
      unwritten.clear();
      remembered.clear();
    },
    onLost: (error) => log.warn('calls of the last moment could not be counted', { error }),
  });

  /** While all is written. What is remembered is forgotten when another process has written too. */
  function lookForOthers(): void {
    const now = getVersion.get()?.data_version;
    if (now !== version || remembered.size >= MAX_REMEMBERED) remembered.clear();
    version = now;
  }

  function getWindow(account_id: string): Window {
    const known = remembered.get(account_id);
    if (known) return known;
    const recent = listRecent.all(account_id);
    const window = { recent, used: countCalls(recent), day: findDay.get(account_id), unwritten: [] };
    remembered.set(account_id, window);
    return window;
  }

  function write(account_id: string): void {
    const window = remembered.get(account_id);
    const last = window?.unwritten.at(-1);
    if (!window || !last) return;
    const time_ms = last.called_at_ms;
    prune.run(account_id, time_ms - SECOND_MS, time_ms);
    for (const { called_at_ms, calls } of window.unwritten) {
      if (isInside(called_at_ms, time_ms)) addCalls.run(account_id, called_at_ms, calls);
    }
    window.unwritten = [];
    if (window.day) saveDay.run(account_id, window.day.started_at_ms, window.day.calls);
  }

  function take(account_id: string, now_ms: number, limits: Limits): RateTaken {
    const window = getWindow(account_id);
    const time_ms = getTime(window, now_ms);
    const day = toCurrentDay(window.day, time_ms);
    const used = countUsed(window, time_ms);
    if (day.calls >= limits.per_day) {
      return { is_allowed: false, window: 'day', retry_after_ms: day.started_at_ms + DAY_MS - now_ms };
    }
    if (used >= limits.per_second) {
      const recent = window.recent.filter(({ called_at_ms }) => isInside(called_at_ms, time_ms));
      const free_at_ms = getFreeTime(recent, used - limits.per_second + 1) ?? time_ms + SECOND_MS;
      return { is_allowed: false, window: 'second', retry_after_ms: free_at_ms - now_ms };
    }
    // Of a clock that was set back: what is written next is pruned by the time of its last call.
    if ((window.unwritten.at(-1)?.called_at_ms ?? time_ms) > time_ms) write(account_id);
    const after = { started_at_ms: day.started_at_ms, calls: day.calls + 1 };
    pass(window, used, time_ms, after);
    unwritten.add(account_id);
    return {
      is_allowed: true,
      remaining_second: limits.per_second - used - 1,
      remaining_day: limits.per_day - after.calls,
    };
  }

  /** One moment for all that is read; nothing else happens on this connection meanwhile. */
  const readWindow = sqlite.transaction((account_id: string): Window => {
    if (unwritten.size === 0) lookForOthers();
    return getWindow(account_id);
  });

  return {
    take: (account_id, now_epoch_ms, limits) => shared.run(() => take(account_id, now_epoch_ms, limits)),
    async look(account_id, now_epoch_ms, limits) {
      const window = readWindow(account_id);
      const time_ms = getTime(window, now_epoch_ms);
      return {
        remaining_second: Math.max(0, limits.per_second - countUsed(window, time_ms)),
        remaining_day: Math.max(0, limits.per_day - toCurrentDay(window.day, time_ms).calls),
      };
    },
    ...createAppLimits(sqlite, shared),
    settle: shared.settle,
  };
}

/** The time of a call that passed now: never before the last one that passed. */
function getTime({ recent }: Window, now_ms: number): number {
  const last = recent.findLast(({ called_at_ms }) => called_at_ms <= now_ms + MAX_SKEW_MS);
  return Math.max(now_ms, last?.called_at_ms ?? now_ms);
}

const countUsed = (window: Window, time_ms: number): number =>
  window.used - sumOutside(window.recent, time_ms);

const isInside = (called_at_ms: number, time_ms: number): boolean =>
  called_at_ms > time_ms - SECOND_MS && called_at_ms <= time_ms;

const countCalls = (recorded: readonly Call[]): number => recorded.reduce((sum, { calls }) => sum + calls, 0);

/** Calls at both ends of the list that are not of the second before that time. */
function sumOutside(recent: readonly Call[], time_ms: number): number {
  let sum = 0;
  for (const { called_at_ms, calls } of recent) {
    if (called_at_ms > time_ms - SECOND_MS) break;
    sum += calls;
  }
  for (let last = recent.length - 1; last >= 0; last -= 1) {
    const call = recent[last];
    if (!call || call.called_at_ms <= time_ms) break;
    sum += call.calls;
  }
  return sum;
}

/** Calls that have left the window are taken out when they are so much of it, since that looks at all of them. */
const LEFT_SHARE = 1 / 16;

/** Remembers a call as the file will have it. */
function pass(window: Window, used: number, time_ms: number, day: Day): void {
  if (window.used - used > used * LEFT_SHARE) {
    window.recent = window.recent.filter(({ called_at_ms }) => isInside(called_at_ms, time_ms));
    window.used = used;
  }
  count(window.recent, time_ms);
  count(window.unwritten, time_ms);
  window.used += 1;
  window.day = day;
}

function count(calls: Call[], time_ms: number): void {
  const last = calls.at(-1);
  if (last?.called_at_ms === time_ms) last.calls += 1;
  else calls.push({ called_at_ms: time_ms, calls: 1 });
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

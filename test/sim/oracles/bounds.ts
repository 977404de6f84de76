import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { openAddon } from '../../../src/sqlite.js';
import { KEPT_DAYS } from '../world/machine.js';
import type { World } from '../world/world.js';

const DAY_MS = 24 * 3_600_000;
/** Rows swept daily may remain this much longer, because computers sleep. */
const SLACK_DAYS = 4;
/** If the heap grows by this much in months with little activity, something is leaking. */
const MOST_GROWTH = 24 * 1024 * 1024;

/** Rows that must be swept, by their age in days according to `swept_at`. */
const SWEPT = [
  { rows: 'deliveries', swept_at: 'created_at', days: KEPT_DAYS },
  { rows: 'events', swept_at: 'created_at', days: KEPT_DAYS },
  { rows: 'order_hints', swept_at: 'finished_at', days: 7 },
  { rows: 'listing_hints', swept_at: 'received_at', days: 7 },
  { rows: 'key_bindings', swept_at: 'bound_at', days: 30 },
  { rows: 'job_parts', swept_at: 'saved_at', days: 90 },
  { rows: 'kept_files', swept_at: 'keep_until', days: 0 },
  {
    rows: `jobs JOIN listings USING (account_id, listing_pk)
      WHERE plan <> 'null' AND (listings.job_id <> jobs.job_id OR listings.status = 'published')`,
    swept_at: 'completed_at',
    days: KEPT_DAYS,
  },
] as const;

/** The most rows there may ever be, whatever was done. */
const FEW = [
  { file: 'service.db', table: 'order_polls', most: 2 },
  { file: 'service.db', table: 'listing_looks', most: 2 },
  { file: 'service.db', table: 'refresh_locks', most: 2 },
  { file: 'rates.db', table: 'app_limits', most: 1 },
  { file: 'rates.db', table: 'call_counts', most: 1 },
  { file: 'rates.db', table: 'recent_calls', most: 100 },
] as const;

/** No row remains past its sweep, and tables that should have few rows have few. */
export function judgeRows({ folder, schedule, plan }: World): string[] {
  const data = join(folder, 'data');
  const old = inspect(data, 'service.db', (database) =>
    SWEPT.flatMap(({ rows, swept_at, days }) => {
      const before = new Date(schedule.now() - (days + SLACK_DAYS) * DAY_MS).toISOString();
      const [table = ''] = rows.split(' ');
      const sql = `SELECT count(*) AS n FROM (SELECT ${swept_at} AS at FROM ${rows}) WHERE at < ?`;
      const { n } = database.prepare(sql).get(before) as { n: number };
      return n > 0 ? [`${n} rows of ${table} are older than ${days} days`] : [];
    }),
  );
  const many = FEW.flatMap(({ file, table, most }) =>
    inspect(data, file, (database) => {
      const { n } = database.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number };
      return n > most ? [`${n} rows of ${table}`] : [];
    }),
  );
  const processes = readdirSync(join(data, 'processes')).length;
  // A lock and its journal for each, and one for the process opening a file.
  const most = 2 * plan.machines.length + 1;
  return [...old, ...many, ...(processes > most ? [`${processes} files of processes`] : [])];
}

function inspect(data: string, file: string, read: (database: BetterSqlite3.Database) => string[]): string[] {
  const database = openAddon(join(data, file), { readonly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

/** Bytes of the heap in use. */
export function measureHeap(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
}

export function judgeMemory([early, late]: readonly number[]): string[] {
  if (early === undefined || late === undefined || late - early < MOST_GROWTH) return [];
  return [`the heap has grown by ${Math.round((late - early) / 1024 / 1024)} MB`];
}

import type BetterSqlite3 from 'better-sqlite3';
import type { Engine } from '../engine.js';
import type { Tables } from '../../schema.js';
import { isSystemError } from './system_error.js';

/** The stores that this process has open, to tell them from those of an earlier process that had the same pid. */
const openHere = new Set<string>();

/**
 * Runs that ended without saying so: their process is gone, their row is not. Several processes share a data directory as a
 * matter of course, so one yes-or-no marker could not tell a crash from a neighbour.
 */
export function listCrashedRuns(sqlite: BetterSqlite3.Database): string[] {
  if (!hasTable(sqlite)) return [];
  const rows = sqlite.prepare<[], { run_id: string; pid: number }>('SELECT run_id, pid FROM runs').all();
  return rows.filter((row) => !isRunning(row)).map((row) => row.run_id);
}

/** @param crashed rows to clear away, once what they hint at has been looked into */
export function startRun(
  sqlite: BetterSqlite3.Database,
  run: { run_id: string; started_at: string },
  crashed: readonly string[],
): void {
  const remove = sqlite.prepare<[string]>('DELETE FROM runs WHERE run_id = ?');
  for (const run_id of crashed) remove.run(run_id);
  sqlite
    .prepare<[string, number, string]>('INSERT INTO runs (run_id, pid, started_at) VALUES (?, ?, ?)')
    .run(run.run_id, process.pid, run.started_at);
  openHere.add(run.run_id);
}

/** The clean stop. */
export async function endRun({ write }: Engine<Tables>, run_id: string): Promise<void> {
  openHere.delete(run_id);
  await write((trx) => trx.deleteFrom('runs').where('run_id', '=', run_id).execute());
}

function hasTable(sqlite: BetterSqlite3.Database): boolean {
  return (
    sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'runs'").get() !== undefined
  );
}

function isRunning(run: { run_id: string; pid: number }): boolean {
  if (run.pid === process.pid) return openHere.has(run.run_id);
  try {
    process.kill(run.pid, 0);
    return true;
  } catch (error) {
    // Anything but "no such process" (EPERM: another user's) means that it is there.
    return !isSystemError(error, 'ESRCH');
  }
}

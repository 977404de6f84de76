import { rmSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import type { Log } from '../../../core/ports/index.js';
import { RATES_SCHEMA } from '../../migrations/sqlite/rates_schema.js';
import { openConnection, openReader } from './connection.js';
import type { Connections } from './engine.js';
import { isDamage, listDamage } from './integrity.js';
import { runExclusive } from './locking.js';
import { isUpToDate, migrate } from './migrate.js';

/**
 * The counters' own file. It does not wait for the disk, so a power loss may forget the last calls or even damage it; a damaged one
 * is begun anew. Call it under a lock over all processes.
 */
export async function openRates(file: string, log: Log): Promise<Connections> {
  const writer = (await openSound(file)) ?? (await openAnew(file, log));
  try {
    // Mostly it is, and a process that starts waits for none that counts.
    if (!isUpToDate(writer, RATES_SCHEMA)) {
      await runExclusive(writer, async () => migrate(writer, file, RATES_SCHEMA));
    }
    return { writer, reader: openReader(file) };
  } catch (error) {
    writer.close();
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

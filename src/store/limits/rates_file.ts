import { rmSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import type { Log } from '../../core/ports/index.js';
import { openConnection, openReader } from '../engine/sqlite/connection.js';
import type { Connections } from '../engine/sqlite/engine.js';
import { isDamage, listDamage } from '../engine/sqlite/integrity.js';
import { runExclusive } from '../engine/sqlite/locking.js';
import { isUpToDate, migrate, type Migration } from '../engine/sqlite/migrate.js';

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
  {
    name: '0002_app_limits',
    up: (sqlite) =>
      sqlite.exec(`
        CREATE TABLE app_limits (
          app TEXT NOT NULL PRIMARY KEY,
          per_second INTEGER,
          per_day INTEGER,
          remaining_today INTEGER,
          read_at_ms INTEGER NOT NULL,
          held_until_ms INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
      `),
  },
  {
    name: '0003_held_at',
    // What was kept before does not tell when a hold began.
    up: (sqlite) =>
      sqlite.exec(`
        ALTER TABLE app_limits ADD COLUMN held_at_ms INTEGER NOT NULL DEFAULT 0;
        UPDATE app_limits SET held_until_ms = 0;
      `),
  },
];

/**
 * The counters' own file. It does not wait for the disk, so a power loss may forget the last calls or even damage it; a damaged one
 * is begun anew. Call it under a lock over all processes.
 */
export async function openRates(file: string, log: Log): Promise<Connections> {
  const writer = (await openSound(file)) ?? (await openAnew(file, log));
  try {
    // Mostly it is, and a process that starts waits for none that counts.
    if (!isUpToDate(writer, MIGRATIONS)) {
      await runExclusive(writer, async () => migrate(writer, file, MIGRATIONS));
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

import { rmSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import type { Log } from '../../core/ports/index.js';
import { openConnection, openReader } from '../engine/sqlite/connection.js';
import type { Connections } from '../engine/sqlite/engine.js';
import { isDamage, listDamage } from '../engine/sqlite/integrity.js';
import { runExclusive } from '../engine/sqlite/locking.js';
import { isUpToDate, migrate, type Schema } from '../engine/sqlite/migrate.js';

const CALLS = `
  CREATE TABLE call_counts (
    account_id TEXT NOT NULL PRIMARY KEY,
    calls INTEGER NOT NULL,
    last_at_ms INTEGER NOT NULL,
    day_started_at_ms INTEGER NOT NULL,
    calls_before_day INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE recent_calls (
    account_id TEXT NOT NULL,
    called_at_ms INTEGER NOT NULL,
    calls_before INTEGER NOT NULL,
    PRIMARY KEY (account_id, called_at_ms)
  ) STRICT, WITHOUT ROWID;
`;

const RATES_SCHEMA: Schema = {
  initial: {
    version: 3,
    sql: [
      `
      ${CALLS}

      CREATE TABLE app_limits (
        app TEXT NOT NULL PRIMARY KEY,
        per_second INTEGER,
        per_day INTEGER,
        remaining_today INTEGER,
        read_at_ms INTEGER NOT NULL,
        held_until_ms INTEGER NOT NULL,
        held_at_ms INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      `,
    ],
  },
  before: {
    name: 'from 2',
    // What was kept before does not tell when a hold began. Who called in the last second is forgotten, not how often today.
    up: (sqlite) =>
      sqlite.exec(`
        DROP TABLE recent_calls;
        ${CALLS}
        INSERT INTO call_counts SELECT account_id, calls, started_at_ms, started_at_ms, 0 FROM days;
        DROP TABLE days;
        ALTER TABLE app_limits ADD COLUMN held_at_ms INTEGER NOT NULL DEFAULT 0;
        UPDATE app_limits SET held_until_ms = 0;
      `),
  },
  later: [],
};

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

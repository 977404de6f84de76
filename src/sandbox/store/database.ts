/* oxlint-disable typescript/no-unnecessary-type-parameters, typescript/no-unsafe-type-assertion --
   a row's type is stated beside its SQL and not checked; STRICT tables hold the columns to it */
import type SqliteDatabase from 'better-sqlite3';
import { isSqliteError, openAddon } from '../../sqlite.js';
import { TABLES } from './tables.js';

export type SqlValue = string | number | null | Buffer;

/** The sandbox's SQLite file. Statements are prepared on first use and kept. */
export type Database = {
  find<Row>(sql: string, ...values: SqlValue[]): Row | undefined;
  list<Row>(sql: string, ...values: SqlValue[]): Row[];
  run(sql: string, ...values: SqlValue[]): number;
  /** One write transaction (BEGIN IMMEDIATE): an error in `work` rolls it back. */
  write<T>(work: () => T): T;
  /** One read transaction: all statements see the same state. */
  read<T>(work: () => T): T;
  close(): void;
};

const BUSY_TIMEOUT_MS = 5000;
const WAL_ATTEMPTS = 100;
const WAL_PAUSE_MS = 20;

/** Opens the file (or ':memory:') and creates missing tables; several processes may do so at once. */
export function openDatabase(file: string): Database {
  const sqlite = openAddon(file, { timeout: BUSY_TIMEOUT_MS });
  const statements = new Map<string, SqliteDatabase.Statement>();
  const prepare: Prepare = (sql) => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = sqlite.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  switchToWal(prepare);
  prepare('PRAGMA synchronous = NORMAL').run();
  const write = <T>(work: () => T): T => sqlite.transaction(work).immediate();
  if (readVersion(prepare) !== TABLES_VERSION) {
    write(() => createTables(sqlite, prepare));
  }
  return {
    find: <Row>(sql: string, ...values: SqlValue[]) => prepare(sql).get(...values) as Row | undefined,
    list: <Row>(sql: string, ...values: SqlValue[]) => prepare(sql).all(...values) as Row[],
    run: (sql, ...values) => prepare(sql).run(...values).changes,
    write,
    read: <T>(work: () => T): T => sqlite.transaction(work).deferred(),
    close: () => {
      sqlite.close();
    },
  };
}

/** Copies one state of the file into a new one. Throws if the file does not exist, or if `to` exists. */
export function copyDatabase(file: string, to: string): void {
  const sqlite = openAddon(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    sqlite.prepare('VACUUM INTO ?').run(to);
  } finally {
    sqlite.close();
  }
}

/** Raised with each addition to the tables: an older file gets the missing ones when it is opened. */
const TABLES_VERSION = 5;

type Prepare = (sql: string) => SqliteDatabase.Statement;

function readVersion(prepare: Prepare): number {
  return (prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

function createTables(sqlite: SqliteDatabase.Database, prepare: Prepare): void {
  if (readVersion(prepare) === TABLES_VERSION) return;
  sqlite.exec(TABLES);
  sqlite.exec(`PRAGMA user_version = ${TABLES_VERSION}`);
}

// Changing the journal mode needs exclusive access and ignores the busy timeout, so concurrent first starts
// collide here.
function switchToWal(prepare: Prepare): void {
  for (let attempt = 1; attempt <= WAL_ATTEMPTS; attempt += 1) {
    try {
      prepare('PRAGMA journal_mode = WAL').get();
      return;
    } catch (error) {
      const isBusy = isSqliteError(error) && error.code.startsWith('SQLITE_BUSY');
      if (!isBusy || attempt === WAL_ATTEMPTS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAL_PAUSE_MS);
    }
  }
}

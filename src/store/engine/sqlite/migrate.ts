import type BetterSqlite3 from 'better-sqlite3';
import { StoreError } from '../../store_error.js';

/** One step of a schema. Never changed once released. */
export type Migration = { up(sqlite: BetterSqlite3.Database): void };

/** How a file comes to be as this release needs it. Its version is SQLite's user_version; a new file has 0. */
export type Schema = {
  /** What a new file begins with. */
  initial: { version: number; sql: readonly string[] };
  /** Brings a file of the version before `initial` to it. Files that are older than that are refused. */
  before: Migration;
  /** Steps after `initial`, in order; new ones go to the end. */
  later: readonly Migration[];
};

/** The version that files have in this release. */
export function getKnownVersion({ initial, later }: Schema): number {
  return initial.version + later.length;
}

/** Reads only, and waits for no process that writes. */
export function isUpToDate(sqlite: BetterSqlite3.Database, schema: Schema): boolean {
  return getVersion(sqlite) === getKnownVersion(schema);
}

/** Whether nothing was ever made in the file. */
export function isNew(sqlite: BetterSqlite3.Database): boolean {
  return getVersion(sqlite) === 0;
}

/** Throws StoreError when the file was written by a newer release, or by one that is too old. Reads only. */
export function checkVersion(sqlite: BetterSqlite3.Database, file: string, schema: Schema): void {
  const version = getVersion(sqlite);
  const known = getKnownVersion(schema);
  if (version > known) {
    throw new StoreError(
      `${file} has schema version ${version}, and this release knows only ${known}. Start the newer release, or restore a backup made by this one.`,
    );
  }
  const oldest = schema.initial.version - 1;
  if (version !== 0 && version < oldest) {
    throw new StoreError(
      `${file} has schema version ${version}, and this release brings up to date what has ${oldest} or more. Start a release between the two once, then this one.`,
    );
  }
}

/** Brings the schema up to date. Call it inside a write transaction: that is the lock between processes that start at once. */
export function migrate(sqlite: BetterSqlite3.Database, file: string, schema: Schema): void {
  checkVersion(sqlite, file, schema);
  if (isUpToDate(sqlite, schema)) return;
  const { initial, before, later } = schema;
  const version = getVersion(sqlite);
  if (version === 0) for (const sql of initial.sql) sqlite.exec(sql);
  else if (version < initial.version) before.up(sqlite);
  for (const step of later.slice(Math.max(0, version - initial.version))) step.up(sqlite);
  sqlite.pragma(`user_version = ${getKnownVersion(schema)}`);
}

function getVersion(sqlite: BetterSqlite3.Database): number {
  return Number(sqlite.pragma('user_version', { simple: true }));
}

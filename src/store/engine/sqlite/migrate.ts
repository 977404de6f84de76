import type BetterSqlite3 from 'better-sqlite3';
import { StoreError } from '../../store_error.js';

/** One step of a schema. Never changed once released. */
export type Migration = { up(sqlite: BetterSqlite3.Database): void };

/** How a file gets the schema that this release needs. Its version is SQLite's user_version; a new file has 0. */
export type Schema = {
  /** The schema of a new file before the steps. Files of an older version are refused. */
  initial: { version: number; sql: readonly string[] };
  /** Steps after `initial`, in order; new ones go to the end. */
  later: readonly Migration[];
};

/** The version that files have in this release. */
export function getKnownVersion({ initial, later }: Schema): number {
  return initial.version + later.length;
}

/** Only reads, and does not wait for a process that writes. */
export function isUpToDate(sqlite: BetterSqlite3.Database, schema: Schema): boolean {
  return getVersion(sqlite) === getKnownVersion(schema);
}

/** Whether nothing was ever created in the file. */
export function isNew(sqlite: BetterSqlite3.Database): boolean {
  return getVersion(sqlite) === 0;
}

/** Returns why this release cannot use the file: a newer release wrote it, or one that is too old. Only reads. */
export function findMisfit(sqlite: BetterSqlite3.Database, file: string, schema: Schema): string | undefined {
  const version = getVersion(sqlite);
  const known = getKnownVersion(schema);
  if (version > known) {
    return `${file} has schema version ${version}, and this release knows only ${known}. Start the newer release, or restore a backup made by this one.`;
  }
  const oldest = schema.initial.version;
  if (version === 0 || version >= oldest) return undefined;
  return `${file} has schema version ${version}, and this release upgrades only version ${oldest} or later. Start a release from in between once, then this one.`;
}

/** Throws StoreError if this release cannot use the file. Only reads. */
export function checkVersion(sqlite: BetterSqlite3.Database, file: string, schema: Schema): void {
  const misfit = findMisfit(sqlite, file, schema);
  if (misfit !== undefined) throw new StoreError(misfit);
}

/**
 * Brings the schema up to date. Call it inside a write transaction, which is the lock between processes that start at once.
 */
export function migrate(sqlite: BetterSqlite3.Database, file: string, schema: Schema): void {
  checkVersion(sqlite, file, schema);
  if (isUpToDate(sqlite, schema)) return;
  const { initial, later } = schema;
  const version = getVersion(sqlite);
  if (version === 0) for (const sql of initial.sql) sqlite.exec(sql);
  for (const step of later.slice(Math.max(0, version - initial.version))) step.up(sqlite);
  sqlite.pragma(`user_version = ${getKnownVersion(schema)}`);
}

function getVersion(sqlite: BetterSqlite3.Database): number {
  return Number(sqlite.pragma('user_version', { simple: true }));
}

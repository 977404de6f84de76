import type BetterSqlite3 from 'better-sqlite3';
import { StoreError } from '../../store_error.js';

/** One step of the schema. Never changed once released; its place in the list is its version. */
export type Migration = { name: string; up(sqlite: BetterSqlite3.Database): void };

/** Reads only, and waits for nobody who writes. */
export function isUpToDate(sqlite: BetterSqlite3.Database, migrations: readonly Migration[]): boolean {
  return getVersion(sqlite) === migrations.length;
}

/** Throws StoreError when the file was written by a newer release. Reads only. */
export function checkVersion(
  sqlite: BetterSqlite3.Database,
  file: string,
  migrations: readonly Migration[],
): void {
  const version = getVersion(sqlite);
  if (version <= migrations.length) return;
  throw new StoreError(
    `${file} has schema version ${version}, and this release knows only ${migrations.length}. Start the newer release, or restore a backup made by this one.`,
  );
}

/** Brings the schema up to date. Call it inside a write transaction: that is the lock between processes that start at once. */
export function migrate(
  sqlite: BetterSqlite3.Database,
  file: string,
  migrations: readonly Migration[],
): void {
  checkVersion(sqlite, file, migrations);
  const version = getVersion(sqlite);
  if (version === migrations.length) return;
  for (const migration of migrations.slice(version)) migration.up(sqlite);
  sqlite.pragma(`user_version = ${migrations.length}`);
}

function getVersion(sqlite: BetterSqlite3.Database): number {
  return Number(sqlite.pragma('user_version', { simple: true }));
}

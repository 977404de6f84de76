import type BetterSqlite3 from 'better-sqlite3';
import { CREATE_HOLD_TABLE, HOLD_TABLE, type Hold } from '../holds.js';

/** Only reads, so it also works on a database of another release. */
export function findHold(sqlite: BetterSqlite3.Database): Hold | undefined {
  if (!hasTable(sqlite, HOLD_TABLE)) return undefined;
  return sqlite.prepare<[], Hold>(`SELECT reason, place, move_id, since FROM ${HOLD_TABLE}`).get();
}

/** Replaces an existing hold. */
export function setHold(sqlite: BetterSqlite3.Database, hold: Hold): void {
  const { reason, place, move_id, since } = hold;
  sqlite.transaction(() => {
    liftHold(sqlite);
    sqlite.exec(`${CREATE_HOLD_TABLE} STRICT`);
    sqlite.prepare(`INSERT INTO ${HOLD_TABLE} VALUES (?, ?, ?, ?)`).run(reason, place, move_id, since);
  })();
}

export function liftHold(sqlite: BetterSqlite3.Database): void {
  sqlite.exec(`DROP TABLE IF EXISTS ${HOLD_TABLE}`);
}

export function hasTable(sqlite: BetterSqlite3.Database, name: string): boolean {
  const find = sqlite.prepare<[string]>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  return find.get(name) !== undefined;
}

import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, type Transaction } from 'kysely';
import { createDialect } from './dialect.js';
import type { Tables } from './schema.js';

/** Typed queries on one connection. Inside `read` and `write` use what they hand over: `db` would wait for itself. */
export type Database = {
  /** For reads of one statement. */
  db: Kysely<Tables>;
  /** One moment for several reads; blocks no writer. */
  read<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** One write transaction over all processes at a time. Every write goes through here, so that none blocks the event loop. */
  write<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export function createDatabase(sqlite: BetterSqlite3.Database): Database {
  const db = new Kysely<Tables>({ dialect: createDialect(sqlite) });
  return {
    db,
    read: (work) => db.transaction().setAccessMode('read only').execute(work),
    write: (work) => db.transaction().execute(work),
    close: () => db.destroy(),
  };
}

import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, type CompiledQuery, type Transaction } from 'kysely';
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
  /**
   * For a row that is looked up on every call: the query is built and prepared once.
   * @param query with any values; those that count are given later, in their order
   */
  prepareFirst<Row>(
    query: CompiledQuery<Row>,
  ): (...parameters: readonly (string | number)[]) => Promise<Row | undefined>;
  close(): Promise<void>;
};

export function createDatabase(sqlite: BetterSqlite3.Database): Database {
  const db = new Kysely<Tables>({ dialect: createDialect(sqlite) });
  return {
    db,
    read: (work) => db.transaction().setAccessMode('read only').execute(work),
    write: (work) => db.transaction().execute(work),
    prepareFirst<Row>(query: CompiledQuery<Row>) {
      const statement = sqlite.prepare<unknown[], Row>(query.sql);
      return async (...parameters) => {
        if (!sqlite.inTransaction) return statement.get(...parameters);
        // Else it would see what the transaction under way may still undo: it waits for its turn.
        return (await db.executeQuery<Row>({ ...query, parameters })).rows[0];
      };
    },
    close: () => db.destroy(),
  };
}

import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql, type CompiledQuery, type Transaction } from 'kysely';
import { createDialect, createTurns } from './engine/sqlite/dialect.js';
import { runExclusive } from './engine/sqlite/locking.js';
import type { Tables } from './schema.js';

/** Typed queries on one connection. Inside `read` and `write` use what they hand over: `db` would wait for itself. */
export type Database = {
  /** For reads of one statement. */
  db: Kysely<Tables>;
  /** One moment for several reads; blocks no writer. */
  read<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** One write transaction over all processes at a time. Every write goes through here, so that none blocks the event loop. */
  write<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** As `write`, for what prepared queries alone do, without a wait in between. */
  commit<T>(work: () => T): Promise<T>;
  /**
   * For what is asked often inside of `read`, `write` and `commit`, and nowhere else: the query is built and prepared once.
   * @param query with any values; those that count are given later, in their order. A function is called when it is asked first.
   */
  prepare<Row>(query: CompiledQuery<Row> | (() => CompiledQuery<Row>)): Prepared<Row>;
  /** As prepare, for rows as lists of their columns, which cost half of what objects do. */
  prepareLists<List extends readonly unknown[]>(query: CompiledQuery): (...values: Values) => List[];
  /**
   * For a row that is looked up on every call: the query is built and prepared once.
   * @param query with any values; those that count are given later, in their order
   */
  prepareFirst<Row>(
    query: CompiledQuery<Row>,
  ): (...parameters: readonly (string | number | Buffer)[]) => Promise<Row | undefined>;
  /** As prepareFirst, for all rows. */
  prepareRows<Row>(
    query: CompiledQuery<Row>,
  ): (...parameters: readonly (string | number | Buffer)[]) => Promise<Row[]>;
  close(): Promise<void>;
};

type Values = readonly (string | number | null)[];

/** A prepared query; `run` answers how many rows it changed. */
export type Prepared<Row> = {
  all(...values: Values): Row[];
  first(...values: Values): Row | undefined;
  run(...values: Values): number;
};

/** Stands in a query that is prepared for a value that is given later, where none that would do is short. */
export const LATER = sql<never>`?`;

export function createDatabase(sqlite: BetterSqlite3.Database): Database {
  const turns = createTurns();
  const db = new Kysely<Tables>({ dialect: createDialect(sqlite, turns) });
  // A full disk may have ended the transaction: what came before would be lost, and this would stand alone.
  function requireTransaction(): void {
    if (!sqlite.inTransaction) throw new Error('the transaction is over');
  }
  const database: Database = {
    db,
    read: (work) => db.transaction().setAccessMode('read only').execute(work),
    write: (work) => db.transaction().execute(work),
    async commit(work) {
      await turns.take();
      try {
        return await runExclusive(sqlite, work);
      } finally {
        turns.pass();
      }
    },
    prepare<Row>(query: CompiledQuery<Row> | (() => CompiledQuery<Row>)) {
      let opened: BetterSqlite3.Statement<unknown[], Row> | undefined;
      const open = () => {
        requireTransaction();
        opened ??= sqlite.prepare<unknown[], Row>((typeof query === 'function' ? query() : query).sql);
        return opened;
      };
      return {
        all: (...values) => open().all(...values),
        first: (...values) => open().get(...values),
        run: (...values) => open().run(...values).changes,
      };
    },
    prepareLists<List extends readonly unknown[]>(query: CompiledQuery) {
      let opened: BetterSqlite3.Statement<unknown[], List> | undefined;
      return (...values) => {
        requireTransaction();
        opened ??= sqlite.prepare<unknown[], List>(query.sql);
        try {
          return opened.raw().all(...values);
        } finally {
          // Whoever prepared the same text has the same statement.
          opened.raw(false);
        }
      };
    },
    prepareFirst<Row>(query: CompiledQuery<Row>) {
      const statement = sqlite.prepare<unknown[], Row>(query.sql);
      const list = database.prepareRows(query);
      return async (...parameters) =>
        sqlite.inTransaction ? (await list(...parameters))[0] : statement.get(...parameters);
    },
    prepareRows<Row>(query: CompiledQuery<Row>) {
      const statement = sqlite.prepare<unknown[], Row>(query.sql);
      return async (...parameters) => {
        if (!sqlite.inTransaction) return statement.all(...parameters);
        // Else it would see what the transaction under way may still undo: it waits for its turn.
        return (await db.executeQuery<Row>({ ...query, parameters })).rows;
      };
    },
    close: () => db.destroy(),
  };
  return database;
}

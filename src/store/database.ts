import { setTimeout as pause } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql, type CompiledQuery, type Transaction } from 'kysely';
import { keepConstant } from '../core/constant.js';
import type { Awaitable } from '../core/awaitable.js';
import { createDialect, createTurns } from './engine/sqlite/dialect.js';
import { runExclusive } from './engine/sqlite/locking.js';
import type { Tables } from './schema.js';
import { getWrites } from './engine/sqlite/sqlite.js';

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
  /**
   * As prepareFirst, for a row that seldom changes: what it means is made once, frozen, and the same object is answered until
   * something in the file has changed; for at most `UNSEEN_MS` longer when another process changed it.
   */
  prepareKept<Row, Value extends object>(
    query: CompiledQuery<Row>,
    toValue: (row: Row) => Value,
  ): (...parameters: readonly (string | number)[]) => Awaitable<Value | undefined>;
  /** Resolves when no process answers kept rows any more from before the last write. */
  waitUntilSeen(): Promise<void>;
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

/** So many rows of one query are kept; then all are read anew. */
const MAX_KEPT = 200;
/** For how long the change of another process may not be seen yet in rows that are kept. */
const UNSEEN_MS = 1;
const OTHERS_CHANGES = 'PRAGMA data_version';

export function createDatabase(sqlite: BetterSqlite3.Database): Database {
  const turns = createTurns();
  const db = new Kysely<Tables>({ dialect: createDialect(sqlite, turns) });
  const getChange = createChangeCount(sqlite);
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
    prepareKept<Row, Value extends object>(query: CompiledQuery<Row>, toValue: (row: Row) => Value) {
      const find = database.prepareFirst(query);
      const statement = sqlite.prepare<unknown[], Row>(query.sql);
      // By the last parameter, which tells rows apart well enough: a name made of all would cost each call more than the rest of this.
      const kept = new Map<unknown, { parameters: readonly unknown[]; value: Value }>();
      let kept_since: number | undefined;
      return (...parameters) => {
        if (sqlite.inTransaction) return find(...parameters).then((row) => row && toValue(row));
        const change = getChange();
        if (change !== kept_since || kept.size >= MAX_KEPT) kept.clear();
        kept_since = change;
        const name = parameters.at(-1);
        const known = kept.get(name);
        if (known?.parameters.every((parameter, at) => parameter === parameters[at])) return known.value;
        const row = statement.get(...parameters);
        if (!row) return undefined;
        const value = keepConstant(toValue(row));
        kept.set(name, { parameters, value });
        return value;
      };
    },
    async waitUntilSeen() {
      const written_ms = performance.now();
      // A timer counts from when the event loop last looked at the clock, which may be a while ago.
      while (performance.now() <= written_ms + UNSEEN_MS) await pause(UNSEEN_MS);
    },
    close: () => db.destroy(),
  };
  return database;
}

/**
 * A number that is another one after each change of the file: by this connection at once, by others within `UNSEEN_MS`, since
 * asking the file costs more than all else on the way of a kept row.
 */
function createChangeCount(sqlite: BetterSqlite3.Database): () => number {
  // Prepared when they are needed first: a file that is being looked at may be none that SQLite can read.
  let others: BetterSqlite3.Statement<[], number> | undefined;
  const writes = getWrites(sqlite);
  let own_before: number | undefined;
  let others_before: number | undefined;
  let asked_ms = -UNSEEN_MS;
  let count = 0;
  return () => {
    const own_now = writes.count;
    const now_ms = performance.now();
    let others_now = others_before;
    if (now_ms >= asked_ms + UNSEEN_MS) {
      asked_ms = now_ms;
      others ??= sqlite.prepare<[], number>(OTHERS_CHANGES).pluck();
      others_now = others.get();
    }
    if (own_now !== own_before || others_now !== others_before) count += 1;
    own_before = own_now;
    others_before = others_now;
    return count;
  };
}

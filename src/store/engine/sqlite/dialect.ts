import type BetterSqlite3 from 'better-sqlite3';
import {
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect,
  type Driver,
} from 'kysely';
import { beginImmediate, rollback } from './locking.js';

/**
 * Kysely's SQLite dialect with other transactions: they begin IMMEDIATE, since a deferred one that reads first and writes later
 * fails as soon as another process wrote in between. Only those set to `read only` begin deferred, and block nobody.
 */
export function createDialect(sqlite: BetterSqlite3.Database, turns = createTurns()): Dialect {
  return {
    createDriver: () => createDriver(sqlite, turns),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function createDriver(sqlite: BetterSqlite3.Database, turns: Turns): Driver {
  const driver = new SqliteDriver({ database: sqlite });
  return {
    init: () => driver.init(),
    async acquireConnection() {
      await turns.take();
      return driver.acquireConnection();
    },
    async releaseConnection() {
      await driver.releaseConnection();
      turns.pass();
    },
    async beginTransaction(_connection, settings) {
      if (settings.accessMode === 'read only') sqlite.exec('BEGIN');
      else await beginImmediate(sqlite);
    },
    async commitTransaction() {
      sqlite.exec('COMMIT');
    },
    async rollbackTransaction() {
      rollback(sqlite);
    },
    destroy: () => driver.destroy(),
  };
}

/** Whose turn it is on the one connection: each that took its turn passes it on. */
export type Turns = { take(): Promise<void> | undefined; pass(): void };

/**
 * One after the other, in the order in which they came. Kysely's own lock wakes all who wait each time, so that the work for a burst of
 * queries grows with its square, and lets whoever comes at that moment in before them.
 */
export function createTurns(): Turns {
  const waiting = new Set<() => void>();
  let is_taken = false;
  return {
    take() {
      if (is_taken) return new Promise((resolve) => waiting.add(resolve));
      is_taken = true;
      return undefined;
    },
    pass() {
      const [next] = waiting;
      if (next) waiting.delete(next);
      else is_taken = false;
      next?.();
    },
  };
}

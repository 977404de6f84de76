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
export function createDialect(sqlite: BetterSqlite3.Database): Dialect {
  return {
    createDriver: () => createDriver(sqlite),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function createDriver(sqlite: BetterSqlite3.Database): Driver {
  const driver = new SqliteDriver({ database: sqlite });
  return {
    init: () => driver.init(),
    acquireConnection: () => driver.acquireConnection(),
    releaseConnection: () => driver.releaseConnection(),
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

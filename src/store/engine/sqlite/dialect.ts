import type BetterSqlite3 from 'better-sqlite3';
import {
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
} from 'kysely';
import { beginImmediate, rollback, type Pause } from './locking.js';

/**
 * Kysely's SQLite dialect with transactions that begin as they are told. A writer's begin IMMEDIATE, since a deferred one that reads
 * first and writes later fails as soon as another process wrote in between. A reader's begin deferred, and block no writer.
 */
export function createDialect(
  sqlite: BetterSqlite3.Database,
  begin: 'immediate' | 'deferred',
  pause?: Pause,
): Dialect {
  return {
    createDriver: () => createDriver(sqlite, begin, pause),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function createDriver(
  sqlite: BetterSqlite3.Database,
  begin: 'immediate' | 'deferred',
  pause: Pause | undefined,
): Driver {
  const driver = new SqliteDriver({ database: sqlite });
  let connection: DatabaseConnection | undefined;
  return {
    init: () => driver.init(),
    async acquireConnection() {
      const acquired = await driver.acquireConnection();
      return (connection ??= requireTransaction(sqlite, acquired));
    },
    releaseConnection: () => driver.releaseConnection(),
    async beginTransaction() {
      if (begin === 'immediate') await beginImmediate(sqlite, pause);
      else sqlite.exec('BEGIN');
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

/**
 * The connection, which refuses queries outside of a transaction: a full disk may have ended it, and then what came before is
 * lost and what comes now would stand alone.
 */
function requireTransaction(
  sqlite: BetterSqlite3.Database,
  connection: DatabaseConnection,
): DatabaseConnection {
  return {
    executeQuery: async (query) => {
      if (!sqlite.inTransaction) throw new Error('the transaction is over');
      return connection.executeQuery(query);
    },
    streamQuery: (query, size) => connection.streamQuery(query, size),
  };
}

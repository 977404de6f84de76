import type BetterSqlite3 from 'better-sqlite3';
import {
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
} from 'kysely';

/** Kysely's SQLite dialect for queries alone: transactions begin and end beside it. */
export function createDialect(sqlite: BetterSqlite3.Database): Dialect {
  return {
    createDriver: () => new TransactionOnlyDriver(sqlite),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class TransactionOnlyDriver extends SqliteDriver {
  readonly #sqlite: BetterSqlite3.Database;
  #connection: DatabaseConnection | undefined;

  constructor(sqlite: BetterSqlite3.Database) {
    super({ database: sqlite });
    this.#sqlite = sqlite;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const acquired = await super.acquireConnection();
    return (this.#connection ??= requireTransaction(this.#sqlite, acquired));
  }
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

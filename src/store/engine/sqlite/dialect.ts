import type BetterSqlite3 from 'better-sqlite3';
import {
  PrimitiveValueListNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type BinaryOperationNode,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import { padList } from '../lengths.js';

/** Kysely's SQLite dialect, only for queries: transactions begin and end outside of it. */
export function createDialect(sqlite: BetterSqlite3.Database): Dialect {
  return {
    createDriver: () => createDriver(sqlite),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new FewTextsCompiler(),
  };
}

/** Pads the lists of `in` to a few lengths. A class, since that is how Kysely allows its compiler to be changed. */
class FewTextsCompiler extends SqliteQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { rightOperand: list } = node;
    super.visitBinaryOperation(
      PrimitiveValueListNode.is(list)
        ? { ...node, rightOperand: PrimitiveValueListNode.create(padList(list.values)) }
        : node,
    );
  }
}

/** Kysely's own driver locks the connection for each query, which a synchronous query does not need. */
function createDriver(sqlite: BetterSqlite3.Database): Driver {
  const connection = createConnection(sqlite);
  return {
    init: async () => undefined,
    acquireConnection: async () => connection,
    releaseConnection: async () => undefined,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => {
      sqlite.close();
    },
  };
}

function createConnection(sqlite: BetterSqlite3.Database): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      // A full disk may have ended it; then the earlier writes are lost, and the next ones would be outside of a transaction.
      if (!sqlite.inTransaction) throw new Error('the transaction is over');
      const statement = sqlite.prepare<unknown[], Row>(sql);
      if (statement.reader) return { rows: statement.all(parameters) };
      const { changes } = statement.run(parameters);
      return { rows: [], numAffectedRows: BigInt(changes) };
    },
    streamQuery: refuse,
  };
}

function refuse(): never {
  throw new Error('transactions begin and end beside Kysely, and no rows are streamed');
}

import type BetterSqlite3 from 'better-sqlite3';
import {
  Kysely,
  type Transaction,
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
import pLimit from 'p-limit';
import type { Clock } from '../../../core/ports/index.js';
import { isSqliteError } from '../../../sqlite.js';
import type { Engine } from '../engine.js';
import type { Pause } from './locking.js';
import type { Presence } from './presence.js';
import { runDeferred, runExclusive } from './locking.js';
import { openSqlite } from './sqlite.js';
import { padList } from '../lengths.js';

/** Two connections to one file, each of the one process: what reads sees what was committed, and waits for no writer. */
export type Connections = { writer: BetterSqlite3.Database; reader: BetterSqlite3.Database };

type SqliteEngineOptions = Connections & {
  instance: string;
  presence: Presence;
  clock: Clock;
  pause?: Pause | undefined;
};

/**
 * Transactions on SQLite. Each of the two connections runs one at a time, in the order in which they were asked for: Kysely's own
 * lock would let the latest in first.
 */
export function createSqliteEngine<Tables>(options: SqliteEngineOptions): Engine<Tables> {
  const { instance, presence, clock } = options;
  const write = createQueue<Tables>(options.writer, 'immediate', options.pause);
  const read = createReader<Tables>(options.reader);
  presence.announce(instance);
  return {
    instance,
    isAlive: async (other) => presence.isPresent(other),
    read: read.read,
    write: write.run,
    now: async () => clock.now().toISOString(),
    // There is one writer at a time, so no row is ever locked by another.
    skipLocked: (query) => query,
    lockRows: (query) => query,
    isDuplicate: (error) => isSqliteError(error) && DUPLICATE.has(error.code),
    async close() {
      // Reads first: the last connection to close folds the write-ahead log into the file, which a reader must not.
      await read.close();
      await write.close();
      presence.close();
    },
    drop() {
      options.reader.close();
      options.writer.close();
      presence.drop();
    },
  };
}

const DUPLICATE = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);

/** Reads alone, of one connection. */
export function createReader<Tables>(sqlite: BetterSqlite3.Database): Pick<Engine<Tables>, 'read' | 'close'> {
  const { run, close } = createQueue<Tables>(sqlite, 'deferred');
  return { read: run, close };
}

/** The same of a file that is no part of a running store. Throws when it is missing. */
export function openReads<Tables>(file: string): Pick<Engine<Tables>, 'read' | 'close'> {
  return createReader<Tables>(openSqlite(file, { fileMustExist: true }));
}

/** Writes alone, of one connection. */
export function createWriter<Tables>(
  sqlite: BetterSqlite3.Database,
): Pick<Engine<Tables>, 'write' | 'close'> {
  const { run, close } = createQueue<Tables>(sqlite, 'immediate');
  return { write: run, close };
}

function createQueue<Tables>(sqlite: BetterSqlite3.Database, begin: 'immediate' | 'deferred', pause?: Pause) {
  const db = new Kysely<Tables>({ dialect: createDialect(sqlite) });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is asked of it is asked between begin and commit
  const trx = db as Transaction<Tables>;
  const limit = pLimit(1);
  return {
    run: <T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> =>
      limit(() =>
        begin === 'immediate'
          ? runExclusive(sqlite, () => work(trx), pause)
          : runDeferred(sqlite, () => work(trx)),
      ),
    close: () =>
      limit(async () => {
        await db.destroy();
        // Kysely closes nothing where it was never asked for anything.
        sqlite.close();
      }),
  };
}

/** Kysely's SQLite dialect for queries alone: transactions begin and end beside it. */
function createDialect(sqlite: BetterSqlite3.Database): Dialect {
  return {
    createDriver: () => createDriver(sqlite),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new FewTextsCompiler(),
  };
}

/** Makes the lists of `in` come in few lengths. A class, since that is how Kysely lets its compiler be changed. */
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

/** Kysely's own locks the connection for each query, which a query that runs in one go does not need. */
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
      // A full disk may have ended it, and then what came before is lost and what comes now would stand alone.
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

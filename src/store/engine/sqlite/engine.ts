import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, type Transaction } from 'kysely';
import pLimit from 'p-limit';
import type { Clock } from '../../../core/ports/index.js';
import { isSqliteError } from '../../../sqlite.js';
import type { Engine } from '../engine.js';
import type { Pause } from './locking.js';
import type { Presence } from './presence.js';
import { createDialect } from './dialect.js';
import { runDeferred, runExclusive } from './locking.js';
import { openSqlite } from './sqlite.js';

/** Two connections of one process to one file: the reader sees everything that was committed, and waits for no writer. */
export type Connections = { writer: BetterSqlite3.Database; reader: BetterSqlite3.Database };

type SqliteEngineOptions = Connections & {
  instance: string;
  presence: Presence;
  clock: Clock;
  pause?: Pause | undefined;
};

/**
 * Transactions on SQLite. Each of the two connections runs one at a time, in the order in which they were requested: Kysely's
 * own lock would let the latest in first.
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
    // There is one writer at a time, so no other transaction ever locks a row.
    skipLocked: (query) => query,
    lockRows: (query) => query,
    isDuplicate: (error) => isSqliteError(error) && DUPLICATE.has(error.code),
    async close() {
      // The reader closes first: the last connection to close folds the write-ahead log into the file, which a reader must
      // not do.
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

/** Only reads, on one connection. */
export function createReader<Tables>(sqlite: BetterSqlite3.Database): Pick<Engine<Tables>, 'read' | 'close'> {
  const { run, close } = createQueue<Tables>(sqlite, 'deferred');
  return { read: run, close };
}

/** The same for a file that is not part of a running store. Throws if it is missing. */
export function openReads<Tables>(file: string): Pick<Engine<Tables>, 'read' | 'close'> {
  return createReader<Tables>(openSqlite(file, { fileMustExist: true }));
}

/** Only writes, on one connection. */
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
        // Kysely closes nothing if it was never used.
        sqlite.close();
      }),
  };
}

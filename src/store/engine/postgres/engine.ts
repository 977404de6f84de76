import { Kysely, PostgresDialect, sql, type SelectQueryBuilder, type Transaction } from 'kysely';
import pg from 'pg';
import { retry } from '../../../core/async/retry.js';
import type { Engine } from '../engine.js';
import type { Connections, Lease } from './connections.js';
import type { Presence } from './presence.js';

type PostgresEngineOptions = {
  instance: string;
  connections: Connections;
  presence: Presence;
  /** Whether a commit waits until it is on disk. Only data that may be lost in a power failure can do without. */
  is_durable: boolean;
  /** A clock to use instead of the server's, for tests. */
  now?: (() => Date) | undefined;
  close: () => Promise<void>;
  drop: () => void;
};

/**
 * Transactions on PostgreSQL. Writes are READ COMMITTED: a statement that waited for a row sees its new values. So conditions
 * in an update, and rows that are locked first (see lockAccount, lockEndpoint, requireClaim), decide which of several
 * transactions comes first, and the others wait inside the database. Under SERIALIZABLE each of the others would fail and run
 * again, since every call locks the busiest rows. A read is one snapshot.
 */
export function createPostgresEngine<Tables>(options: PostgresEngineOptions): Engine<Tables> {
  const { instance, connections, presence, is_durable } = options;
  const begin_write = `${BEGIN_WRITE}${is_durable ? '' : NOT_DURABLE}`;
  return {
    instance,
    isAlive: (other) => presence.isPresent(other),
    read: (work) => connections.lease((client) => runToEnd(client, BEGIN_READ, work)),
    // If two transactions lock rows in different orders, the server ends one of them, and rolls it back.
    write: (work) =>
      retry(() => connections.lease((client) => runToEnd(client, begin_write, work)), {
        attempts: MAX_ATTEMPTS,
        isWorthIt: isDeadlock,
      }),
    now: async (trx) => (options.now ? options.now().toISOString() : readClock(trx)),
    skipLocked,
    lockRows,
    isDuplicate: (error) => error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION,
    close: options.close,
    drop: options.drop,
  };
}

const UNIQUE_VIOLATION = '23505';
const DEADLOCK_DETECTED = '40P01';
const MAX_ATTEMPTS = 5;

/**
 * Limits that are only set for the transaction, since with a pooling proxy the next one may get another session. A process
 * that stops in the middle of a transaction must not hold its rows longer than a claim lasts.
 */
const LIMITS = `SET LOCAL statement_timeout = 30000; SET LOCAL idle_in_transaction_session_timeout = 15000;`;
const BEGIN_READ = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${LIMITS}`;
const BEGIN_WRITE = `BEGIN ISOLATION LEVEL READ COMMITTED; ${LIMITS}`;
const NOT_DURABLE = ' SET LOCAL synchronous_commit = off;';

async function runToEnd<Tables, T>(
  client: Lease,
  begin: string,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  await client.query(begin);
  let isOver = false;
  const query: Lease['query'] = ((...args: unknown[]) => {
    if (isOver) throw new Error('the transaction is over');
    return (client.query as (...args: unknown[]) => unknown)(...args);
  }) as Lease['query'];
  try {
    const result = await work(toTransaction(query));
    isOver = true;
    // COMMIT rolls back a transaction in which a query has failed, and reports no error.
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('the transaction was over before its end');
    return result;
  } catch (error) {
    isOver = true;
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Kysely on a connection; the transaction begins and ends outside of it. */
function toTransaction<Tables>(query: Lease['query']): Transaction<Tables> {
  const client = { query, release: () => undefined };
  const pool = { connect: async () => client, end: async () => undefined };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is asked of it is asked between begin and commit
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) as Transaction<Tables>;
}

/**
 * Locks the chosen rows, and skips those that are already locked. The selection is a materialized CTE, so it runs once: a
 * plain subquery may run again for each compared row, and choose other rows each time.
 */
function skipLocked<Query>(query: Query): Query {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the port takes selections alone
  const chosen = (query as SelectQueryBuilder<object, never, unknown>).forUpdate().skipLocked();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an operand of `in`, as the port has it
  return sql`(WITH chosen AS MATERIALIZED ${chosen} SELECT * FROM chosen)` as Query;
}

/** The lock of an update that leaves the key unchanged: rows that refer to the locked ones may still be inserted. */
function lockRows<Query>(query: Query): Query {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the port takes selections alone
  return (query as SelectQueryBuilder<object, never, unknown>).forNoKeyUpdate() as Query;
}

function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === DEADLOCK_DETECTED;
}

async function readClock<Tables>(trx: Transaction<Tables>): Promise<string> {
  const { rows } = await sql<{ now: string }>`
    SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now`.execute(
    trx,
  );
  const [row] = rows;
  if (!row) throw new Error('the database returned no time');
  return row.now;
}

import { Kysely, PostgresDialect, sql, type SelectQueryBuilder, type Transaction } from 'kysely';
import pg from 'pg';
import type { Engine } from '../engine.js';
import type { Connections, Lease } from './connections.js';
import type { Presence } from './presence.js';

type PostgresEngineOptions = {
  instance: string;
  connections: Connections;
  presence: Presence;
  /** Whether a commit waits for the disk. Only what a power loss may forget does not. */
  is_durable: boolean;
  /** The time in place of the server's, for tests that set it. */
  now?: (() => Date) | undefined;
  close: () => Promise<void>;
  drop: () => void;
};

/**
 * Transactions on PostgreSQL. They are READ COMMITTED: what waits for a row goes on with the row as it has become, so that conditions
 * in an update, and rows that are taken first (see lockAccount, lockEndpoint, requireClaim), decide who of several comes first, and
 * those that wait do so inside the database. Under SERIALIZABLE each of them would fail and be run again, and the busiest rows are
 * those that every call takes. Reads see one moment.
 */
export function createPostgresEngine<Tables>(options: PostgresEngineOptions): Engine<Tables> {
  const { instance, connections, presence, is_durable } = options;
  const begin_write = `${BEGIN_WRITE}${is_durable ? '' : NOT_DURABLE}`;
  return {
    instance,
    isAlive: (other) => presence.isPresent(other),
    read: (work) => connections.lease((client) => runToEnd(client, BEGIN_READ, work)),
    write: (work) => retryDeadlocks(() => connections.lease((client) => runToEnd(client, begin_write, work))),
    now: async (trx) => (options.now ? options.now().toISOString() : readClock(trx)),
    skipLocked,
    isDuplicate: (error) => error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION,
    close: options.close,
    drop: options.drop,
  };
}

const UNIQUE_VIOLATION = '23505';
const DEADLOCK_DETECTED = '40P01';

/**
 * For the transaction alone, since the next one may get another session. A process that stops in the middle of one must not hold its
 * rows for longer than a claim lasts.
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
    // One in which a query has failed is rolled back by it, without an error.
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('the transaction was over before its end');
    return result;
  } catch (error) {
    isOver = true;
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Kysely on one connection, whose transaction begins and ends beside it. */
function toTransaction<Tables>(query: Lease['query']): Transaction<Tables> {
  const client = { query, release: () => undefined };
  const pool = { connect: async () => client, end: async () => undefined };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is asked of it is asked between begin and commit
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) as Transaction<Tables>;
}

/**
 * The rows that are chosen are locked, those that are locked already are passed over. As a table of its own it is asked once: what is
 * looked for in a plain subquery is looked for again for each row that is compared, and finds others each time.
 */
function skipLocked<Query>(query: Query): Query {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the port takes selections alone
  const chosen = (query as SelectQueryBuilder<object, never, unknown>).forUpdate().skipLocked();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an operand of `in`, as the port has it
  return sql`(WITH chosen AS MATERIALIZED ${chosen} SELECT * FROM chosen)` as Query;
}

const MAX_ATTEMPTS = 5;

/** Two that take rows in another order wait for each other until the server ends one of them, of which nothing stays then. */
async function retryDeadlocks<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isDeadlock = error instanceof pg.DatabaseError && error.code === DEADLOCK_DETECTED;
      if (!isDeadlock || attempts === MAX_ATTEMPTS) throw error;
    }
  }
}

async function readClock<Tables>(trx: Transaction<Tables>): Promise<string> {
  const { rows } = await sql<{ now: string }>`
    SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now`.execute(
    trx,
  );
  const [row] = rows;
  if (!row) throw new Error('the database told no time');
  return row.now;
}

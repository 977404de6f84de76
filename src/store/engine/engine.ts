import type { Transaction } from 'kysely';
import type { RateTables } from '../limits/schema.js';
import type { Tables } from '../schema.js';

/**
 * The database under the repositories. The differences between databases are here and in the folders next to this file:
 * connections, transactions, the clock, locks. A repository uses plain Kysely and names its columns.
 *
 * Integers of columns come as JavaScript numbers, exact up to 2^53: if a driver returns 64-bit integers differently, its
 * engine gives it a parser. Sums and counts may come as text, and the sum of no rows as null: see `toNumber`.
 */
export type Engine<Tables> = {
  /** All reads of `work` see one moment. Refuses writes of `work`. Blocks no writer. */
  read<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * One write transaction: all of `work` or nothing, on the disk when it resolves. `work` awaits only its queries, and starts
   * no further transaction, which would wait for this one. It may run more than once; only the last run takes effect.
   *
   * In databases with several writers, others may commit between two of its queries: reading first and writing later is
   * correct only if the deciding row was locked before (lockAccount, lockEndpoint, requireClaim), or if the write itself has
   * the condition.
   */
  write<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * The time by which claims, windows and the lives of secrets are measured, the same for all processes on the database: ISO
   * 8601 UTC with milliseconds, so that times sort as text.
   */
  now(trx: Transaction<Tables>): Promise<string>;
  /** The name of this process among those on the database; it is never reused. */
  instance: string;
  /**
   * Whether the process with that name is alive. A process that is gone may count as alive until the engine notices; its
   * claims expire even so.
   */
  isAlive(instance: string): Promise<boolean>;
  /**
   * Makes the query skip rows that another transaction has locked, if the database supports it. It is for choosing the rows
   * to claim, so that two claims at the same time choose differently. The query must have a limit and an order; its result
   * may only be used as the right side of an `in`.
   */
  skipLocked<Query>(query: Query): Query;
  /**
   * Makes the query lock the rows that it returns until the transaction ends: other transactions that lock or change them
   * wait, and then see their new values. If only one transaction writes at a time, its beginning already locks them.
   */
  lockRows<Query>(query: Query): Query;
  /** Whether a query failed because another row has the same unique key. */
  isDuplicate(error: unknown): boolean;
  close(): Promise<void>;
  /** Closes everything at once, as the end of the process does: uncommitted work is lost, and running work fails. */
  drop(): void;
};

/** The time this much later (or, below zero, earlier) than a time of `Engine.now`. */
export function shiftTime(time: string, by_ms: number): string {
  return new Date(Date.parse(time) + by_ms).toISOString();
}

/**
 * The two engines of a store, opened and closed together: the counters only lose their connection when `service` is closed.
 */
export type Engines = {
  service: Engine<Tables>;
  rates: Engine<RateTables>;
  /** Why the database must not be used in its current state, one sentence each. Rejects if it does not answer. */
  listTroubles(): Promise<string[]>;
  /** The id of the data folder that has the files of this database: the first one that was given. */
  keepBlobFolder(folder_id: string): Promise<string>;
  /** The marketplace that this database belongs to: the first one that was given. */
  keepMarketplace(marketplace: string): Promise<string>;
};

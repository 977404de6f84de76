import type { Transaction } from 'kysely';
import type { RateTables } from '../limits/schema.js';
import type { Tables } from '../schema.js';

/**
 * The database under the repositories. What differs between databases is here and in the folders beside this file: connections,
 * transactions, the clock, locks. A repository asks in plain Kysely and names its columns.
 *
 * Integers of columns come as JavaScript numbers, exact up to 2^53: a driver that has others for 64 bits is given a parser by its
 * engine. Sums and counts may come as text, and the sum of nothing as null: see `toNumber`.
 */
export type Engine<Tables> = {
  /** One moment for all reads of `work`. Writes of `work` are refused. It blocks no writer. */
  read<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * One write transaction: all of `work` or nothing, on the disk when it resolves. `work` awaits nothing but its queries, and asks
   * for no further transaction: that one would wait for this one. It may run more than once; only the last run takes effect.
   *
   * Of databases with several writers, others may commit between two queries of it: what is read first and written after is right
   * only where the row that decides was taken before (lockAccount, lockEndpoint, requireClaim), or where the write itself has the
   * condition.
   */
  write<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * The time that claims, windows and lives of secrets are measured by, the same for all processes on the database: ISO 8601 UTC with
   * milliseconds, so that times sort as text.
   */
  now(trx: Transaction<Tables>): Promise<string>;
  /** The name of this process among those on the database; no other has ever had it. */
  instance: string;
  /**
   * Whether the process of that name is there. One that is gone may be taken to be there for as long as the engine needs to
   * notice it: a claim expires even so.
   */
  isAlive(instance: string): Promise<boolean>;
  /**
   * The query, made to pass over rows that another transaction has locked where the database knows such rows: for the choice of
   * what a claim takes, so that two that claim at once choose differently. It must be limited, and ordered by what is chosen first;
   * what comes back is the right side of an `in`, and nothing else.
   */
  skipLocked<Query>(query: Query): Query;
  /**
   * The query, made to take the rows that it answers until the transaction ends: others that take or change them wait, and then see
   * them as they are by then. Where one transaction writes at a time, they are taken by the beginning of it.
   */
  lockRows<Query>(query: Query): Query;
  /** Whether a query failed because another row has the same unique key. */
  isDuplicate(error: unknown): boolean;
  close(): Promise<void>;
  /** Lets go of everything at once, as the end of the process does: what is not committed is lost, and work under way fails. */
  drop(): void;
};

/** The time so much later (or, below zero, earlier) than one of `Engine.now`. */
export function shiftTime(time: string, by_ms: number): string {
  return new Date(Date.parse(time) + by_ms).toISOString();
}

/** The two of a store, opened and closed together: the counters first lose their connection when `service` is closed. */
export type Engines = {
  service: Engine<Tables>;
  rates: Engine<RateTables>;
  /** Why the database must not be used as it is now, a sentence each. Rejects where it does not answer. */
  listTroubles(): Promise<string[]>;
  /** The id of the data folder that has the files of this database, which is the first one that was given. */
  keepBlobFolder(folder_id: string): Promise<string>;
  /** The marketplace that this database belongs to, which is the first one that was given. */
  keepMarketplace(marketplace: string): Promise<string>;
};

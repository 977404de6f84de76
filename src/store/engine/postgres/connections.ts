import pg from 'pg';
import type { ClientBase, PoolClient } from 'pg';
import { StoreUnavailableError, type Log } from '../../../core/ports/index.js';
import { buildUnavailable, isConnectionLost } from './unavailable.js';

/** A leased connection. It keeps no state from one lease to the next: a proxy may give each lease another session. */
export type Lease = Pick<ClientBase, 'query'>;

/** A bounded number of connections to one server. */
export type Connections = {
  /**
   * Leases a connection to `work`. Discards a connection that broke in the meantime; its uncommitted work is lost. Rejects
   * with StoreUnavailableError if the server is gone, or no connection was free in time.
   */
  lease<T>(work: (client: Lease) => Promise<T>): Promise<T>;
  /** From now on every lease is refused with this error: the database must no longer be used. */
  refuse(refusal: Error): void;
  /** Waits for leased connections. */
  close(): Promise<void>;
  /** Cuts all connections at once, as the end of the process does. */
  drop(): void;
};

type ConnectionOptions = {
  url: string;
  max_connections: number;
  /** The name of this instance in the server's list of connections. */
  application_name: string;
};

/** For connecting, and for waiting for a free connection. */
const CONNECT_MS = 10_000;
/** Longer than the server lets a statement run: only a server that has gone silent exceeds it. */
const ANSWER_MS = 45_000;

/** @param url its `sslmode` and `sslrootcert` have the meaning of PostgreSQL's own programs, not the driver's own */
export function toClientConfig({ url, application_name }: Omit<ConnectionOptions, 'max_connections'>) {
  const target = new URL(url);
  target.searchParams.set('uselibpqcompat', 'true');
  return {
    connectionString: target.href,
    application_name,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    types: TYPES,
  };
}

/** Connects at the first request. */
export function openConnections(options: ConnectionOptions, log: Log): Connections {
  const pool = new pg.Pool({ ...toClientConfig(options), max: options.max_connections });
  const lent = new Set<PoolClient>();
  let refused: Error | undefined;
  // About idle connections: the next lease makes new ones.
  pool.on('error', (error) => log.warn('a connection to the database was lost', { error }));

  async function connect(): Promise<PoolClient> {
    try {
      return await pool.connect();
    } catch (cause) {
      throw buildUnavailable(cause);
    }
  }

  return {
    async lease(work) {
      if (refused) throw new StoreUnavailableError(refused.message, { cause: refused });
      const client = await connect();
      let lost: StoreUnavailableError | undefined;
      // The event also comes while no query runs; without a listener, it would end the process.
      const onError = (error: Error): void => void (lost ??= buildUnavailable(error));
      client.on('error', onError);
      lent.add(client);
      const query = async (...query: unknown[]): Promise<unknown> => {
        // Otherwise the end of the transaction would wait once more for a server that has gone silent.
        if (lost) throw lost;
        try {
          return await (client.query as (...args: unknown[]) => Promise<unknown>)(...query);
        } catch (error) {
          if (!isConnectionLost(error)) throw error;
          throw (lost ??= buildUnavailable(error));
        }
      };
      try {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- takes and gives what the client's own does
        return await work({ query: query as ClientBase['query'] });
      } finally {
        lent.delete(client);
        client.off('error', onError);
        client.release(lost !== undefined);
      }
    },
    refuse(refusal) {
      refused = refusal;
    },
    close: () => pool.end(),
    drop() {
      for (const client of lent) client.release(true);
      lent.clear();
      pool.end().catch(() => undefined);
    },
  };
}

const INT8 = 20;

/** 64-bit integers as JavaScript numbers, exact up to 2^53. */
const TYPES = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

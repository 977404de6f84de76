import pg from 'pg';
import type { ClientBase, PoolClient } from 'pg';
import { StoreUnavailableError, type Log } from '../../../core/ports/index.js';
import { buildUnavailable, isConnectionLost } from './unavailable.js';

/** A connection, for as long as it is lent. Nothing of it is kept from one lease to the next: a proxy may give each another session. */
export type Lease = Pick<ClientBase, 'query'>;

/** A bounded number of connections to one server. */
export type Connections = {
  /**
   * Lends a connection to `work`. One that broke meanwhile is thrown away, and with it what was not committed. Rejects with
   * StoreUnavailableError where the server is gone, or none was free in time.
   */
  lease<T>(work: (client: Lease) => Promise<T>): Promise<T>;
  /** From now on nothing is lent, and who asks is told this: the database must not be used any more. */
  refuse(refusal: Error): void;
  /** Waits for what is lent. */
  close(): Promise<void>;
  /** Cuts all at once, as the end of the process does. */
  drop(): void;
};

type ConnectionOptions = {
  url: string;
  max_connections: number;
  /** What the server's list of connections calls this instance. */
  application_name: string;
};

/** To connect, and to wait for a connection that is free. */
const CONNECT_MS = 10_000;
/** Longer than the server lets a statement run: only a server that has gone silent lets it pass. */
const ANSWER_MS = 45_000;

/** @param url with what `sslmode` and `sslrootcert` mean to PostgreSQL's own programs, not what they mean to the driver by itself */
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

/** Connects when it is first asked for something. */
export function openConnections(options: ConnectionOptions, log: Log): Connections {
  const pool = new pg.Pool({ ...toClientConfig(options), max: options.max_connections });
  const lent = new Set<PoolClient>();
  let refused: Error | undefined;
  // Of connections that no one uses just then: the next lease makes new ones.
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
      // Told also while no query runs; without anyone to tell, it would end the process.
      const onError = (error: Error): void => void (lost ??= buildUnavailable(error));
      client.on('error', onError);
      lent.add(client);
      const query = async (...query: unknown[]): Promise<unknown> => {
        // A server that has gone silent would be waited for once more, by the end of the transaction.
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

/** Whole numbers of 64 bits as JavaScript's, exact up to 2^53. */
const TYPES = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

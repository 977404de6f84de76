import type { Socket } from 'node:net';
import type { buildConnector, Client, Dispatcher, Pool } from 'undici';
import { createAddressPolicy } from './address_policy.js';
import { type ConnectGuard, connectGuarded } from './guarded_connect.js';
import { createLookup, type Lookup, type LookupOptions } from './lookup.js';
import { createUrlPolicy, type UrlPolicy } from './url_policy.js';

export type GuardedDispatcherOptions = LookupOptions & {
  egress_allow_cidrs: readonly string[];
  /** Webhooks may only go to https unless this is on. */
  allow_http_webhooks?: boolean;
  /** Replaces the hosts file and the name servers. */
  lookup?: Lookup;
  /** PEM of the only certificate authority to trust; the platform's own if omitted. */
  ca?: string;
};

/** The only way to addresses that come from outside: for files to fetch, and for webhooks. */
export type GuardedDispatcher = Pick<UrlPolicy, 'checkUrl' | 'checkRedirect'> & {
  /**
   * A client for one request to a URL that checkUrl or checkRedirect returned; follows no redirect and opens
   * one connection. Destroy it when done. The signal also aborts connecting, which undici's own signal does
   * not.
   */
  openClient(url: URL, signal: AbortSignal): Promise<Client>;
  /**
   * For many requests to URLs that checkUrl returned; follows no redirect. Each connection is guarded when it
   * is opened, which may take `connect_ms`, and stays with the same peer until it closes, `idle_ms` after its
   * last request. Requests bring a signal of their own as their deadline.
   */
  openPools(options: { connect_ms: number; idle_ms: number }): Promise<Pools>;
};

/** Connections to origins. */
type Pools = { request(url: URL, options: PoolRequest): Promise<Dispatcher.ResponseData> };
export type PoolRequest = Omit<Dispatcher.RequestOptions, 'origin' | 'path'>;

/** Only this many origins keep connections, the most recently used ones. */
const MAX_POOLS = 200;

/** Throws an Error that quotes a CIDR it cannot read. */
export function createGuardedDispatcher(options: GuardedDispatcherOptions): GuardedDispatcher {
  const addresses = createAddressPolicy(options.egress_allow_cidrs);
  const urls = createUrlPolicy({ addresses, allow_http_webhooks: options.allow_http_webhooks ?? false });
  const guard = { addresses, urls, lookup: options.lookup ?? createLookup(options), ca: options.ca };

  return {
    checkUrl: urls.checkUrl,
    checkRedirect: urls.checkRedirect,
    async openClient(url, signal) {
      // Loaded lazily: an assistant starts this program on every launch, and few of these processes fetch
      // anything.
      const undici = await import('undici');
      let hasConnected = false;
      return new undici.Client(url.origin, {
        // The caller's signal is the deadline.
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: (_target, callback) => {
          if (hasConnected) {
            // undici can reconnect after an aborted response, with no request left to send.
            callback(new Error('This client has had its one connection.'), null);
            return;
          }
          hasConnected = true;
          void connectInto(callback, guard, url, signal);
        },
      });
    },
    async openPools({ connect_ms, idle_ms }) {
      const undici = await import('undici');
      const options: Pool.Options = {
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveTimeout: idle_ms,
        // Even if a server says that it keeps connections longer.
        keepAliveMaxTimeout: idle_ms,
        connect: ({ protocol, host }, callback) =>
          void connectInto(
            callback,
            guard,
            new URL(`${protocol}//${host ?? ''}`),
            AbortSignal.timeout(connect_ms),
          ),
      };
      // Not undici's Agent (7.30): when all connections of a pool close while another one is being opened, it
      // counts the closings of the old pool against the new one, and from then on opens a connection for each
      // request.
      const pools = new Map<string, Pool>();
      const getPool = (origin: string): Pool => {
        const pool = pools.get(origin) ?? new undici.Pool(origin, options);
        pools.delete(origin);
        pools.set(origin, pool);
        const [oldest] = pools;
        if (oldest && pools.size > MAX_POOLS) {
          pools.delete(oldest[0]);
          // Requests that it has accepted are still answered.
          void oldest[1].close();
        }
        return pool;
      };
      return {
        request: (url, request) =>
          getPool(url.origin).request({ ...request, path: url.pathname + url.search }),
      };
    },
  };
}

async function connectInto(
  callback: buildConnector.Callback,
  guard: ConnectGuard,
  url: URL,
  signal: AbortSignal,
): Promise<void> {
  let socket: Socket;
  try {
    socket = await connectGuarded(guard, url, signal);
  } catch (error) {
    callback(error instanceof Error ? error : new Error(String(error)), null);
    return;
  }
  callback(null, socket);
}

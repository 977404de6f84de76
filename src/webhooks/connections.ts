import type { Client } from 'undici';
import type { GuardedDispatcher } from '../media/index.js';

/** Long enough from one delivery to the next while many are due, and far below what receivers keep a connection for. */
const IDLE_MS = 250;

/** It was judged when it was opened, and leads to nowhere else as long as it lives. */
export type Connection = {
  readonly client: Client;
  readonly origin: string;
  is_lost: boolean;
  idle_since_ms: number;
};

/**
 * Connections to receivers, kept for a moment after use, so that a burst of deliveries looks its receiver up once for each
 * connection and not for each delivery.
 */
export type Connections = {
  /** One that has carried requests before, and that nobody else uses until it is given back. */
  takeKept(origin: string): Connection | undefined;
  /** One that nobody has used. The signal ends connecting. */
  open(url: URL, signal: AbortSignal): Promise<Connection>;
  giveBack(connection: Connection): void;
};

export function createConnections(dispatcher: Pick<GuardedDispatcher, 'openClient'>): Connections {
  /** By origin; of each the longest idle first. */
  const idle = new Map<string, Connection[]>();
  let sweeping: NodeJS.Timeout | undefined;

  function sweep(): void {
    const since_ms = performance.now() - IDLE_MS;
    for (const [origin, kept] of idle) {
      const young = kept.filter((one) => one.idle_since_ms > since_ms && !one.is_lost);
      for (const one of kept) if (!young.includes(one)) void one.client.destroy();
      if (young.length > 0) idle.set(origin, young);
      else idle.delete(origin);
    }
    sweeping = idle.size > 0 ? setTimeout(sweep, IDLE_MS).unref() : undefined;
  }

  return {
    takeKept(origin) {
      const kept = idle.get(origin);
      // The last one given back is the surest to be alive.
      for (let one = kept?.pop(); one; one = kept?.pop()) {
        if (!one.is_lost) return one;
        void one.client.destroy();
      }
      return undefined;
    },
    async open(url, signal) {
      const client = await dispatcher.openClient(url, signal);
      const connection = { client, origin: url.origin, is_lost: false, idle_since_ms: 0 };
      client.once('disconnect', () => {
        connection.is_lost = true;
      });
      return connection;
    },
    giveBack(connection) {
      connection.idle_since_ms = performance.now();
      const kept = idle.get(connection.origin);
      if (kept) kept.push(connection);
      else idle.set(connection.origin, [connection]);
      sweeping ??= setTimeout(sweep, IDLE_MS).unref();
    },
  };
}

import type { Client } from 'undici';
import type { GuardedDispatcher } from '../media/index.js';

/** Long enough from one delivery to the next while many are due, and far below what receivers keep a connection for. */
const IDLE_MS = 250;

/**
 * Connections to receivers, kept for a moment after use. Each was judged when it was opened, and leads to nowhere else as long as it
 * lives, so that a burst of deliveries looks its receiver up once for each connection and not for each delivery.
 */
export type Connections = {
  /** One that has carried requests before, and that nobody else uses until it is given back. */
  takeKept(target: URL): Client | undefined;
  /** One that nobody has used. The signal ends connecting. */
  open(target: URL, signal: AbortSignal): Promise<Client>;
  giveBack(target: URL, client: Client): void;
};

export function createConnections(dispatcher: Pick<GuardedDispatcher, 'openClient'>): Connections {
  /** By origin; of each the longest idle first. */
  const idle = new Map<string, { client: Client; since_ms: number }[]>();
  const lost = new WeakSet<Client>();
  let sweeping: NodeJS.Timeout | undefined;

  function sweep(): void {
    const since_ms = performance.now() - IDLE_MS;
    for (const [origin, kept] of idle) {
      const young = kept.filter((one) => one.since_ms > since_ms && !lost.has(one.client));
      for (const one of kept) if (!young.includes(one)) void one.client.destroy();
      if (young.length > 0) idle.set(origin, young);
      else idle.delete(origin);
    }
    sweeping = idle.size > 0 ? setTimeout(sweep, IDLE_MS).unref() : undefined;
  }

  return {
    takeKept({ origin }) {
      const kept = idle.get(origin);
      // The last one given back is the surest to be alive.
      for (let one = kept?.pop(); one; one = kept?.pop()) {
        if (!lost.has(one.client)) return one.client;
        void one.client.destroy();
      }
      return undefined;
    },
    async open(target, signal) {
      const client = await dispatcher.openClient(target, signal);
      return client.once('disconnect', () => lost.add(client));
    },
    giveBack({ origin }, client) {
      const one = { client, since_ms: performance.now() };
      const kept = idle.get(origin);
      if (kept) kept.push(one);
      else idle.set(origin, [one]);
      sweeping ??= setTimeout(sweep, IDLE_MS).unref();
    },
  };
}

import type { Client } from 'undici';
import type { GuardedDispatcher } from '../media/index.js';

/** Long enough from one delivery to the next while many are due, and far below what receivers keep a connection for. */
const IDLE_MS = 250;

/** A connection that nobody else uses until it is given back. `is_used`: it has carried requests before. */
export type Connection = { client: Client; is_used: boolean; giveBack(): void };

/**
 * Connections to receivers, kept for a moment after use. Each was judged when it was opened, and leads to nowhere else as long as it
 * lives, so that a burst of deliveries looks its receiver up once for each connection and not for each delivery.
 */
export type Connections = {
  /** @param signal ends connecting */
  take(target: URL, signal: AbortSignal): Promise<Connection>;
  /** One that nobody has used. */
  open(target: URL, signal: AbortSignal): Promise<Connection>;
};

export function createConnections(dispatcher: Pick<GuardedDispatcher, 'openClient'>): Connections {
  const idle = new Map<string, { client: Client; end: () => void }[]>();

  function takeIdle(origin: string): Client | undefined {
    const kept = idle.get(origin);
    // The last one given back is the surest to be alive.
    const found = kept?.pop();
    if (kept?.length === 0) idle.delete(origin);
    found?.end();
    return found?.client;
  }

  function keep(origin: string, client: Client): void {
    const drop = (): void => {
      const kept = idle.get(origin)?.filter((one) => one.client !== client) ?? [];
      if (kept.length > 0) idle.set(origin, kept);
      else idle.delete(origin);
      end();
      void client.destroy();
    };
    const timer = setTimeout(drop, IDLE_MS).unref();
    const end = (): void => {
      clearTimeout(timer);
      client.off('disconnect', drop);
    };
    client.once('disconnect', drop);
    idle.set(origin, [...(idle.get(origin) ?? []), { client, end }]);
  }

  const toConnection = ({ origin }: URL, client: Client, is_used: boolean): Connection => ({
    client,
    is_used,
    giveBack: () => keep(origin, client),
  });

  const open = async (target: URL, signal: AbortSignal): Promise<Connection> =>
    toConnection(target, await dispatcher.openClient(target, signal), false);

  return {
    open,
    async take(target, signal) {
      const client = takeIdle(target.origin);
      return client ? toConnection(target, client, true) : open(target, signal);
    },
  };
}

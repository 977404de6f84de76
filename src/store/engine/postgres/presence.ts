import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../../core/ports/index.js';
import type { Connections } from './connections.js';

const BEAT_MS = 10_000;

/**
 * Longer than a call to the marketplace that was allowed before the last beat can take to be answered (35 s), so that of an instance
 * that counts as gone none is under way any more.
 */
const LEASE_MS = 50_000;

/** Rows of instances that were ended without a word go after that. */
const FORGOTTEN_AFTER = '1 day';

/**
 * Which instances are there: each says so every ten seconds, by the server's clock, in a row of its own. A lock of a session would tell
 * sooner that a process was killed, but of one whose connection broke, or of all when the server restarts, it would say that they are
 * gone while they live; and a proxy that pools transactions gives the session to others.
 */
export type Presence = {
  isPresent(instance: string): Promise<boolean>;
  /** Ends the presence of this one. */
  close(): Promise<void>;
  /** As the end of the process does: the row stays until its time is over. */
  drop(): void;
};

/** From now on the instance counts as present. Beats that fail are made good by the next one. */
export async function announce(connections: Connections, instance: string, log: Log): Promise<Presence> {
  const ending = new AbortController();
  await beat(connections, instance);
  const beating = keepBeating();

  async function keepBeating(): Promise<void> {
    for (;;) {
      await pause(BEAT_MS, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
      if (ending.signal.aborted) return;
      await beat(connections, instance).catch((error: unknown) => {
        log.warn('that this instance is there could not be told the database', { error });
      });
    }
  }

  return {
    async isPresent(other) {
      if (other === instance) return true;
      return connections.lease(async (client) => {
        const { rows } = await client.query<{ is_present: boolean }>(
          'SELECT alive_until > clock_timestamp() AS is_present FROM instances WHERE instance = $1',
          [other],
        );
        return rows[0]?.is_present === true;
      });
    },
    async close() {
      ending.abort();
      await beating;
      await connections
        .lease((client) => client.query('DELETE FROM instances WHERE instance = $1', [instance]))
        .catch(() => undefined);
    },
    drop: () => ending.abort(),
  };
}

async function beat(connections: Connections, instance: string): Promise<void> {
  await connections.lease(async (client) => {
    await client.query(
      `INSERT INTO instances (instance, alive_until) VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond')
        ON CONFLICT (instance) DO UPDATE SET alive_until = excluded.alive_until`,
      [instance, LEASE_MS],
    );
    await client.query(
      `DELETE FROM instances WHERE alive_until < clock_timestamp() - interval '${FORGOTTEN_AFTER}'`,
    );
  });
}

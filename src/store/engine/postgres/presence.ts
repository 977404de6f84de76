import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../../core/ports/index.js';
import { StoreError } from '../../store_error.js';
import type { Connections, Lease } from './connections.js';

const BEAT_MS = 10_000;

/**
 * How long a beat counts. An instance that is cut off for this long has no call to the marketplace in flight: the holder of a
 * job ends its calls before its claim of 30 s ends, and calls outside of jobs are answered or given up within 35 s.
 */
const LEASE_MS = 50_000;

/** How long the row of an instance that ended without deleting it is kept. */
const ROW_KEPT = '1 day';

/**
 * Which instances are alive: each writes this every ten seconds, by the server's clock, to a row of its own. A session's
 * advisory lock would show sooner that a process was killed. But when a connection breaks or the server restarts, it would
 * show living instances as gone; and a proxy that pools transactions gives the session to other clients.
 */
export type Presence = {
  isPresent(instance: string): Promise<boolean>;
  /** Deletes the row of this instance. */
  close(): Promise<void>;
  /** Stops the beats, as the end of the process does: the row stays until its beat no longer counts. */
  drop(): void;
};

/**
 * Starts the beats: from now on the instance counts as present. After a failed beat, the next one is made as usual. But once
 * a newer release has made the database unusable, the beats stop, and nothing more is done on it.
 *
 * @param checkUsable throws StoreError then
 */
export async function announce(
  connections: Connections,
  checkUsable: (client: Lease) => Promise<void>,
  { instance, log }: { instance: string; log: Log },
): Promise<Presence> {
  const ending = new AbortController();
  await beat(connections, instance);
  const beating = keepBeating();

  async function keepBeating(): Promise<void> {
    let isAway = false;
    for (;;) {
      await pause(BEAT_MS, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
      if (ending.signal.aborted) return;
      try {
        await connections.lease(checkUsable);
        await beat(connections, instance);
        if (isAway) log.info('the database answers again');
        isAway = false;
      } catch (error) {
        if (error instanceof StoreError) {
          log.error('a newer release has changed the database: this instance does nothing more on it', {
            error,
          });
          connections.refuse(error);
          return;
        }
        isAway = true;
        log.warn('this instance could not renew its presence in the database', { error });
      }
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

/** How many instances are alive on the database. */
export async function countPresent(client: Lease): Promise<number> {
  const { rows } = await client.query<{ present: string }>(
    'SELECT count(*) AS present FROM instances WHERE alive_until > clock_timestamp()',
  );
  return Number(rows[0]?.present ?? 0);
}

async function beat(connections: Connections, instance: string): Promise<void> {
  await connections.lease(async (client) => {
    await client.query(
      `INSERT INTO instances (instance, alive_until) VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond')
        ON CONFLICT (instance) DO UPDATE SET alive_until = excluded.alive_until`,
      [instance, LEASE_MS],
    );
    await client.query(
      `DELETE FROM instances WHERE alive_until < clock_timestamp() - interval '${ROW_KEPT}'`,
    );
  });
}

import type { ClientBase } from 'pg';
import type { Clock, Log } from '../../../core/ports/index.js';
import { StoreError } from '../../store_error.js';

const OLDEST = 150_000;
const MAX_CLOCK_DIFFERENCE_MS = 5_000;

/** Returns its version. Throws StoreError if the server is too old, or stores text in another encoding than ours. */
export async function checkServer(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ number: string; version: string; encoding: string }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version,
      current_setting('server_encoding') AS encoding`,
  );
  const { number = '0', version = '', encoding = '' } = rows[0] ?? {};
  if (Number(number) < OLDEST) {
    throw new StoreError(
      `The database server of DATABASE_URL is PostgreSQL ${version}, and 15 or newer is needed. Name a newer server.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new StoreError(
      `The database of DATABASE_URL keeps text as ${encoding}, and UTF8 is needed. Make a database with ENCODING 'UTF8' and name that.`,
    );
  }
  return version;
}

/** Milliseconds by which this computer's clock is ahead of the server's. */
export async function measureClock(client: ClientBase, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const { rows } = await client.query<{ now_ms: string }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint::text AS now_ms',
  );
  const here_ms = (before + clock.now().getTime()) / 2;
  return Math.round(here_ms - Number(rows[0]?.now_ms));
}

/**
 * Claims, limits and expiry times use the server's clock; displayed and signed times use this computer's. People see both.
 */
export async function warnOfClock(client: ClientBase, clock: Clock, log: Log): Promise<void> {
  const ahead_ms = await measureClock(client, clock);
  if (Math.abs(ahead_ms) <= MAX_CLOCK_DIFFERENCE_MS) return;
  log.warn("the clock of this computer and the database server's differ: set both by NTP", { ahead_ms });
}

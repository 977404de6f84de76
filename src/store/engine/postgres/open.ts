import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Clock, Log } from '../../../core/ports/index.js';
import type { RateTables } from '../../limits/schema.js';
import { POSTGRES_SCHEMA } from '../../migrations/postgres/schema.js';
import type { Tables } from '../../schema.js';
import type { Engines } from '../engine.js';
import { openConnections, toClientConfig, type Connections, type Lease } from './connections.js';
import { createPostgresEngine } from './engine.js';
import { checkVersion, getKnownVersion, migrate, readVersion } from './migrate.js';
import { announce } from './presence.js';
import { describeTarget, explainRefusal } from './refusals.js';
import { buildUnavailable } from './unavailable.js';
import { checkHold } from '../holds.js';
import { findHold } from './holds.js';
import { checkServer, warnOfClock } from './server.js';

export type PostgresEnginesOptions = {
  url: string;
  /** The setting that names the database; undefined: DATABASE_URL. */
  setting?: string | undefined;
  /** Of this instance; each transaction leases one. */
  max_connections: number;
  /** The name of this process. */
  instance: string;
  clock: Clock;
  log: Log;
  /** For a move, which may work on a database that the service must not start on. */
  is_move?: boolean;
  /** Replaces the server's clock, for tests that set it. */
  engine_clock?: Pick<Clock, 'now'> | undefined;
};

/**
 * Connects, and brings the database up to date. Any number of instances may do so at once. The counters are in the same
 * database, in transactions that do not wait for the disk. Throws StoreError, one sentence, if the server does not answer,
 * refuses the connection, or must not be used in its current state.
 */
export async function openPostgresEngines(options: PostgresEnginesOptions): Promise<Engines> {
  const { url, setting, instance, clock, log } = options;
  const application_name = `listing-service ${instance}`;
  try {
    await prepare({ url, application_name, clock: options.engine_clock ? undefined : clock, log });
  } catch (error) {
    throw explainRefusal(error, url, setting);
  }
  const connections = openConnections(
    { url, application_name, max_connections: options.max_connections },
    log,
  );
  const presence = await announce(connections, checkUsable, { instance, log }).catch(
    async (error: unknown) => {
      await connections.close();
      throw explainRefusal(error, url, setting);
    },
  );
  const { engine_clock } = options;
  const common = { instance, connections, presence, now: engine_clock && (() => engine_clock.now()) };
  const service = createPostgresEngine<Tables>({
    ...common,
    is_durable: true,
    async close() {
      await presence.close();
      await connections.close();
    },
    drop() {
      presence.drop();
      connections.drop();
    },
  });
  if (options.is_move !== true) {
    // Only after this instance was announced: a move holds the database first, and then checks for other instances.
    await service
      .read(async (trx) => checkHold(await findHold(trx), describeTarget(url)))
      .catch(async (error: unknown) => {
        await service.close();
        throw error;
      });
  }
  return {
    service,
    // It shares the connections of the other engine.
    rates: createPostgresEngine<RateTables>({
      ...common,
      is_durable: false,
      close: () => Promise.resolve(),
      drop: () => undefined,
    }),
    keepBlobFolder: (folder_id) => keepFirst(connections, 'blob_folder', 'folder_id', folder_id),
    keepMarketplace: (marketplace) => keepFirst(connections, 'marketplace_owner', 'marketplace', marketplace),
    listTroubles: () => Promise.race([listTroubles(connections), failAfter(PROBE_MS)]),
  };
}

/** A health probe waits less for a server that has gone silent than a query may: its callers have shorter timeouts. */
const PROBE_MS = 4_000;

async function listTroubles(connections: Connections): Promise<string[]> {
  const { version, is_read_only } = await connections.lease(async (client) => ({
    version: await readVersion(client, PROBE_MS),
    is_read_only: await isReadOnly(client),
  }));
  if (version.version < getKnownVersion(POSTGRES_SCHEMA))
    return ['the database is not up to date: restart the service, or run listing-service migrate'];
  checkVersion(version, POSTGRES_SCHEMA);
  return is_read_only ? ['the database server can only be read: it is a standby, or was set so'] : [];
}

/** True for a standby, and for a primary that another server has replaced: a new connection finds that one. */
async function isReadOnly(client: Lease): Promise<boolean> {
  const query = { text: 'SHOW transaction_read_only', query_timeout: PROBE_MS };
  const { rows } = await client.query<{ transaction_read_only: 'on' | 'off' }>(query);
  return rows[0]?.transaction_read_only === 'on';
}

async function failAfter(duration_ms: number): Promise<never> {
  await pause(duration_ms, undefined, { ref: false });
  throw buildUnavailable(new Error(`no answer within ${duration_ms} ms`));
}

async function checkUsable(client: Lease): Promise<void> {
  checkVersion(await readVersion(client), POSTGRES_SCHEMA);
}

/** The value of a table with one row: the first value that was given. */
async function keepFirst(
  connections: Connections,
  table: 'blob_folder' | 'marketplace_owner',
  column: string,
  value: string,
): Promise<string> {
  return connections.lease(async (client) => {
    const insert = `INSERT INTO ${table} (id, ${column}) VALUES (1, $1) ON CONFLICT DO NOTHING`;
    await client.query(insert, [value]);
    const { rows } = await client.query<{ kept: string }>(`SELECT ${column} AS kept FROM ${table}`);
    return rows[0]?.kept ?? value;
  });
}

/** The marketplace that a database belongs to; undefined before its first use. */
export async function findMarketplace(client: Pick<pg.Client, 'query'>): Promise<string | undefined> {
  const { rows } = await client.query<{ marketplace: string }>('SELECT marketplace FROM marketplace_owner');
  return rows[0]?.marketplace;
}

/** On a connection of its own, since bringing a large database up to date may take longer than any query may. */
async function prepare({
  url,
  application_name,
  clock,
  log,
}: {
  url: string;
  application_name: string;
  /** Undefined if the database does not use the server's clock. */
  clock: Clock | undefined;
  log: Log;
}): Promise<void> {
  const client = new pg.Client({ ...toClientConfig({ url, application_name }), query_timeout: 0 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await checkServer(client);
    if (clock) await warnOfClock(client, clock, log);
    await migrate(client, POSTGRES_SCHEMA, { log, pause: (duration_ms) => pause(duration_ms) });
  } finally {
    await client.end().catch(() => undefined);
  }
}

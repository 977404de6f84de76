import pg from 'pg';
import type { Clock, Log } from '../../../core/ports/index.js';
import type { Engine } from '../engine.js';
import { describeHold } from '../holds.js';
import { openConnections, toClientConfig } from './connections.js';
import { createPostgresEngine } from './engine.js';
import { findHold } from './holds.js';
import { findMisfit, getKnownVersion, readVersion } from './migrate.js';
import { findMarketplace } from './open.js';
import { countPresent } from './presence.js';
import { describeTarget, explainRefusal } from './refusals.js';
import { checkServer, measureClock } from './server.js';
import { POSTGRES_SCHEMA } from '../../migrations/postgres/schema.js';
import type { Tables } from '../../schema.js';

/** Facts that a server reports about a database. */
export type ServerFacts = {
  /** Host, port and database, without the password. */
  name: string;
  server_version: string;
  /** 0 if nothing was ever created in it. */
  schema_version: number;
  /** The version of this release. */
  known_version: number;
  /** Why this release must not start on it, a sentence; undefined if it may. */
  obstacle: string | undefined;
  /** The marketplace that the database belongs to; undefined if it was never used. */
  marketplace: string | undefined;
  /** Milliseconds by which this computer's clock is ahead of the server's. */
  clock_ahead_ms: number;
  /** The number of instances that run on it. */
  instances: number;
};

type Inspection<Content> =
  { state: 'refused'; reason: string } | ({ state: 'server'; content: Content | undefined } & ServerFacts);

type Options = { url: string; clock: Clock; log: Log };

const APPLICATION_NAME = 'listing-service doctor';

/**
 * Inspects a PostgreSQL database, even while it is in use, and changes nothing.
 *
 * @param read reads more from a database that has the schema of this release
 */
export async function inspectServer<Content>(
  { url, clock, log }: Options,
  read: (database: Pick<Engine<Tables>, 'read'>) => Promise<Content>,
): Promise<Inspection<Content>> {
  const client = new pg.Client(toClientConfig({ url, application_name: APPLICATION_NAME }));
  client.on('error', () => undefined);
  try {
    await client.connect();
    const server_version = await checkServer(client);
    const clock_ahead_ms = await measureClock(client, clock);
    const found = await readVersion(client);
    const known_version = getKnownVersion(POSTGRES_SCHEMA);
    const name = describeTarget(url);
    const facts = {
      name,
      server_version,
      schema_version: found.version,
      known_version,
      clock_ahead_ms,
      instances: found.version === 0 ? 0 : await countPresent(client),
    };
    if (found.version < known_version)
      return {
        state: 'server',
        ...facts,
        marketplace: undefined,
        obstacle: findMisfit(found, POSTGRES_SCHEMA),
        content: undefined,
      };
    const marketplace = await findMarketplace(client);
    const { obstacle, content } = await readMore({ url, log }, async (database) => ({
      obstacle: (await findHeld(database, name)) ?? findMisfit(found, POSTGRES_SCHEMA),
      content: await read(database),
    }));
    return { state: 'server', ...facts, marketplace, obstacle, content };
  } catch (error) {
    const refusal = explainRefusal(error, url);
    if (!(refusal instanceof Error)) throw error;
    return { state: 'refused', reason: refusal.message };
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function findHeld(database: Pick<Engine<Tables>, 'read'>, name: string): Promise<string | undefined> {
  const hold = await database.read(findHold);
  return hold && describeHold(hold, name);
}

/** Through an engine that announces no instance. */
async function readMore<T>(
  { url, log }: Omit<Options, 'clock'>,
  read: (database: Pick<Engine<Tables>, 'read'>) => Promise<T>,
): Promise<T> {
  const connections = openConnections({ url, application_name: APPLICATION_NAME, max_connections: 1 }, log);
  const engine = createPostgresEngine<Tables>({
    instance: APPLICATION_NAME,
    connections,
    presence: {
      isPresent: () => Promise.resolve(true),
      close: () => Promise.resolve(),
      drop: () => undefined,
    },
    is_durable: false,
    close: () => connections.close(),
    drop: () => connections.drop(),
  });
  try {
    return await read(engine);
  } finally {
    await engine.close();
  }
}

import type { ClientBase } from 'pg';
import type { Log } from '../../../core/ports/index.js';
import { StoreError } from '../../store_error.js';

/** One step of the schema, all of it or nothing. Never changed once released. */
type Step = {
  sql: readonly string[];
  /**
   * The oldest version whose release still works on the database after this step. A step only adds; the next release removes
   * what is no longer needed, so that old and new instances run side by side. So this is lower than the step's own number,
   * unless the writes of an older release would be incomplete after the step.
   */
  usable_from: number;
};

/** How a database gets the schema that this release needs. */
export type Schema = {
  /** The schema of a new database before the steps. Databases of an older version are refused. */
  initial: { version: number; sql: readonly string[] };
  /** Steps after `initial`, in order; new ones go to the end. Each raises the version by one. */
  later: readonly Step[];
};

/** The version that the database records, and that of the oldest release that works on it. */
type Version = { version: number; usable_from: number };

/** The version that a database has in this release. */
export function getKnownVersion({ initial, later }: Schema): number {
  return initial.version + later.length;
}

function getUsableFrom({ initial, later }: Schema): number {
  return Math.max(initial.version, ...later.map(({ usable_from }) => usable_from));
}

const UNDEFINED_TABLE = '42P01';
const NEW: Version = { version: 0, usable_from: 0 };

/**
 * 0 for a database in which nothing was ever created. Not for use inside a transaction: a query for a missing table ends one.
 *
 * @param query_timeout milliseconds after which the connection is given up; undefined: the same as for every query
 */
export async function readVersion(
  client: Pick<ClientBase, 'query'>,
  query_timeout?: number,
): Promise<Version> {
  try {
    // The driver accepts a time limit for one query, which its types omit.
    const query = { text: 'SELECT version, usable_from FROM schema_version', query_timeout };
    const { rows } = await client.query<Version>(query);
    return rows[0] ?? NEW;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE) return NEW;
    throw error;
  }
}

/** Returns why this release cannot use the database: a newer release made it unusable for this one, or it is too old. */
export function findMisfit({ version, usable_from }: Version, schema: Schema): string | undefined {
  const known = getKnownVersion(schema);
  if (usable_from > known) {
    return `The database has schema version ${version}, which a newer release made, and this release knows only ${known}. Start the newer release, or restore a backup made by this one.`;
  }
  const oldest = schema.initial.version;
  if (version === 0 || version >= oldest) return undefined;
  return `The database has schema version ${version}, and this release upgrades only version ${oldest} or later. Start a release from in between once, then this one.`;
}

/** Throws StoreError if this release cannot use the database. */
export function checkVersion(version: Version, schema: Schema): void {
  const misfit = findMisfit(version, schema);
  if (misfit !== undefined) throw new StoreError(misfit);
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const PATIENCE_MS = 300_000;

/**
 * Runs the missing steps. If several instances start at once, one of them does, under a lock that the others try again and
 * again to take. Waiting inside the database would hold connections, and a waiting lock request blocks others that would not
 * have to wait.
 *
 * @param pause waits this many milliseconds
 */
export async function migrate(
  client: ClientBase,
  schema: Schema,
  { log, pause }: { log: Log; pause: (duration_ms: number) => Promise<void> },
): Promise<void> {
  let waited_ms = 0;
  for (let pause_ms = FIRST_PAUSE_MS; ; pause_ms = Math.min(2 * pause_ms, LONGEST_PAUSE_MS)) {
    const found = await readVersion(client);
    checkVersion(found, schema);
    if (found.version >= getKnownVersion(schema)) return;
    if (await tryMigrate(client, schema, log)) return;
    if (waited_ms === 0) log.info('another instance brings the database up to date');
    if (waited_ms >= PATIENCE_MS) {
      throw new StoreError(
        'Another instance has been bringing the database up to date for five minutes. See what its log says, then start again.',
      );
    }
    await pause(pause_ms);
    waited_ms += pause_ms;
  }
}

/** False if another instance is migrating. */
async function tryMigrate(client: ClientBase, schema: Schema, log: Log): Promise<boolean> {
  await client.query('BEGIN');
  try {
    if (!(await lockTransaction(client, 'migrate'))) {
      await client.query('ROLLBACK');
      return false;
    }
    await client.query(VERSION_TABLE);
    const { rows } = await client.query<Version>('SELECT version, usable_from FROM schema_version');
    const { version } = rows[0] ?? NEW;
    const { initial, later } = schema;
    const missing = version === 0 ? [initial, ...later] : later.slice(version - initial.version);
    if (missing.length > 0)
      log.info('bringing the database up to date', { from: version, steps: missing.length });
    for (const { sql } of missing) for (const text of sql) await client.query(text);
    if (missing.length > 0) {
      await client.query(
        `INSERT INTO schema_version (id, version, usable_from) VALUES (1, $1, $2)
          ON CONFLICT (id) DO UPDATE SET version = excluded.version, usable_from = excluded.usable_from`,
        [getKnownVersion(schema), getUsableFrom(schema)],
      );
    }
    await client.query('COMMIT');
    if (missing.length > 0) log.info('the database is up to date', { version: getKnownVersion(schema) });
    return true;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

const VERSION_TABLE = `
  CREATE TABLE IF NOT EXISTS schema_version (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL,
    usable_from INTEGER NOT NULL
  )
`;

/** Separates our locks from those that other programs take in the same database. */
const SPACE = 0x4d4c5301;
const NUMBERS = { migrate: 1 } as const;

/** Takes a lock over all instances until the transaction ends, without waiting: false if another one has it. */
async function lockTransaction(
  client: Pick<ClientBase, 'query'>,
  name: keyof typeof NUMBERS,
): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_xact_lock($1, $2) AS locked',
    [SPACE, NUMBERS[name]],
  );
  return rows[0]?.locked === true;
}

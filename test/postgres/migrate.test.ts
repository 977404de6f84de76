import { gunzipSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { migrate, readVersion } from '../../src/store/engine/postgres/migrate.js';
import { POSTGRES_SCHEMA } from '../../src/store/migrations/postgres/schema.js';
import { FROZEN } from '../store/frozen_folder.js';
import { createTestLog } from '../store/ports.js';
import { createDatabase, dropDatabase } from './databases.js';

const { initial } = POSTGRES_SCHEMA;
const OPTIONS = { log: createTestLog(), pause: () => Promise.resolve() };

async function connect(): Promise<pg.Client> {
  const server = inject('postgres_url') ?? '';
  const name = `migrate_${randomBytes(6).toString('hex')}`;
  await createDatabase(server, name, 'template0');
  const client = new pg.Client({
    connectionString: Object.assign(new URL(server), { pathname: `/${name}` }).href,
  });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await dropDatabase(server, name);
  });
  return client;
}

it('brings the frozen database to the schema of a new one', async () => {
  const [frozen, fresh] = [await connect(), await connect()];
  const dump = gunzipSync(await readFile(join(FROZEN, 'postgres_13', 'dump.sql.gz'))).toString();
  // The dump clears the search path of its connection.
  await frozen.query(`${dump}; RESET ALL`);
  expect(await readVersion(frozen)).toEqual({ version: initial.version, usable_from: initial.version });
  for (const client of [frozen, fresh]) await migrate(client, POSTGRES_SCHEMA, OPTIONS);

  expect(await readVersion(frozen)).toEqual(await readVersion(fresh));
  const described = await describeSchema(frozen);
  expect(described.length).toBeGreaterThan(400);
  expect(described).toEqual(await describeSchema(fresh));
});

it('refuses a database older than the first step, and leaves it unchanged', async () => {
  const client = await connect();
  await migrate(client, { initial: { version: initial.version - 1, sql: initial.sql }, later: [] }, OPTIONS);
  const before = await describeSchema(client);
  await expect(migrate(client, POSTGRES_SCHEMA, OPTIONS)).rejects.toThrow(
    'The database has schema version 12, and this release upgrades only version 13 or later. Start a release from in between once, then this one.',
  );
  expect(await describeSchema(client)).toEqual(before);
});

/** Columns, constraints and indexes, one per line. */
async function describeSchema(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    SELECT concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), l.collname, a.attidentity,
        CASE WHEN a.attnotnull THEN 'NOT NULL' END, pg_get_expr(d.adbin, d.adrelid)) AS line
      FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
      LEFT JOIN pg_collation AS l ON l.oid = a.attcollation
      LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    UNION ALL
    SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    ORDER BY line`);
  return rows.map(({ line }) => line);
}

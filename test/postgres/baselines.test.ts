import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/store/engine/postgres/migrate.js';
import { POSTGRES_SCHEMA } from '../../src/store/migrations/postgres/schema.js';
import { createTestLog } from '../store/ports.js';
import { SHOWN_BEFORE, toBaseline } from '../store/samples/shown_before.js';
import { createDatabase, dropDatabase } from './databases.js';

it('brings baselines that displaying a listing has moved back to what was last written', async () => {
  const server = inject('postgres_url') ?? '';
  const name = `baselines_${randomBytes(6).toString('hex')}`;
  await createDatabase(server, name, 'template0');
  const connectionString = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await dropDatabase(server, name);
  });
  const options = { log: createTestLog(), pause: () => Promise.resolve() };
  await migrate(client, { steps: POSTGRES_SCHEMA.steps.slice(0, 7) }, options);
  await client.query("SET session_replication_role = 'replica'");
  for (const [index, snapshot] of SHOWN_BEFORE.entries()) {
    await client.query("INSERT INTO snapshots VALUES ('account', 1, $1, $2, '2026-11-23')", [
      index,
      JSON.stringify(snapshot),
    ]);
  }
  await migrate(client, POSTGRES_SCHEMA, options);
  const { rows } = await client.query<{ snapshot: string }>(
    'SELECT snapshot FROM snapshots ORDER BY shop_id',
  );
  expect(rows.map(({ snapshot }) => JSON.parse(snapshot) as unknown)).toEqual(SHOWN_BEFORE.map(toBaseline));
});

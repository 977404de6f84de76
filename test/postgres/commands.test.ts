import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { buildEnvironment, runCli } from '../surfaces/faces.js';
import { createDatabase, dropDatabase } from './databases.js';

const server = inject('postgres_url') ?? '';
const name = `commands_${randomBytes(6).toString('hex')}`;
const toUrl = (database: string) => Object.assign(new URL(server), { pathname: `/${database}` }).href;
const toPlace = (database: string) => `${new URL(server).host}/${database}`;

let data_dir: string;
beforeAll(async () => {
  await createDatabase(server, name, 'template0');
  data_dir = await mkdtemp(join(tmpdir(), 'listing-commands-'));
});
afterAll(async () => {
  await dropDatabase(server, name);
  await rm(data_dir, { recursive: true });
});

const run = (args: string[], more: Record<string, string> = {}) =>
  runCli(args, { ...buildEnvironment(data_dir), ...more });

it('migrate creates the tables of an empty database and prints its address', async () => {
  const { code, stdout } = await run(['migrate'], { DATABASE_URL: toUrl(name) });
  expect([code, stdout]).toEqual([0, `${toPlace(name)} is up to date.\n`]);
});

it('restore --dumped-at marks a database as restored from a dump', async () => {
  const args = ['restore', '--dumped-at', '2026-01-02T03:04:05+02:00'];
  const { code, stdout, stderr } = await run(args, { DATABASE_URL: toUrl(name) });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(
    'The database is marked as restored: its 0 listings are checked on the marketplace before anything is created or paid.\n',
  );
});

it('move suggests --to if the configured database does not exist, and changes nothing', async () => {
  expect((await run(['keys', 'create'])).code).toBe(0);
  const { code, stdout, stderr } = await run(['move', '--to', toUrl('missing_database')]);
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    `listing-service: There is no such database at ${toPlace('missing_database')}. Make it (createdb), or correct the name in --to.\n`,
  ]);
  expect((await run(['keys', 'list'])).code).toBe(0);
});

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import pg from 'pg';
import { examine } from '../../src/compose/examination.js';
import { checkBlobs, checkDatabase } from '../../src/cli/doctor/installation.js';
import { loadConfig } from '../../src/config.js';
import { startBucketServer } from '../blobs/bucket_server.js';
import { startService } from '../service.js';
import { createDatabase, dropDatabase } from './databases.js';

const PASSWORD = 'pa55word-of-the-database';

async function open() {
  const name = `doctor_${randomBytes(6).toString('hex')}`;
  const server = inject('postgres_url') ?? '';
  const database = Object.assign(new URL(server), { pathname: `/${name}` });
  await createDatabase(server, name, 'template0');
  const bucket = await startBucketServer();
  const folder = await mkdtemp(join(tmpdir(), 'listing-doctor-'));
  onTestFinished(async () => {
    await dropDatabase(server, name);
    await bucket.close();
    await rm(folder, { recursive: true, force: true });
  });
  const settings = { DATABASE_URL: database.href, ...bucket.toSettings(`doctor-${name}`) };
  const inspect = async (more: Record<string, string> = {}) => {
    const config = loadConfig({}, { DATA_DIR: folder, LOG_LEVEL: 'silent', ...settings, ...more });
    const examination = await examine(config);
    const checks = [...checkDatabase(examination.folder), ...checkBlobs(examination.blobs)];
    return checks.map(({ name: subject, status, message }) => `${status} ${subject}: ${message}`);
  };
  return { folder, database, settings, inspect };
}

it('checks the configured database and bucket before, while and after an instance runs on them', async () => {
  const { folder, database, settings, inspect } = await open();
  expect(await inspect()).toContainEqual(expect.stringMatching(/^ok database: The next start, or .*migrate/));
  const service = await startService(settings, { data_dir: folder });
  const found = await inspect();
  expect(found.slice(0, 4)).toEqual([
    expect.stringMatching(
      /^ok database: PostgreSQL \d+.* answers at 127\.0\.0\.1:\d+\/doctor_\w+, schema \d+\.$/,
    ),
    "ok clock: This computer's clock and the database server's agree.",
    'ok instances: 1 instance runs on the database.',
    'ok secrets: The key decrypts the stored secrets.',
  ]);
  await service.close({ keep: true });
  const after = await inspect({ MASTER_KEY: randomBytes(32).toString('base64') });
  expect(after).toContain('ok instances: 0 instances run on the database.');
  expect(after).toContainEqual(
    expect.stringMatching(/^problem secrets: The encrypted secrets cannot be read/),
  );

  const client = new pg.Client({ connectionString: database.href });
  await client.connect();
  await client.query("UPDATE accounts SET account_id = 'acct_of_another' WHERE is_default = 1");
  await client.query('UPDATE schema_version SET version = 99, usable_from = 99');
  await client.end();
  const strange = await inspect();
  expect(strange).toContainEqual(
    expect.stringMatching(/^problem database: The database has schema version 99/),
  );
  expect(strange).toContainEqual(
    expect.stringMatching(/^problem files: .*the files of another installation/),
  );
});

it('reports in one sentence what is wrong with the address, without its password', async () => {
  const { database, inspect } = await open();
  const nowhere = Object.assign(new URL(database), { port: '1', password: PASSWORD, username: 'me' });
  const missing = Object.assign(new URL(database), { pathname: '/missing', password: PASSWORD });
  const found = [
    ...(await inspect({ DATABASE_URL: nowhere.href })),
    ...(await inspect({ DATABASE_URL: missing.href })),
  ];
  expect(found).toContainEqual(
    expect.stringMatching(/^problem database: No database server answers at 127\.0\.0\.1:1/),
  );
  expect(found).toContainEqual(expect.stringMatching(/^problem database: There is no such database at /));
  expect(found.join('\n')).not.toContain(PASSWORD);
});

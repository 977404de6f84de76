import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildMug, CLAY, fixturePath, TARGETS } from '../service.js';
import { buildEnvironment, openCli, runCli, type Output } from '../surfaces/faces.js';

/** An address where nothing listens. */
const NOWHERE = 'postgres://127.0.0.1:1/listings';

let folder: string;
let data_dir: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'listing-moving-'));
  data_dir = join(folder, 'data');
  const { code, stderr } = await run(['keys', 'create']);
  if (code !== 0) throw new Error(stderr);
});
afterAll(() => rm(folder, { recursive: true }));

function run(args: string[], more: Record<string, string> = {}) {
  return runCli(args, { ...buildEnvironment(data_dir, { UPLOAD_ROOTS: fixturePath('') }), ...more });
}

/** The output for a wrong command line or setting, and nothing else. */
async function refuse(args: string[], more: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await run(args, more);
  expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: '' });
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr.trimEnd();
}

const SEE_HELP = '\n(listing-service --help lists the commands)';

type Refusal = { args: string[]; env?: Record<string, string>; told: string };
const TO = '--to must be folder, for DATA_DIR, or an address such as postgres://user:password@db.example.com';
const BLOBS =
  '--blobs must be folder, for DATA_DIR, or s3://bucket/prefix of letters, digits and . _ - /, or file:///folder, not';
const REFUSALS: Refusal[] = [
  {
    args: ['move'],
    told: 'listing-service: The destination is missing. Add --to postgres://user@host/database, or --to folder for DATA_DIR.',
  },
  { args: ['move', '--to'], told: `error: option '--to <address>' argument missing${SEE_HELP}` },
  { args: ['move', '--to', 'nowhere'], told: `listing-service: ${TO}` },
  { args: ['move', '--to', ''], env: { DATABASE_URL: NOWHERE }, told: `listing-service: ${TO}` },
  { args: ['move', '--to', 'mysql://user:hidden@host/x'], told: `listing-service: ${TO}` },
  { args: ['move', '--to', NOWHERE, '--blobs', 'bucket'], told: `listing-service: ${BLOBS} "bucket".` },
  { args: ['move', '--to', NOWHERE, '--blobs', ''], told: `listing-service: ${BLOBS} "".` },
  {
    args: ['move', '--to', NOWHERE, '--blobs', 's3://bucket/prefix'],
    told: 'listing-service: S3_ACCESS_KEY_ID',
  },
  {
    args: ['move', '--to', NOWHERE],
    told: 'listing-service: No database server answers at 127.0.0.1:1/listings (ECONNREFUSED). Start PostgreSQL, or correct the address in --to.',
  },
  {
    args: ['move', '--to', 'folder'],
    told: 'listing-service: DATABASE_URL is not set, so the installation is already in its data folder. Set DATABASE_URL to the database to move back, or pass the one to move to with --to.',
  },
  {
    args: ['move', '--to', NOWHERE],
    env: { DATABASE_URL: NOWHERE },
    told: 'listing-service: The installation is already on PostgreSQL: DATABASE_URL is set.',
  },
  {
    args: ['move', '--lift-mark', '--to', 'folder'],
    told: `error: option '--lift-mark' cannot be used with option '--to <address>'${SEE_HELP}`,
  },
  {
    args: ['move', 'there'],
    told: `error: too many arguments for 'move'. Expected 0 arguments but got 1.${SEE_HELP}`,
  },
  {
    args: ['migrate'],
    env: { DATABASE_URL: NOWHERE },
    told: 'listing-service: No database server answers at 127.0.0.1:1/listings (ECONNREFUSED). Start PostgreSQL, or correct the address in DATABASE_URL.',
  },
  {
    args: ['migrate'],
    env: { DATABASE_URL: 'nowhere' },
    told: 'listing-service: DATABASE_URL must be an address such as postgres://',
  },
  { args: ['backup', '--all'], told: `error: missing required argument 'target'${SEE_HELP}` },
  {
    args: ['backup', '--all', 'copy'],
    env: { DATABASE_URL: NOWHERE },
    told: 'listing-service: DATABASE_URL is set: copy a PostgreSQL database with pg_dump',
  },
  {
    args: ['restore'],
    told: 'listing-service: Name the folder of the backup: listing-service restore <folder>. For a PostgreSQL dump, pass the time when it was started with --dumped-at.',
  },
  {
    args: ['restore', 'missing'],
    told: `listing-service: There is no backup: ${join(process.cwd(), 'missing', 'service.db')} is missing.`,
  },
  {
    args: ['restore', 'copy', '--dumped-at', '2026-11-23T04:00:00Z'],
    told: 'listing-service: --dumped-at is for a dump of PostgreSQL, and a backup in a folder knows when it was made. Leave out one of --dumped-at and copy.',
  },
  {
    args: ['restore', '--dumped-at', '2026-11-23T04:00:00Z'],
    told: 'listing-service: DATABASE_URL is not set. Pass the folder of a backup',
  },
  ...['yesterday', '11/12/2026', '2026-11-23T04:00', '2999-01-01T00:00:00Z', '2026-13-41T00:00:00Z'].map(
    (time) => ({
      args: ['restore', '--dumped-at', time],
      env: { DATABASE_URL: NOWHERE },
      told: `listing-service: --dumped-at must be a time that has passed, with its zone, such as 2026-11-23T04:00:00Z, not "${time}".`,
    }),
  ),
];

describe('an invalid command line', () => {
  it.concurrent.each(REFUSALS)(
    'is answered with the problem and the fix: $args',
    async ({ args, env, told }) => {
      const stderr = await refuse(args, env);
      expect(stderr.slice(0, told.length)).toBe(told);
      expect(stderr).not.toContain('hidden');
    },
  );

  it.concurrent.each([
    ['move', ['--to <address>', '--blobs <place>', '--lift-mark', 'DATA_DIR']],
    ['migrate', ['and start nothing']],
    ['backup', ['<target>', '--all', '--with-key']],
    ['restore', ['[folder]', '--dumped-at <time>', 'must be empty']],
  ])('can be corrected with the help of %s', async (command, words) => {
    const { code, stdout, stderr } = await run([command, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    for (const word of words) expect(stdout.replaceAll(/\s+/g, ' ')).toContain(word);
  });
});

it('migrate updates the database and names its version', async () => {
  const { code, stdout, stderr } = await run(['migrate']);
  expect([code, stdout, stderr]).toEqual([0, `${join(data_dir, 'service.db')} is up to date.\n`, '']);
});

it('without a move there is no mark to lift', async () => {
  const { code, stdout } = await run(['move', '--lift-mark']);
  expect([code, stdout]).toEqual([0, 'Nothing to lift: the database was not moved away.\n']);
});

it('a backup of everything includes the sandbox, shows its progress, and is restored with both', async () => {
  const ask = openAsk({});
  const { url } = await ask('file_upload', { path: fixturePath('photo-01.jpg'), type: 'image' });
  await ask('listing_create', buildMug([TARGETS.clay], { state: 'active', images: [{ url }] }));
  const before = await ask('store_listings', { shop_id: CLAY.shop_id, state: 'active' });
  expect(JSON.stringify(before)).toContain('"Stoneware mug"');

  const copy = join(folder, 'copy');
  const made = await run(['backup', '--all', '--with-key', copy]);
  expect(made.code).toBe(0);
  expect(made.stderr.trimEnd().split('\n')).toEqual([
    '0/1 files',
    '1/1 files',
    '0/1 the database',
    '1/1 the database',
  ]);
  expect(made.stdout).toMatch(/ and 1 files \(\d+ bytes\)\.\nIt includes the key/);

  const restored = join(folder, 'restored');
  const put = await run(['restore', copy], { DATA_DIR: restored });
  expect([put.code, put.stderr.trimEnd()]).toEqual([0, '0/1 files\n1/1 files']);
  expect(put.stdout).toMatch(/^\S+: restored from a backup of \S+, with 1 files\.\n/);
  const after = await openAsk({ DATA_DIR: restored })('store_listings', {
    shop_id: CLAY.shop_id,
    state: 'active',
  });
  // If its usual port is taken, the sandbox listens on another one.
  const [was, is] = [before, after].map((listings) =>
    JSON.stringify(listings).replaceAll(/127\.0\.0\.1:\d+/g, 'sandbox'),
  );
  expect(is).toEqual(was);
});

function openAsk(more: Record<string, string>): (id: string, input: Output) => Promise<Output> {
  const env = { ...buildEnvironment(data_dir, { UPLOAD_ROOTS: fixturePath('') }), ...more };
  return async (id, input) => {
    const answer = await openCli(env).call(id, input);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.output;
  };
}

import type { ListingJobResult } from '../answers.js';
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startBucketServer, type BucketServer, type SeenRequest } from '../blobs/bucket_server.js';
import { createDatabase } from '../postgres/databases.js';
import { startServer, type Server } from '../postgres/server.js';
import { buildMug, CLAY, fixturePath, TARGETS } from '../service.js';
import {
  buildEnvironment,
  openRest,
  runCli,
  startServe,
  type Environment,
  type Face,
  type Output,
} from '../surfaces/faces.js';
import {
  countFiles,
  countPostgres,
  countSqlite,
  listDifferences,
  type Census,
  type KeptBytes,
} from './census.js';
import { fillFiles } from './fill/files.js';
import { fillRows } from './fill/rows.js';
import { runMove, type Moving } from './mover.js';

/*
 * An installation with rows in every table is moved from its folder to PostgreSQL and a bucket, and back. On
 * each way the program is killed among the rows and among the files, and started again. The state before and
 * after is read without the program.
 */

const LISTINGS = Number(process.env['MOVE_LISTINGS'] ?? 2_000);
const SIZE = { listings: LISTINGS, deliveries: LISTINGS * 10 };
const FILE_BYTES = LISTINGS * 20 * 1_024;
/** Memory beyond a few batches of rows and pieces of files would grow with the amount moved. */
const MOST_MIB = 300;

type World = { census: Census; files: KeptBytes };

const programs = inject('postgres_programs');
let server: Server;
let bucket: BucketServer;
let folder: string;
let data_dir: string;
let here: Environment;
let there: Environment;
let key: string;
/** Saved listings with a photo, each published at one place. */
let drafts: number[];
let file_bytes: number;
let filled: World;
let on_server: World;
const movings: Moving[] = [];
const differences: string[] = [];

beforeAll(async () => {
  if (programs === undefined) return;
  server = await startServer(programs);
  await createDatabase(server.url, 'listings', 'template0');
  bucket = await startBucketServer();
  folder = await mkdtemp(join(tmpdir(), 'listing-move-'));
  data_dir = join(folder, 'data');
  here = buildEnvironment(data_dir);
  const url = Object.assign(new URL(server.url), { pathname: '/listings' }).href;
  there = { ...here, DATABASE_URL: url, ...bucket.toSettings('moved') };
  await use();
  const files = await fillFiles(data_dir, FILE_BYTES);
  file_bytes = sum(files.map(({ size_bytes }) => size_bytes));
  fillRows(data_dir, SIZE, files);
  filled = await readFolder();
});
afterAll(async () => {
  await bucket?.close();
  await server?.remove();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** A key, two saved listings with a photo, and one that is live on the sandbox. */
async function use(): Promise<void> {
  const serve = await startServe(here);
  ({ key } = serve);
  const ask = openAsk(openRest(serve.url, key));
  const file = (await readFile(fixturePath('photo-01.jpg'))).toString('base64');
  const { url } = await ask('file_upload', { file, filename: 'photo.jpg', type: 'image' });
  const create = (title: string, state: string) => {
    const mug = buildMug([TARGETS.clay], { state, images: [{ url }] });
    return ask('listing_create', { ...mug, listing: { ...mug.listing, title } });
  };
  await create('Live before', 'active');
  const saved = [await create('Live there', 'draft'), await create('Live back', 'draft')];
  drafts = saved.map(({ listing_pk }) => Number(listing_pk));
  expect(await serve.stop()).toBe(0);
}

function openAsk({ call }: Face): (id: string, input: Output) => Promise<Output> {
  return async (id, input) => {
    const answer = await call(id, input);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.output;
  };
}

const listDatabases = () => [join(data_dir, 'service.db'), join(data_dir, 'rates.db')];

async function readFolder(): Promise<World> {
  return {
    census: countSqlite(listDatabases()),
    files: await countFiles(join(data_dir, 'blobs'), (path) => path.replaceAll('/', '')),
  };
}

/** An object with the bytes of a file, as the bucket's server stores it. */
const OBJECT = /([0-9a-f]{64})\/\w+\._S3rver_object$/;

async function readServer(): Promise<World> {
  const blobs = join(bucket.directory, 'photos', 'moved', 'blobs');
  return {
    census: await countPostgres(there['DATABASE_URL'] ?? '', listDatabases()),
    files: await countFiles(blobs, (path) => OBJECT.exec(path)?.[1]),
  };
}

function compare(one: World, other: World): string[] {
  const found = [...listDifferences(one.census, other.census), ...listDifferences(one.files, other.files)];
  differences.push(...found);
  return found;
}

/** Whether bytes of a file are moving to or from the bucket. */
function isOfFile({ method, path }: SeenRequest): boolean {
  return method !== 'DELETE' && /\/blobs\/\w{64}\//.test(path);
}

/**
 * Kills the move among the rows, kills it among the files, and lets it finish; each attempt resumes the
 * previous one.
 */
async function moveInThreeAttempts(args: readonly string[], env: Environment): Promise<void> {
  const inRows = await runMove(args, env, ({ done, total, message }, kill) => {
    if (message === 'rows of deliveries' && done >= total / 2) kill();
  });
  let isKilled = false;
  const inFiles = await runMove(args, env, ({ done, total, message }, kill) => {
    if (isKilled || message !== 'files' || done < total / 2) return;
    isKilled = true;
    // In the middle of a file, which never arrives.
    bucket.fail({ kind: 'stall' }, { when: (request) => isOfFile(request) && (kill(), true) });
  });
  bucket.heal();
  const last = await runMove(args, env);
  movings.push(inRows, inFiles, last);
  const killed = { signal: 'SIGKILL', said: [] };
  expect([inRows, inFiles]).toEqual([expect.objectContaining(killed), expect.objectContaining(killed)]);
  expect(last).toMatchObject({ code: 0, signal: null, said: [] });
  expect(last.stdout).toMatch(
    /^\d+ rows of \d+ tables are in \S+, the same as in \S+\. \d+ files \(\d+ bytes\)\.\n/,
  );
  const again = inFiles.steps.find(({ message }) => message === 'rows of deliveries');
  expect(again?.done ?? SIZE.deliveries).toBeGreaterThanOrEqual(SIZE.deliveries / 2);
  // Only the missing files.
  expect(last.steps.find(({ message }) => message === 'files')?.total).toBeLessThanOrEqual(
    Object.keys(filled.files).length / 2 + 1,
  );
  for (const { peak_mib } of [inRows, inFiles, last]) expect(peak_mib).toBeLessThan(MOST_MIB);
}

async function refuseStart(env: Environment): Promise<string> {
  const { code, stderr } = await runCli(['keys', 'list'], env);
  expect(code).toBe(1);
  return stderr;
}

/**
 * Starts the service and uses it: the old key, listings and sandbox, a photo sent to the shop, the next
 * number.
 */
async function useMoved(
  env: Environment,
  { live, draft, key: idempotency_key }: { live: string[]; draft: number; key: string },
): Promise<number> {
  const serve = await startServe(env);
  const ask = openAsk(openRest(serve.url, key));
  const listLive = async () => {
    const { listings } = await ask('store_listings', { shop_id: CLAY.shop_id, state: 'active' });
    const titles = (listings as { title: string }[]).map(({ title }) => title);
    return titles.filter((title) => title.startsWith('Live')).toSorted();
  };
  expect(await listLive()).toEqual(live);
  expect(await ask('listings_list', {})).toMatchObject({ total: expect.any(Number) });
  await ask('listing_get', { listing_pk: draft });
  const { results } = (await ask('listing_publish', {
    listing_pk: draft,
    state: 'active',
  })) as unknown as ListingJobResult;
  expect(results?.[0]).toMatchObject({ status: 'ok', activated: true });
  expect((await listLive()).length).toBe(live.length + 1);
  const next = await ask('listing_create', buildMug([TARGETS.clay], { state: 'draft', idempotency_key }));
  expect(await serve.stop()).toBe(0);
  return Number(next['listing_pk']);
}

it.runIf(programs)('every table has rows, so the move of each is tested', () => {
  const empty = Object.keys(filled.census).filter((table) => filled.census[table]?.rows === 0);
  expect(empty).toEqual([]);
  expect(filled.census).toMatchObject({
    listings: { rows: LISTINGS + 3 },
    deliveries: { rows: SIZE.deliveries },
  });
});

it.runIf(programs)(
  'an installation is moved to PostgreSQL and a bucket, although killed among the rows and among the files',
  async () => {
    const args = ['--to', there['DATABASE_URL'] ?? '', '--blobs', there['BLOB_STORE'] ?? ''];
    await moveInThreeAttempts(args, { ...there, DATABASE_URL: '', BLOB_STORE: '' });
    expect(compare(filled, await readServer())).toEqual([]);
    expect(await refuseStart(here)).toContain('was moved to');
    const last = Number(filled.census['listings']?.last);
    const used = { live: ['Live before'], draft: drafts[0] ?? 0, key: 'there' };
    expect(await useMoved(there, used)).toBe(last + 1);
    on_server = await readServer();
  },
);

it.runIf(programs)(
  'an installation is moved back into the folder, although killed among the rows and among the files',
  async (context) => {
    // It also stores files: without them, it is like another computer's, and all come back.
    await rename(join(data_dir, 'blobs'), join(folder, 'blobs-before'));
    await moveInThreeAttempts(['--to', 'folder', '--blobs', 'folder'], there);
    expect(compare(on_server, await readFolder())).toEqual([]);
    expect(await refuseStart(there)).toContain('was moved to');
    // The folder keeps its old database next to the new one.
    const kept = (await readdir(data_dir)).find((name) => name.startsWith('service.db.moved-'));
    const of_before = countSqlite([join(data_dir, kept ?? '')]);
    const was = Object.fromEntries(Object.keys(of_before).map((table) => [table, filled.census[table]]));
    expect(listDifferences(of_before, was)).toEqual([]);
    const last = Number(on_server.census['listings']?.last);
    const used = { live: ['Live before', 'Live there'], draft: drafts[1] ?? 0, key: 'back' };
    expect(await useMoved(here, used)).toBe(last + 1);
    context.task.meta.figures = tellFigures();
  },
);

function tellFigures(): string[] {
  const kills = movings.filter(({ signal }) => signal === 'SIGKILL').length;
  const seconds = movings.map((moving) => Math.round(moving.seconds));
  const [there = 0, back = 0] = [seconds.slice(0, 3), seconds.slice(3)].map(sum);
  const most = Math.round(Math.max(...movings.map(({ peak_mib }) => peak_mib)));
  const rows = sum(Object.values(filled.census).map((table) => table.rows));
  return [
    `rows of ${Object.keys(filled.census).length} tables: ${rows}; files: ${Object.keys(filled.files).length}; seconds there ${there}, back ${back}; most memory of the program ${most} MiB`,
    `listings ${SIZE.listings}, deliveries ${SIZE.deliveries}, bytes ${file_bytes}, kills ${kills}, seconds ${there + back}, differences ${differences.length}`,
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

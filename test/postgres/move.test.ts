import type { ListingJobResult } from '../answers.js';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { compose } from '../../src/compose.js';
import { liftMark, moveAll } from '../../src/compose/move.js';
import { loadConfig } from '../../src/config.js';
import { startBucketServer, type BucketServer } from '../blobs/bucket_server.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../service.js';
import { ask, createDatabase, dropDatabase } from './databases.js';

type World = { listings: { state: string; images: unknown[] }[]; fees: unknown[] };

let bucket: BucketServer;
let data_dir: string;
const name = `move_${randomBytes(6).toString('hex')}`;
const server = inject('postgres_url') ?? '';
const there = (): Record<string, string> => ({
  DATABASE_URL: Object.assign(new URL(server), { pathname: `/${name}` }).href,
  ...bucket.toSettings('moved'),
});
/** For the folder only: an empty setting counts as unset. */
const here = { DATABASE_URL: '' };

beforeAll(async () => {
  bucket = await startBucketServer();
  await createDatabase(server, name, 'template0');
  data_dir = await mkdtemp(join(tmpdir(), 'listing-moved-'));
});
afterAll(async () => {
  await dropDatabase(server, name);
  await bucket.close();
  await rm(data_dir, { recursive: true, force: true });
});

/**
 * Makes a published mug, a draft that is saved and deleted, and a mug whose job is in flight when the service
 * stops.
 */
async function use(service: TestService): Promise<{ key: string; mug: object }> {
  const [target = {}] = await listTargets(service);
  const url = await upload(service, 'photo-01.jpg');
  const { account_id } = await service.app.core.accounts.getDefault();
  const made = await service.app.core.accounts.createKey(account_id, 'before the move');
  const build = (idempotency_key: string, state: string) =>
    buildMug([target], { state, images: [{ url }], idempotency_key });
  await service.call('listing_create', build('first', 'active'));
  const last = await service.call<{ listing_pk: number }>('listing_create', build('deleted', 'draft'));
  const rule = { operation: 'createDraftListing', action: { type: 'slow', ms: 1_000 } };
  await service.control('POST', '/faults', { rules: [rule] });
  const in_flight = build('in-flight', 'active');
  service.call('listing_create', in_flight).catch(() => undefined);
  await expect.poll(() => service.app.store.listings.listOpenCreates(48213377)).toHaveLength(1);
  expect(last.listing_pk).toBeGreaterThan(0);
  return { key: made.key, mug: in_flight };
}

function move(to: 'server' | 'folder', report: (progress: { message: string }) => void = () => undefined) {
  const on_folder = { DATA_DIR: data_dir, LOG_LEVEL: 'silent' };
  const on_server = { ...on_folder, ...there() };
  const source = loadConfig({}, to === 'server' ? on_folder : on_server);
  return moveAll({
    config: source,
    database_url: to === 'server' ? there()['DATABASE_URL'] : undefined,
    blobs: to === 'server' ? loadConfig({}, on_server) : { ...source, blob_store: undefined },
    report,
  });
}

/** Simulates the end of the process at the line that starts like this. */
function endAt(start: string) {
  return ({ message }: { message: string }) => {
    if (message.startsWith(start)) throw new Error('the process was ended');
  };
}

const start = (environment: Record<string, string>) => startService(environment, { data_dir });

it('moves to a server and a bucket, where jobs in flight finish and earlier keys stay valid', async () => {
  const before = await start(here);
  const { key, mug } = await use(before);
  await expect(move('server')).rejects.toThrow('Another process has');
  await before.close({ keep: true });
  await expect(move('server', endAt('rows of listings'))).rejects.toThrow('the process was ended');
  await expect(start(here)).rejects.toThrow(
    /A move from .* did not finish.*Run the same listing-service move again/,
  );
  await expect(start(there())).rejects.toThrow(/did not finish.*Run the same listing-service move/);
  await expect(move('server', endAt('files'))).rejects.toThrow('the process was ended');
  const moved = await move('server');
  expect(moved).toMatchObject({ from: data_dir, blobs: { files: 1, lost: [] } });
  expect(moved.rows).toBeGreaterThan(20);
  const { rows } = await ask(there()['DATABASE_URL'] ?? '', 'SELECT marketplace FROM marketplace_owner');
  expect(rows).toEqual([{ marketplace: 'sandbox' }]);
  await expect(start(here)).rejects.toThrow(/was moved to .*two live copies would pay twice/);
  await expect(move('server')).rejects.toThrow('was moved to');

  const service = await start(there());
  const { results } = await service.call<ListingJobResult>('listing_create', mug);
  expect(results?.[0]).toMatchObject({ status: 'ok', activated: true });
  const { listings, fees } = await service.control<World>('GET', '/state');
  expect(listings.map(({ state, images }) => [state, images.length])).toEqual([
    ['active', 1],
    ['active', 1],
  ]);
  expect(fees).toHaveLength(2);
  expect(await service.app.core.accounts.findKey(key)).toBeDefined();
  const [target = {}] = await listTargets(service);
  const next = await service.call<{ listing_pk: number }>(
    'listing_create',
    buildMug([target], { state: 'draft' }),
  );
  expect(next.listing_pk).toBe(4);
  await expect(move('folder')).rejects.toThrow('An instance of the service runs on');
  await service.close({ keep: true });
});

it('moves back into the folder, which keeps a copy of its earlier database', async () => {
  await expect(move('folder', endAt('rows of jobs'))).rejects.toThrow('the process was ended');
  await expect(start(there())).rejects.toThrow('did not finish');
  await expect(move('folder', endAt('rows of accounts compared'))).rejects.toThrow('the process was ended');
  await move('folder');
  await expect(start(there())).rejects.toThrow('was moved to');
  const service = await start(here);
  const { total } = await service.call<{ total: number }>('listings_list');
  expect(total).toBe(4);
  const [target = {}] = await listTargets(service);
  const next = await service.call<{ listing_pk: number }>(
    'listing_create',
    buildMug([target], { state: 'draft', title: 'Another mug' }),
  );
  expect(next.listing_pk).toBe(5);
  await service.close({ keep: true });
  const kept = (await readdir(data_dir)).filter((file) => file.includes('.moved-'));
  expect(kept).toHaveLength(1);
  expect(await readdir(data_dir)).not.toContain('moving');
});

it('lets a moved database start again only through the command that clears the mark', async () => {
  const config = loadConfig({}, { DATA_DIR: data_dir, LOG_LEVEL: 'silent', ...there() });
  expect(await liftMark(config)).toBe(data_dir);
  const app = await compose(config, { is_http: false });
  await app.close();
  expect(await liftMark(config)).toBeUndefined();
});

it('refuses a server that has rows of another installation', async () => {
  const other = await mkdtemp(join(tmpdir(), 'listing-other-'));
  const service = await startService(here, { data_dir: other });
  await service.close({ keep: true });
  const config = loadConfig({}, { DATA_DIR: other, LOG_LEVEL: 'silent' });
  const moving = moveAll({
    config,
    database_url: there()['DATABASE_URL'],
    blobs: undefined,
    report: () => undefined,
  });
  await expect(moving).rejects.toThrow(/is not empty: .* has rows/);
  await startService(here, { data_dir: other }).then((again) => again.close());
});

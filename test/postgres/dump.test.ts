import type { ListingJobResult } from '../answers.js';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, inject, it, onTestFinished } from 'vitest';
import { markRestored } from '../../src/compose/move.js';
import { loadConfig } from '../../src/config.js';
import { startBucketServer, type BucketServer } from '../blobs/bucket_server.js';
import { openBucket } from '../blobs/open_bucket.js';
import { buildMug, listTargets, startService, upload } from '../service.js';
import { createDatabase, dropDatabase } from './databases.js';
import { requireProgram } from './required.js';
import { findPrograms } from './server.js';

const run = promisify(execFile);

/** A remote server may be used without its client programs installed here. */
const programs = requireProgram(findPrograms(['pg_dump', 'pg_restore']), {
  name: 'pg_dump',
  install: 'postgresql-client',
});

/**
 * Where the installation's files are stored, and how to copy them elsewhere; with the settings for each
 * location.
 */
type Files = { settings: Record<string, string>; copy(): Promise<Record<string, string>> };

const KEPT: Record<string, (restored: string) => Promise<Files>> = {
  // A copy of the files only: the database takes it for another folder.
  'in a folder': async (restored) => ({
    settings: {},
    async copy() {
      await rm(join(restored, 'blobs', 'folder'));
      return {};
    },
  }),
  'in a bucket': async () => {
    const server = await startBucketServer();
    const other = await startBucketServer('copies');
    onTestFinished(() => other.close());
    return {
      settings: server.toSettings('live'),
      async copy() {
        const copied = await copyObjects(server, other);
        expect(copied.filter((key) => !key.startsWith('live/blobs/'))).toEqual(['live/installation']);
        expect(copied.length).toBeGreaterThan(1);
        await server.close();
        return other.toSettings('live');
      },
    };
  },
};

/** Copies every object under its key, like the storage provider's tool. Returns the keys. */
async function copyObjects(from: BucketServer, to: BucketServer): Promise<string[]> {
  const { bucket: source } = openBucket(from, '');
  const { bucket: target } = openBucket(to, '', { place: { bucket: 'copies' } });
  const { text } = await source.send({ method: 'GET', query: { 'list-type': '2' } });
  const keys = [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key);
  for (const key of keys) {
    const bytes = await buffer((await source.read(key, 0)) ?? Readable.from([]));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const body = { size_bytes: bytes.length, sha256, open: () => Readable.from([bytes]) };
    await target.send({ method: 'PUT', key, body });
  }
  return keys;
}

it.skipIf(programs === undefined).each(Object.keys(KEPT))(
  'a dump made during a create, with files %s, restores elsewhere to one listing and one fee',
  async (place) => {
    const folder = await mkdtemp(join(tmpdir(), 'listing-dump-'));
    const names = ['dumped', 'restored'].map((name) => `${name}_${randomBytes(6).toString('hex')}`);
    const server = inject('postgres_url') ?? '';
    const [from = '', to = ''] = names.map(
      (name) => Object.assign(new URL(server), { pathname: `/${name}` }).href,
    );
    for (const name of names) await createDatabase(server, name, 'template0');
    onTestFinished(async () => {
      for (const name of names) await dropDatabase(server, name);
      await rm(folder, { recursive: true, force: true });
    });
    const data_dir = join(folder, 'first');
    const restored = join(folder, 'second');
    const files = await KEPT[place]?.(restored);
    const service = await startService({ DATABASE_URL: from, ...files?.settings }, { data_dir });
    const [target = {}] = await listTargets(service);
    const url = await upload(service, 'photo-01.jpg');
    const { account_id } = await service.app.core.accounts.getDefault();
    const { key } = await service.app.core.accounts.createKey(account_id, 'before the dump');
    const rule = { operation: 'createDraftListing', action: { type: 'slow', ms: 3_000 } };
    await service.control('POST', '/faults', { rules: [rule] });
    const mug = buildMug([target], { state: 'active', images: [{ url }], idempotency_key: 'mug' });
    const answer = service.call<ListingJobResult>('listing_create', mug);
    await expect.poll(() => service.app.store.listings.listOpenCreates(48213377)).toHaveLength(1);
    const dumped_at = new Date();
    const dump = join(folder, 'listings.dump');
    const dumping = ['--format=custom', '--exclude-table-data=instances', `--file=${dump}`, from];
    await run(join(programs ?? '', 'pg_dump'), dumping);
    const before = await answer;
    expect(before.results?.[0]).toMatchObject({ activated: true, activation_cost_usd: 0.2 });
    await service.close({ keep: true });

    await run(join(programs ?? '', 'pg_restore'), ['--no-owner', `--dbname=${to}`, dump]);
    await cp(data_dir, restored, { recursive: true });
    const settings = { DATABASE_URL: to, ...(await files?.copy()) };
    const config = loadConfig({}, { DATA_DIR: restored, LOG_LEVEL: 'silent', ...settings });
    expect(await markRestored(config, dumped_at)).toEqual({ listings: 1 });
    const second = await startService(settings, { data_dir: restored });
    onTestFinished(() => second.close());
    const job = await second.app.store.listings.findJob(account_id, before.job_id ?? '');
    expect(job).toMatchObject({ is_restored: true });
    const { results } = await second.call<ListingJobResult>('listing_create', mug);
    expect(results?.[0]).toMatchObject({ status: 'ok', listing_id: before.results?.[0]?.listing_id });
    const { listings, fees } = await second.control<{ listings: unknown[]; fees: unknown[] }>(
      'GET',
      '/state',
    );
    expect([listings.length, fees.length]).toEqual([1, 1]);
    expect(await second.app.core.accounts.findKey(key)).toBeDefined();
    // The earlier photo is sent from the copied files.
    const another = { ...mug, idempotency_key: 'another-mug' };
    const made = await second.call<ListingJobResult>('listing_create', another);
    expect(made.results?.[0]).toMatchObject({ status: 'ok' });
  },
);

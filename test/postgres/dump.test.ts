import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it, onTestFinished } from 'vitest';
import type { ListingJobResult } from '../../schemas/job.js';
import { markRestored } from '../../src/compose/move.js';
import { loadConfig } from '../../src/config.js';
import { buildMug, listTargets, startService, upload } from '../service.js';
import { createDatabase, dropDatabase } from './databases.js';
import { requireProgram } from './required.js';
import { findPrograms } from './server.js';

const run = promisify(execFile);

/** A server elsewhere may have come without its client programs. */
const programs = requireProgram(findPrograms(['pg_dump', 'pg_restore']), {
  name: 'pg_dump',
  install: 'postgresql-client',
});

it.skipIf(programs === undefined)(
  'a dump that was made while a create was on its way: restored elsewhere, one listing and one fee',
  async () => {
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
    const service = await startService({ DATABASE_URL: from }, { data_dir });
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
    const restored = join(folder, 'second');
    await cp(data_dir, restored, { recursive: true });
    // As of a copy that has the files alone: their folder is another one to the database.
    await rm(join(restored, 'blobs', 'folder'));
    const config = loadConfig({}, { DATA_DIR: restored, DATABASE_URL: to, LOG_LEVEL: 'silent' });
    expect(await markRestored(config, dumped_at)).toEqual({ listings: 1 });
    const second = await startService({ DATABASE_URL: to }, { data_dir: restored });
    onTestFinished(() => second.close());
    const { results } = await second.call<ListingJobResult>('listing_create', mug);
    expect(results?.[0]).toMatchObject({ status: 'ok', listing_id: before.results?.[0]?.listing_id });
    const { listings, fees } = await second.control<{ listings: unknown[]; fees: unknown[] }>(
      'GET',
      '/state',
    );
    expect([listings.length, fees.length]).toEqual([1, 1]);
    expect(await second.app.core.accounts.findKey(key)).toBeDefined();
  },
);

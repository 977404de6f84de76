import { writeWarnings } from '../../../../src/core/issues/answers.js';
import type { ImportJobResult, ListingJobResult, UpdateResult } from '../../../answers.js';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { StoreUnavailableError } from '../../../../src/core/ports/index.js';
import { takeMedia } from '../../../../src/core/listings/import/take_media.js';
import { openAddon } from '../../../../src/sqlite.js';
import { ENGINE } from '../../../postgres/world.js';
import { buildMug, CLAY, LINEN, startService, TARGETS, type TestService } from '../../../service.js';
import { watchPorts } from '../../../wrapped/ports.js';
import { connectSecondAccount } from './second_account.js';

let service: TestService | undefined;
afterEach(() => service?.close());

async function start(
  environment: Record<string, string> = {},
  options: Parameters<typeof startService>[1] = {},
): Promise<TestService> {
  service = await startService(environment, options);
  await service.call('stores_list');
  return service;
}

async function make(where: TestService, body: object = {}): Promise<number[]> {
  const made = await where.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id: CLAY.shop_id,
    ...body,
  });
  return made.listing_ids;
}
const take = (where: TestService, listing_ids: number[]) =>
  where.call<ImportJobResult>('listing_import', { shop_id: CLAY.shop_id, listing_ids });

it("leaves nothing behind of a listing whose photos exceed the account's space", async () => {
  const here = await start({}, { limits: { upload_bytes: 1_000_000 } });
  const filler = Buffer.from('word '.repeat(199_900)).toString('base64');
  await here.call('file_upload', { type: 'digital', filename: 'words.txt', file: filler });
  const ids = await make(here);
  const { results } = await take(here, ids);
  expect(results).toMatchObject([{ status: 'error', details: { code: 'QUOTA_EXCEEDED' } }]);
  expect((await here.call<{ total: number }>('listings_list')).total).toBe(0);
  const { account_id } = await here.app.core.accounts.getDefault();
  expect((await here.app.core.quotas.get(account_id)).used.upload_bytes).toBe(999_500);
});

it('imports photos once and omits none when concurrent imports share a listing', async () => {
  const here = await start();
  const ids = [...(await make(here)), ...(await make(here)), ...(await make(here))];
  const [first = 0, common = 0, last = 0] = ids;
  const jobs = await Promise.all([take(here, [common, first]), take(here, [common, last])]);
  const results = jobs.flatMap((job) => job.results);
  expect(results.map(({ status, details }) => details ?? status)).not.toContainEqual(
    expect.objectContaining({ code: 'INTERNAL' }),
  );
  const { account_id } = await here.app.core.accounts.getDefault();
  for (const { listing_pk } of results.filter(({ status }) => status !== 'error')) {
    const { request } = await here.call<{ request: ListingRequest }>('listing_get', { listing_pk });
    const urls = (request.images ?? []).map(({ url }) => url);
    expect(urls.length).toBeGreaterThan(0);
    expect([...(await here.app.core.uploads.findKept(account_id, urls)).keys()]).toEqual(urls);
  }
});

it('fetches a photo again that an import found here and a failed import has since deleted', async () => {
  const here = await start();
  const [kept = 0] = await make(here, { is_plain: true, title: 'Another mug' });
  const { listing_pk: join } = (await take(here, [kept])).results[0] ?? {};
  const linen = { shop_id: LINEN.shop_id, is_plain: true };
  const [refused = 0] = await make(here, linen);
  const [taken = 0] = await make(here, linen);
  type World = { listings: { listing_id: number; images: { listing_image_id: number }[] }[] };
  const { listings } = await here.control<World>('GET', '/state');
  const images = listings
    .find((one) => one.listing_id === refused)
    ?.images.map(({ listing_image_id }) => ({ listing_image_id }));
  await here.control('POST', `/listings/${taken}/edit`, { images });

  const importOne = (listing_id: number, more: object = {}) =>
    here.call<ImportJobResult>('listing_import', {
      shop_id: LINEN.shop_id,
      listing_ids: [listing_id],
      ...more,
    });
  const { uploads } = here.app.core;
  const fetchUpload = uploads.fetch;
  const steps = new EventEmitter();
  const fetches: unknown[] = [];
  uploads.fetch = async (...source) => {
    const fetched = await fetchUpload(...source);
    const times = fetches.push(fetched);
    if (times === 1) await once(steps, 'found');
    if (times === 2) {
      steps.emit('found');
      await once(steps, 'dropped');
    }
    return fetched;
  };
  // The failing import fetches the photo first; the other one finds it, and proceeds once it is deleted.
  const first = importOne(refused, { join });
  await expect.poll(() => fetches).toHaveLength(1);
  const second = importOne(taken);
  expect((await first).results).toMatchObject([{ details: { code: 'VALIDATION_FAILED' } }]);
  steps.emit('dropped');
  const [result] = (await second).results;
  expect(fetches).toMatchObject([{ is_new: true }, { is_new: false }, { is_new: true }]);
  expect(result).toMatchObject({ status: 'imported', warnings: [] });
  const { request } = await here.call<{ request: ListingRequest }>('listing_get', {
    listing_pk: result?.listing_pk,
  });
  const urls = (request.images ?? []).map(({ url }) => url);
  expect(urls).toHaveLength(1);
  const { account_id } = await here.app.core.accounts.getDefault();
  expect([...(await uploads.findKept(account_id, urls)).keys()]).toEqual(urls);
});

it('keeps files of a failed import that another import uses', async () => {
  const here = await start();
  const ids = await make(here);
  const [{ listing_pk } = {}] = (await take(here, ids)).results;
  const { request } = await here.call<{ request: ListingRequest }>('listing_get', { listing_pk });
  const urls = (request.images ?? []).map(({ url }) => url);
  const { account_id } = await here.app.core.accounts.getDefault();
  const { uploads } = here.app.core;
  const before = await uploads.findKept(account_id, urls);
  expect(before.size).toBe(urls.length);
  await uploads.dropFetched(
    account_id,
    [...before.values()].map(({ upload_id }) => upload_id),
  );
  expect(await uploads.findKept(account_id, urls)).toEqual(before);
});

it("does not fetch a photo at another origin than the marketplace's, on a private network, and reports it", async () => {
  const here = await start({ EGRESS_ALLOW_CIDRS: '10.9.9.0/24' });
  const { account_id } = await here.app.core.accounts.getDefault();
  const shop = { account_id, shop_id: CLAY.shop_id };
  const image = {
    listing_image_id: 7,
    url_fullxfull: 'http://127.0.0.1:9/photo.png',
    rank: 1,
    created_at_epoch_s: 0,
    width: null,
    height: null,
    alt_text: '',
  };
  const { signal } = new AbortController();
  const hold = { signal, checkStop: () => undefined, pause: () => Promise.resolve() };
  const { uploads } = here.app.core;
  const taken = await takeMedia(uploads, shop, { images: [image], videos: [] }, undefined, hold);
  expect(taken.known.images.size).toBe(0);
  expect(taken.warnings).toMatchObject([{ code: 'media_not_kept', fields: ['images[0].url'] }]);
  expect(writeWarnings(taken.warnings)[0]?.reason).toContain('private network');
  expect((await uploads.list(account_id, { limit: 5, offset: 0 })).total).toBe(0);
});

// The trigger is specific to SQLite.
it.skipIf(ENGINE === 'postgres')(
  'fails an import whose outcome cannot be saved, instead of retrying it forever',
  async () => {
    const here = await start();
    const db = openAddon(join(here.data_dir, 'service.db'));
    onTestFinished(() => void db.close());
    db.exec(
      "CREATE TRIGGER broken BEFORE INSERT ON job_parts BEGIN SELECT RAISE(ABORT, 'no part is taken'); END",
    );
    const call = { shop_id: CLAY.shop_id, listing_ids: [999_999_999] };
    const job = await here.call<ImportJobResult>('listing_import', call, { wait_ms: 15_000 });
    expect(job).toMatchObject({
      status: 'failed',
      error_message: 'Something went wrong inside the service. To finish, call listing_import.',
      results: [{ listing_id: 999_999_999, status: 'error', details: { code: 'LISTING_NOT_FOUND' } }],
    });
    expect(await here.app.store.listings.listClaimableJobs()).toEqual([]);
  },
);

it('refuses a listing that another account manages, with neutral words and after the calls of any import', async () => {
  const here = await start();
  const [own = 0] = await make(here);
  const [listing_id = 0] = await make(here);
  await take(here, [listing_id]);
  const second = await connectSecondAccount(here);
  const takeAsSecond = async (id: number) => {
    const call = { shop_id: CLAY.shop_id, listing_ids: [id] };
    const before = await countCalls(here);
    const { results } = await here.call<ImportJobResult>('listing_import', call, { caller: second });
    const after = await countCalls(here);
    const calls = Object.keys(after).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]);
    return { results, calls: Object.fromEntries(calls) as Record<string, number> };
  };
  const refused = await takeAsSecond(listing_id);
  expect(refused.results).toEqual([
    {
      listing_id,
      status: 'error',
      warnings: [],
      error: 'This listing cannot be imported.',
      details: { code: 'VALIDATION_FAILED' },
    },
  ]);
  const imported = await takeAsSecond(own);
  expect(imported.results).toMatchObject([{ status: 'imported' }]);
  expect(refused.calls).toEqual(imported.calls);
  expect((await here.call<{ total: number }>('listings_list', {}, { caller: second })).total).toBe(1);
});

const countCalls = async (where: TestService) =>
  (await where.control<{ calls: Record<string, number> }>('GET', '/state')).calls;

it('leaves a listing to the job that works on it', async () => {
  const here = await start();
  const [listing_id = 0] = await make(here, { is_plain: true, state: 'draft' });
  const { results } = await take(here, [listing_id]);
  await here.control('POST', '/faults', {
    rules: [{ operation: 'updateListing', times: 1, action: { type: 'slow', ms: 1_500 } }],
  });
  const publishing = here.call('listing_publish', { listing_pk: results[0]?.listing_pk, state: 'active' });
  onTestFinished(() => publishing.then(() => undefined));
  await expect
    .poll(
      async () =>
        (await here.control<{ calls: Record<string, number> }>('GET', '/state')).calls['updateListing'],
    )
    .toBe(1);
  const again = await take(here, [listing_id]);
  expect(again.results).toMatchObject([{ status: 'error', details: { code: 'LISTING_BUSY' } }]);
  await publishing;
  expect((await take(here, [listing_id])).results).toMatchObject([{ status: 'refreshed' }]);
});

it('keeps values that a job writes while the shop is read', async () => {
  const here = await start();
  const [listing_id = 0] = await make(here, { is_plain: true });
  const [first] = (await take(here, [listing_id])).results;
  const { listing_pk } = first ?? {};
  const count = async () =>
    (await here.control<{ calls: Record<string, number> }>('GET', '/state')).calls['getListingProperties'] ??
    0;
  const before = await count();
  await here.control('POST', '/faults', {
    rules: [{ operation: 'getListingProperties', times: 1, action: { type: 'slow', ms: 1_500 } }],
  });
  const importing = take(here, [listing_id]);
  await expect.poll(count, { interval: 5 }).toBe(before + 1);
  const update = (price: number) =>
    here.call<UpdateResult>('listing_update', { listing_pk, changes: { offerings: [{ price }] } });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await update(55)).results).toMatchObject([{ status: 'ok' }]);
  expect((await importing).results).toMatchObject([{ status: 'refreshed' }]);
  const { request } = await here.call<{ request: ListingRequest }>('listing_get', { listing_pk });
  expect(request.listing.price).toBe(55);
  expect((await update(56)).results).toMatchObject([{ status: 'ok' }]);
});

it('imports a listing once the database is back after an outage', async () => {
  let times = 0;
  const here = await start(
    {},
    {
      wrapPorts: (ports) =>
        watchPorts(ports, (side, call) => {
          if (side !== 'before' || call !== 'store.listings.saveImport') return;
          times += 1;
          if (times === 1) throw new StoreUnavailableError('the server is gone');
        }),
    },
  );
  const ids = await make(here, { is_plain: true });
  expect(await take(here, ids)).toMatchObject({ status: 'completed', results: [{ status: 'imported' }] });
  expect(times).toBe(2);
});

it('does not join a shop to a listing that is in 50 shops already', async () => {
  const here = await start();
  const { account_id } = await here.app.core.accounts.getDefault();
  const kept = await here.app.core.shops.get({ account_id, shop_id: LINEN.shop_id });
  const targets = Array.from({ length: 50 }, (_, index) => ({ ...TARGETS.linen, shop_id: 900_000 + index }));
  for (const { shop_id } of targets) {
    const details = { ...kept.details, shop_id: String(shop_id) };
    await here.app.store.shops.saveShop({ ...kept, shop_id, details }, new Date().toISOString());
  }
  const mug = buildMug(targets);
  const request = { ...mug, listing: { ...mug.listing, title: 'Twin mug', sku: 'TWIN' } };
  const { listing_pk } = await here.call<{ listing_pk: number }>('listing_create', request);
  const ids = await make(here, {
    is_plain: true,
    title: 'Twin mug',
    products: [{ sku_new: 'TWIN', price: 20 }],
  });
  const call = { shop_id: CLAY.shop_id, listing_ids: ids, join: listing_pk };
  const { results } = await here.call<ImportJobResult>('listing_import', call);
  expect(results).toMatchObject([
    {
      status: 'error',
      error: 'With this shop, the listing would be in 51 shops; at most 50 are allowed.',
      details: { code: 'VALIDATION_FAILED' },
    },
  ]);
});

it('names the job a refresh waits for: the one that did not finish the listing', async () => {
  const here = await start();
  const ids = await make(here, { is_plain: true, state: 'draft' });
  const [first] = (await take(here, ids)).results;
  await here.control('POST', '/faults', {
    rules: [
      {
        operation: 'updateListing',
        times: 1,
        action: { type: 'status', status: 400, body: { error: 'no' } },
      },
    ],
  });
  const publish = { listing_pk: first?.listing_pk, state: 'active' };
  const { job_id, results } = await here.call<ListingJobResult>('listing_publish', publish);
  expect(results).toMatchObject([{ status: 'error' }]);
  const [refused] = (await take(here, ids)).results;
  expect(refused).toMatchObject({ status: 'error', details: { code: 'LISTING_BUSY' } });
  expect(refused?.error).toContain(job_id);
});

// The concurrent changes are written directly to SQLite.
it.skipIf(ENGINE === 'postgres')(
  'names the job a refresh waits for: the last one of a listing that changes all the time',
  async () => {
    let db: BetterSqlite3.Database | undefined;
    let seconds = 0;
    const here = await start(
      {},
      {
        wrapPorts: (ports) =>
          watchPorts(ports, (side, call) => {
            if (side !== 'before' || call !== 'store.listings.saveImport') return;
            seconds += 1;
            db?.prepare('UPDATE listings SET updated_at = ?').run(new Date(seconds * 1_000).toISOString());
          }),
      },
    );
    const ids = await make(here, { is_plain: true });
    const [first] = (await take(here, ids)).results;
    const { job_id } = await here.call<UpdateResult>('listing_update', {
      listing_pk: first?.listing_pk,
      changes: { offerings: [{ price: 31 }] },
    });
    db = openAddon(join(here.data_dir, 'service.db'));
    onTestFinished(() => void db?.close());
    const [refused] = (await take(here, ids)).results;
    expect(refused).toMatchObject({ status: 'error', details: { code: 'LISTING_BUSY' } });
    expect(refused?.error).toContain(job_id);
  },
);

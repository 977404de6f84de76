import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoppedError } from '../../../../src/core/listings/engine/failures.js';
import { MarketplaceError } from '../../../../src/core/ports/index.js';
import type { ListingJobResult, UpdateResult } from '../../../answers.js';
import {
  buildMug,
  CLAY,
  LINEN,
  listTargets,
  startService,
  upload,
  type TestService,
} from '../../../service.js';
import { watchPorts, type Watch } from '../../../wrapped/ports.js';
import { holdCalls, type HeldCalls } from '../../../wrapped/held_calls.js';
import { makeListing, readListings, type Made } from '../update/rig.js';

type Job = { job_id: string };
type World = { fees: unknown[]; calls: Record<string, number>; listings: { state: string }[] };

let service: TestService;
let held: HeldCalls;
let watch: Watch | undefined;

beforeEach(async () => {
  held = holdCalls();
  watch = undefined;
  service = await startService(
    { MAX_ACTIVATIONS_PER_DAY: 'unlimited' },
    { wrapPorts: (ports) => watchPorts(held.wrapPorts(ports), (...seen) => watch?.(...seen)) },
  );
});
afterEach(async () => {
  held.release();
  await service.close();
});

const start = (id: string, input: object) => service.call<Job>(id, input, { wait_ms: 0 });
const getAccount = async () => (await service.app.core.accounts.getDefault()).account_id;
const cancel = async ({ job_id }: Job) => service.app.core.listings.cancelJob(await getAccount(), job_id);
const getWorld = () => service.control<World>('GET', '/state');
const listTitles = async (made: Made) =>
  (await readListings(service, made)).map((listing) => listing?.fields.title);

async function waitForEnd({ job_id }: Job): Promise<ListingJobResult> {
  const find = () => service.call<ListingJobResult>('listing_create_status', { job_id });
  await expect.poll(async () => (await find()).status, { timeout: 20_000 }).not.toBe('processing');
  return find();
}

const toOutcomes = ({ results = [] }: Pick<ListingJobResult, 'results'>) =>
  Object.fromEntries(results.map(({ shop_id, status, error }) => [shop_id, error ?? status]));

const NOT_STARTED = 'A person canceled the job before any work started on this shop or listing';
const NOT_ACTIVATED =
  'A person canceled the job before it activated the listing; call listing_publish only if the seller still wants this';

const TOO_MANY = new MarketplaceError('rate_limited', 'too many requests', {
  status: 429,
  retry_after_seconds: 2,
});

function isActivation(at: 'before' | 'after', [side, call]: Parameters<Watch>): boolean {
  return side === at && call === 'marketplace.activateListing';
}

/** Starts an update of the title in both shops, one of which waits for its first read until the other is done. */
async function updateInOne(title: string): Promise<{ made: Made; job: Job }> {
  const made = await makeListing(service, { photos: 1 });
  held.hold(/^get/, LINEN.shop_id);
  const job = await start('listing_update', { listing_pk: made.listing_pk, changes: { listing: { title } } });
  await held.waitUntilHeld();
  await expect.poll(() => listTitles(made), { timeout: 20_000 }).toContain(title);
  return { made, job };
}

describe('canceling an update', () => {
  it('skips the shop that has not started; the other can be undone, and a retry finishes the rest', async () => {
    const { made, job } = await updateInOne('Stoneware cup');
    await cancel(job);
    const running = await service.call<ListingJobResult>('listing_create_status', job);
    expect(running).toMatchObject({ status: 'processing' });
    expect(running.error_message).toContain('canceled');
    held.release();
    const ended = await waitForEnd(job);
    expect(ended.status).toBe('completed');
    expect(toOutcomes(ended)).toEqual({
      [CLAY.shop_id]: 'ok',
      [LINEN.shop_id]: `${NOT_STARTED}; call listing_update only if the seller still wants this`,
    });
    expect(new Set(await listTitles(made))).toEqual(new Set(['Stoneware cup', 'Stoneware mug']));
    const changes = { listing: { title: 'Stoneware cup' } };
    const { listing_pk } = made;
    const again = await service.call<UpdateResult>('listing_update', { listing_pk, changes });
    expect(toOutcomes(again)).toEqual({ [CLAY.shop_id]: 'unchanged', [LINEN.shop_id]: 'ok' });
    const undone = await service.call<UpdateResult>('listing_undo', { listing_pk, job_id: job.job_id });
    expect(toOutcomes(undone)).toEqual({ [CLAY.shop_id]: 'ok' });
  });

  it('also applies in the process that resumes the job after a crash', async () => {
    const { made, job } = await updateInOne('Stoneware cup');
    watch = (side, call) => {
      if (side === 'after' && call.startsWith('marketplace.get')) throw new StoppedError('ended');
    };
    await cancel(job);
    held.release();
    await expect.poll(() => service.app.core.listings.countRunning()).toBe(0);
    watch = undefined;
    await service.app.core.listings.resume();
    expect(toOutcomes(await waitForEnd(job))[LINEN.shop_id]).toContain(NOT_STARTED);
    expect(await listTitles(made)).toContain('Stoneware cup');
  });

  it('has no effect once every shop has started', async () => {
    const made = await makeListing(service, { photos: 1 });
    held.hold(/^updateListing$/, LINEN.shop_id);
    const changes = { listing: { title: 'Stoneware cup' } };
    const job = await start('listing_update', { listing_pk: made.listing_pk, changes });
    await held.waitUntilHeld();
    await expect.poll(() => listTitles(made), { timeout: 20_000 }).toContain('Stoneware cup');
    await cancel(job);
    held.release();
    const ended = await waitForEnd(job);
    expect(toOutcomes(ended)).toEqual({ [CLAY.shop_id]: 'ok', [LINEN.shop_id]: 'ok' });
    expect(ended.error_message).toBeUndefined();
    await cancel(job);
    expect((await waitForEnd(job)).error_message).toBeUndefined();
  });
});

describe('canceling a publication', () => {
  it('pays no fee in a shop whose draft is not complete yet, and finishing pays it once', async () => {
    const targets = await listTargets(service);
    const images = [{ url: await upload(service, 'photo-01.jpg') }];
    held.hold(/^uploadImage$/, LINEN.shop_id);
    const job = await start('listing_create', buildMug(targets, { state: 'active', images }));
    await held.waitUntilHeld();
    await expect.poll(async () => (await getWorld()).fees.length, { timeout: 20_000 }).toBe(1);
    await cancel(job);
    held.release();
    const ended = await waitForEnd(job);
    expect(toOutcomes(ended)).toEqual({
      [CLAY.shop_id]: 'ok',
      [LINEN.shop_id]: NOT_ACTIVATED,
    });
    // An assistant that reads this must not finish by itself what a person has canceled.
    expect(ended.message).toContain(
      'A person canceled the job. Ask the seller before you call listing_publish',
    );
    expect((await getWorld()).fees).toHaveLength(1);
    expect((await getWorld()).listings.map(({ state }) => state).toSorted()).toEqual(['active', 'draft']);
    const { listing_pk } = ended;
    const finish = { listing_pk, state: 'active' };
    const finished = await service.call<ListingJobResult>('listing_publish', finish);
    expect(finished.status).toBe('completed');
    const { fees, calls } = await getWorld();
    expect(fees).toHaveLength(2);
    expect(calls['createDraftListing']).toBe(2);
  });

  it('sends no activation that is still waiting for rate limits', async () => {
    const targets = (await listTargets(service)).slice(0, 1);
    const images = [{ url: await upload(service, 'photo-01.jpg') }];
    let refused = 0;
    watch = (side, call) => {
      if (side !== 'before' || call !== 'marketplace.activateListing') return;
      refused += 1;
      if (refused > 1) return;
      throw new MarketplaceError('rate_limited', 'too many requests', {
        status: 429,
        retry_after_seconds: 2,
      });
    };
    const job = await start('listing_create', buildMug(targets, { state: 'active', images }));
    await expect.poll(() => refused, { timeout: 20_000 }).toBe(1);
    await cancel(job);
    const ended = await waitForEnd(job);
    expect(toOutcomes(ended)).toEqual({ [CLAY.shop_id]: NOT_ACTIVATED });
    expect((await getWorld()).fees).toEqual([]);
    const finish = { listing_pk: ended.listing_pk, state: 'active' };
    expect(toOutcomes(await service.call<ListingJobResult>('listing_publish', finish))).toEqual({
      [CLAY.shop_id]: 'ok',
    });
    expect((await getWorld()).fees).toHaveLength(1);
  });

  it('reports the listing as active if the activation was sent and only its response was lost', async () => {
    const targets = (await listTargets(service)).slice(0, 1);
    const images = [{ url: await upload(service, 'photo-01.jpg') }];
    let canceled: Promise<void> | undefined;
    watch = (...seen) => {
      if (!isActivation('after', seen)) return;
      canceled = cancel(job);
      throw new MarketplaceError('unknown', 'no answer came', { status: null });
    };
    const job = await start('listing_create', buildMug(targets, { state: 'active', images }));
    const ended = await waitForEnd(job);
    await canceled;
    expect(canceled).toBeDefined();
    expect(toOutcomes(ended)).toEqual({ [CLAY.shop_id]: 'ok' });
    expect(ended.results).toMatchObject([{ activated: true, activation_cost_usd: 0.2 }]);
    expect((await getWorld()).fees).toHaveLength(1);
  });

  it('keeps a listing inactive if its activation has not been sent', async () => {
    const { listing_pk } = await makeListing(service, { photos: 1 });
    const shops = [CLAY.shop_id];
    await service.call('listing_publish', { listing_pk, state: 'inactive', shops });
    let refused = 0;
    watch = (...seen) => {
      if (isActivation('before', seen) && (refused += 1) === 1) throw TOO_MANY;
    };
    const job = await start('listing_publish', { listing_pk, state: 'active', shops });
    await expect.poll(() => refused, { timeout: 20_000 }).toBe(1);
    await cancel(job);
    expect(Object.values(toOutcomes(await waitForEnd(job)))).toEqual([
      expect.stringMatching(
        /^A person canceled the job before it activated the listing; call listing_publish/,
      ),
    ]);
    const again = await service.call<ListingJobResult>('listing_publish', {
      listing_pk,
      state: 'active',
      shops,
    });
    expect(toOutcomes(again)).toEqual({ [CLAY.shop_id]: 'ok' });
  });

  it('creates nothing if no shop has begun', async () => {
    const targets = await listTargets(service);
    const images = [{ url: await upload(service, 'photo-01.jpg') }];
    held.holdStore('claimJob');
    const job = await start('listing_create', buildMug(targets, { state: 'publish', images }));
    await held.waitUntilHeld();
    await cancel(job);
    held.release();
    const ended = await waitForEnd(job);
    const error = `${NOT_STARTED}; call listing_publish only if the seller still wants this`;
    expect(toOutcomes(ended)).toEqual({ [CLAY.shop_id]: error, [LINEN.shop_id]: error });
    expect((await getWorld()).calls['createDraftListing']).toBeUndefined();
    const finish = { listing_pk: ended.listing_pk, state: 'publish' };
    const finished = await service.call<ListingJobResult>('listing_publish', finish);
    expect(toOutcomes(finished)).toEqual({ [CLAY.shop_id]: 'ok', [LINEN.shop_id]: 'ok' });
  });
});

it('canceling an import skips the listings that it has not started', async () => {
  const shop_id = CLAY.shop_id;
  const { listing_ids } = await service.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id,
    count: 6,
  });
  held.hold(/^get/, shop_id);
  const job = await start('listing_import', { shop_id, listing_ids });
  await held.waitUntilHeld();
  await cancel(job);
  held.release();
  const { results = [] } = (await waitForEnd(job)) as { results?: { status: string; error?: string }[] };
  const canceled = results.filter(({ error }) => error?.includes(NOT_STARTED));
  expect(canceled.length).toBeGreaterThan(0);
  expect(results.filter(({ status }) => status === 'imported')).toHaveLength(6 - canceled.length);
  const again = await service.call<{ results: { status: string }[] }>('listing_import', {
    shop_id,
    listing_ids,
  });
  expect(again.results.map(({ status }) => status)).not.toContain('error');
});

it('cancels the job of a batch only together with its batch', async () => {
  const made = await makeListing(service, { photos: 1 });
  held.hold(/^updateListing$/, LINEN.shop_id);
  const edits = [{ field: 'title', op: 'prepend', value: 'New ' }];
  const batch = await service.call<{ batch_id: string }>('batch_create', {
    select: { listing_pks: [made.listing_pk] },
    edits,
  });
  await service.call('batch_start', { batch_id: batch.batch_id }, { wait_ms: 0 });
  await held.waitUntilHeld();
  const running = await service.app.store.listings.findRunningJob(await getAccount(), made.listing_pk);
  await cancel({ job_id: running?.job_id ?? '' });
  const after = await service.app.store.listings.findJob(await getAccount(), running?.job_id ?? '');
  expect(after?.error_message).toBeNull();
});

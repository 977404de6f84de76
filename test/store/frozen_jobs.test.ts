import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { ImportJobResult } from '../../schemas/import.js';
import type { ListingJobResult } from '../../schemas/job.js';
import type { UpdateResult } from '../../schemas/listing_changes.js';
import { fixturePath } from '../service.js';
import { openFrozen, VERSIONS, type Frozen, type Known, type Sold } from './frozen_world.js';

/*
 * Jobs of each kind that were in flight when the process of a frozen folder was killed; frozen/README.md lists
 * them.
 */

const PATIENT = { timeout: 30_000, interval: 50 };

type Resumed = {
  frozen: Frozen;
  jobs: Known['jobs'];
  before: Sold;
  after: Sold;
  /** Results of the jobs in flight in the account `jobs`. */
  results: (ListingJobResult | UpdateResult | ImportJobResult)[];
  call<Output>(operation_id: string, input?: unknown): Promise<Output>;
};

async function resume(version: string): Promise<Resumed> {
  const frozen = await openFrozen(version);
  const { app, known } = frozen;
  const account = (await app.core.accounts.list()).find(({ name }) => name === 'jobs');
  const call = <Output>(operation_id: string, input: unknown = {}) =>
    frozen.call<Output>(operation_id, input, account?.account_id);
  const before = await frozen.readSold();
  const open = await app.store.listings.listClaimableJobs();
  await app.core.listings.resume();
  const results: Resumed['results'] = [];
  for (const { account_id, job_id } of open) {
    const getResult = () => frozen.call<ListingJobResult>('listing_create_status', { job_id }, account_id);
    await expect.poll(async () => (await getResult()).status, PATIENT).not.toBe('processing');
    if (account_id === account?.account_id) results.push(await getResult());
  }
  return { frozen, jobs: known.jobs, before, after: await frozen.readSold(), results, call };
}

const find = ({ listings }: Sold, title: string) => listings.filter(({ fields }) => fields.title === title);
const countFees = ({ fees }: Sold, listing_id: number | undefined) =>
  fees.filter((fee) => fee.listing_id === listing_id).length;
const listPrices = ({ inventory }: Sold['listings'][number]) =>
  inventory.products.map(({ offering }) => offering.price_amount);
const readSha256 = async (name: string) =>
  createHash('sha256')
    .update(await readFile(fixturePath(name)))
    .digest('hex');

describe.each(VERSIONS)('the jobs in flight of %s', (version) => {
  it('all finish, each with its one listing and at most one fee', async () => {
    const { jobs, before, after, results, call } = await resume(version);
    expect(results.map(({ status }) => status)).toEqual(Array(9).fill('completed'));
    const entries = results.flatMap((result): { status: string }[] => result.results ?? []);
    expect(entries.map(({ status }) => status).sort()).toEqual(['imported', ...Array<string>(8).fill('ok')]);

    // The lost calls took effect before the kill, and do so only once.
    expect(find(before, 'Lost create').map(({ state }) => state)).toEqual(['draft']);
    expect(find(before, 'Half-sent photo').map(({ images }) => images.length)).toEqual([2]);
    expect(find(before, 'Lost activation').map(({ state }) => state)).toEqual(['active']);
    const photos = await Promise.all(['photo-01.jpg', 'photo-02.jpg', 'photo-03.jpg'].map(readSha256));
    const expected = {
      'Lost create': { prices: [2450], photos: photos.slice(0, 1) },
      'Half-sent photo': { prices: [2450], photos },
      'Lost inventory': { prices: [2000, 2200], photos: photos.slice(0, 1) },
      'Lost activation': { prices: [2450], photos: photos.slice(0, 1) },
      'Repriced mug': { prices: [2900], photos: photos.slice(0, 1) },
      'Returned mug': { prices: [2450], photos: photos.slice(0, 1) },
    };
    for (const [title, { prices, photos: wanted }] of Object.entries(expected)) {
      const there = find(after, title);
      expect(
        there.map((listing) => ({
          title,
          state: listing.state,
          prices: listPrices(listing),
          photos: listing.images.toSorted((a, b) => a.rank - b.rank).map(({ sha256 }) => sha256),
          fees: countFees(after, listing.listing_id),
        })),
      ).toEqual([{ title, state: 'active', prices, photos: wanted, fees: 1 }]);
    }
    expect(after.listings).toHaveLength(before.listings.length);

    const { listings } = await call<{ listings: { listing_pk: number; shops: { listing_id: number }[] }[] }>(
      'listings_list',
      { limit: 100 },
    );
    const imported = listings.filter(({ shops }) =>
      shops.some(({ listing_id }) => listing_id === jobs.imported_listing_id),
    );
    expect(imported).toHaveLength(1);
  });

  it('include a copy, and a listing that is deactivated', async () => {
    const { jobs, before, after, call } = await resume(version);
    const describeMugs = (sold: Sold, title: string) =>
      find(sold, title)
        .map((listing) => [listing.shop_id, listing.state, ...listPrices(listing)])
        .sort((a, b) => Number(a[0]) - Number(b[0]));
    const original = [48_213_377, 'active', 2450];
    expect(describeMugs(before, 'Copied mug')).toEqual([original, [52_660_914, 'draft', 3100]]);
    expect(describeMugs(after, 'Copied mug')).toEqual([original, [52_660_914, 'active', 3100]]);
    expect(find(after, 'Copied mug').map(({ listing_id }) => countFees(after, listing_id))).toEqual([1, 1]);
    const inactive = [[48_213_377, 'inactive', 2450]];
    expect(describeMugs(before, 'Mug off sale')).toEqual(inactive);
    expect(describeMugs(after, 'Mug off sale')).toEqual(inactive);
    const undone = await call<UpdateResult>('listing_undo', { listing_pk: jobs.taken_off });
    expect(undone).toMatchObject({ status: 'completed', results: [{ status: 'ok' }] });
  });

  it('do not prevent undoing a finished update, or undoing that undo', async () => {
    const { jobs, call, frozen } = await resume(version);
    const { listing_pk, job_id } = jobs.updated;
    const describeMug = async (title: string) =>
      find(await frozen.readSold(), title).map((listing) => [listing.state, ...listPrices(listing)]);
    expect(await describeMug('Mug with a new title')).toEqual([['active', 3100]]);
    const undone = await call<UpdateResult>('listing_undo', { listing_pk, job_id });
    expect(undone).toMatchObject({ status: 'completed', results: [{ status: 'ok' }] });
    expect(await describeMug('Updated mug')).toEqual([['active', 2450]]);
    const redone = await call<UpdateResult>('listing_undo', { listing_pk, job_id: undone.job_id });
    expect(redone).toMatchObject({ status: 'completed', results: [{ status: 'ok' }] });
    expect(await describeMug('Mug with a new title')).toEqual([['active', 3100]]);
  });

  it('can be undone once they have finished', async () => {
    const { jobs, call, frozen } = await resume(version);
    for (const listing_pk of [jobs.repriced, jobs.returned]) {
      const undone = await call<UpdateResult>('listing_undo', { listing_pk });
      expect(undone).toMatchObject({ status: 'completed', results: [{ status: 'ok' }] });
    }
    const sold = await frozen.readSold();
    expect(find(sold, 'Repriced mug').map(listPrices)).toEqual([[2450]]);
    expect(find(sold, 'Mug whose title is taken back')).toHaveLength(1);
  });

  it('return their stored reasons unchanged if these are sentences', async () => {
    const frozen = await openFrozen(version);
    const account = (await frozen.app.core.accounts.list()).find(({ name }) => name === 'jobs');
    const account_id = account?.account_id ?? '';
    const listing_pk = frozen.known.jobs.failed;
    const {
      results: [stored],
    } = await frozen.app.core.listings.peek(account_id, { listing_pk });
    expect(stored?.error).toMatchObject({ code: 'stored_text' });
    const {
      results: [told],
    } = await frozen.call<{ results: { error: string; warnings: { reason: string }[] }[] }>(
      'listing_get',
      { listing_pk },
      account_id,
    );
    expect(told?.error).toMatch(/ could not be sent: the marketplace answered \d{3} /);
    for (const { reason } of told?.warnings ?? []) expect(reason).toMatch(/^[A-Z].*\.$/s);
  });

  it('do not prevent retrying a failed publish, which finishes the draft and pays one fee', async () => {
    const { jobs, before, call, frozen } = await resume(version);
    const [draft] = find(before, 'Failed mug');
    expect(draft).toMatchObject({ state: 'draft', images: [] });
    const published = await call<ListingJobResult>('listing_publish', {
      listing_pk: jobs.failed,
      state: 'active',
    });
    expect(published.results).toMatchObject([{ status: 'ok', listing_id: draft?.listing_id }]);
    const sold = await frozen.readSold();
    expect(find(sold, 'Failed mug').map(({ state, images }) => [state, images.length])).toEqual([
      ['active', 1],
    ]);
    expect(countFees(sold, draft?.listing_id)).toBe(1);
  });
});

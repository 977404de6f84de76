import type { ListingJobResult } from '../../../answers.js';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupDatabase } from '../../../../src/store/index.js';
import { buildMug, CLAY, listTargets, startService, upload, type TestService } from '../../../service.js';

type World = {
  listings: { listing_id: number; state: string; images: unknown[] }[];
  fees: unknown[];
  calls: Record<string, number>;
};

let service: TestService;
let folders: string[];
let copy: string;
let target: object;
let url: string;

beforeEach(async () => {
  service = await startService();
  copy = await mkdtemp(join(tmpdir(), 'listing-backup-'));
  folders = [service.data_dir, copy];
  [target = {}] = await listTargets(service);
  url = await upload(service, 'photo-01.jpg');
  await service.call('listing_schema', { category_id: 1062 });
});
afterEach(async () => {
  await service.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const readState = () => service.control<World>('GET', '/state');
const strike = (...rules: object[]) => service.control('POST', '/faults', { rules });
const build = (state: string, more: object = {}) =>
  buildMug([target], { state, images: [{ url }], idempotency_key: 'mug', ...more });
const create = (body: object) => service.call<ListingJobResult>('listing_create', body);
const publish = (listing_pk: number | undefined, state = 'active') =>
  service.call<ListingJobResult>('listing_publish', { listing_pk, state });
const setState = async (state: string) => {
  const [listing] = (await readState()).listings;
  await service.control('POST', `/listings/${listing?.listing_id}/state`, { state });
};
const backUp = () =>
  backupDatabase({ data_dir: service.data_dir, file: join(copy, 'service.db'), now: new Date() });

/**
 * The backup in a new folder, with the files operators keep; the marketplace stays where it is, and continues.
 */
async function restore(settings: Record<string, string> = {}): Promise<void> {
  const { data_dir } = service;
  await service.close({ keep: true });
  const restored = await mkdtemp(join(tmpdir(), 'listing-restored-'));
  folders.push(restored);
  await cp(join(copy, 'service.db'), join(restored, 'service.db'));
  for (const name of ['master.key', 'marketplace', 'blobs', 'sandbox.db']) {
    await cp(join(data_dir, name), join(restored, name), { recursive: true });
  }
  service = await startService(settings, { data_dir: restored });
}

/** Makes a backup just before the create is sent, and lets the job activate the listing. */
async function backUpAtCreate(body: object): Promise<ListingJobResult> {
  await strike({ operation: 'createDraftListing', action: { type: 'slow', ms: 1_000 } });
  const answer = create(body);
  const { listings } = service.app.store;
  await expect.poll(() => listings.listOpenCreates(CLAY.shop_id)).toHaveLength(1);
  await backUp();
  return answer;
}

describe('a backup made during a create', () => {
  it('continues with the listing that is active since: one listing, one fee, which is reported', async () => {
    const before = await backUpAtCreate(build('active'));
    expect(before.results?.[0]).toMatchObject({ activated: true, activation_cost_usd: 0.2 });
    await restore();
    const { results } = await create(build('active'));
    const { listings, fees } = await readState();
    expect(listings).toHaveLength(1);
    expect(listings[0]?.images).toHaveLength(1);
    expect(fees).toHaveLength(1);
    expect(results?.[0]).toMatchObject({
      status: 'ok',
      listing_id: listings[0]?.listing_id,
      activated: true,
      activation_cost_usd: 0.2,
    });
    expect(results?.[0]?.warnings?.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['found_again', 'live_already']),
    );
  });

  it.each(['inactive', 'sold_out', 'expired'])(
    'creates nothing and pays nothing if the listing is %s since',
    async (state) => {
      await backUpAtCreate(build('active'));
      await setState(state);
      await restore();
      const { results } = await create(build('active'));
      expect(results?.[0]?.error).toContain(
        `it has been active before, and is now ${state} on the marketplace`,
      );
      const { listings, fees } = await readState();
      expect([listings.length, fees.length]).toEqual([1, 1]);
    },
  );

  it('creates nothing while it is unclear which of two listings it is, and continues once that is clear', async () => {
    await backUpAtCreate(build('publish'));
    await create(build('publish', { idempotency_key: 'another-on-purpose' }));
    await restore();
    const { listing_pk, results } = await create(build('publish'));
    const [one, other] = (await readState()).listings.map(({ listing_id }) => listing_id);
    expect(results?.[0]).toMatchObject({ status: 'error', details: { step: 'create' } });
    expect(results?.[0]?.error).toContain(
      `Listings ${one} and ${other} in the shop have the same text as this one`,
    );
    // The seller deletes the first.
    await setState('removed');
    const second = await publish(listing_pk, 'publish');
    expect(second.results?.[0]).toMatchObject({ status: 'ok', listing_id: other });
    expect((await readState()).listings).toHaveLength(2);
  });

  it('does not adopt a listing with another title made after the backup with the same description', async () => {
    await backUpAtCreate(build('publish'));
    await setState('removed');
    const body = build('publish', { idempotency_key: 'bowl' });
    const bowl = { ...body, listing: { ...body.listing, title: 'Stoneware bowl' } };
    const { results: bowls } = await create(bowl);
    await restore();
    const { results } = await create(build('publish'));
    const { listing_id = 0 } = bowls?.[0] ?? {};
    expect(results?.[0]).toMatchObject({ status: 'error', details: { step: 'create' } });
    expect(results?.[0]?.error).toContain(`Listing ${listing_id} in the shop has the same text as this one`);
    expect((await readState()).calls['uploadListingImage']).toBe(2);
  });

  it('writes nothing again that an active listing already had, such as its stock', async () => {
    const body = build('active');
    const with_sku = { ...body, listing: { ...body.listing, sku: 'MUG-1' } };
    await backUpAtCreate(with_sku);
    const { calls: before } = await readState();
    await restore();
    const { results } = await create(with_sku);
    const { calls: after } = await readState();
    expect(results?.[0]?.status).toBe('ok');
    expect(after['updateListingInventory']).toBe(before['updateListingInventory']);
    expect(results?.[0]?.warnings).toContainEqual({
      code: 'left_as_it_is',
      level: 'warning',
      fields: ['variations'],
      reason: 'The listing is now active on the marketplace, so this was left unchanged.',
    });
  });
});

describe('a restored backup', () => {
  it('made while the draft was filled does not write to a listing that is active since', async () => {
    await strike({ operation: 'updateListingInventory', action: { type: 'slow', ms: 1_000 } });
    const body = build('active');
    const with_sku = { ...body, listing: { ...body.listing, sku: 'MUG-1' } };
    const answer = create(with_sku);
    await expect.poll(async () => (await readState()).calls['updateListingInventory']).toBe(1);
    await backUp();
    await answer;
    await restore();
    const { results } = await create(with_sku);
    const { listings, fees, calls } = await readState();
    expect(results?.[0]).toMatchObject({ status: 'ok', activation_cost_usd: 0.2 });
    expect([listings.length, fees.length, calls['updateListingInventory']]).toEqual([1, 1, 1]);
  });

  it('made during an activation reads the state before it activates', async () => {
    await strike({ operation: 'updateListing', action: { type: 'slow', ms: 1_000 } });
    const answer = create(build('active'));
    await expect.poll(async () => (await readState()).calls['updateListing']).toBe(1);
    await backUp();
    await answer;
    await restore();
    const { results } = await create(build('active'));
    const { fees, calls } = await readState();
    expect(results?.[0]).toMatchObject({ status: 'ok', activated: true, activation_cost_usd: 0.2 });
    expect([fees.length, calls['updateListing']]).toEqual([1, 1]);
  });

  it('made before a saved draft was published finds the published listing when it is published again', async () => {
    const { listing_pk } = await create(build('draft'));
    await backUp();
    const before = await publish(listing_pk);
    await restore();
    const { results } = await publish(listing_pk);
    const { listings, fees } = await readState();
    expect(results?.[0]).toMatchObject({ status: 'ok', listing_id: before.results?.[0]?.listing_id });
    expect([listings.length, fees.length]).toEqual([1, 1]);
  });

  it('that was restored at once finds the last draft of the previous process, which no list shows yet', async () => {
    const { listing_pk } = await create(build('draft'));
    await backUp();
    await service.control('POST', '/settings', { draft_list_lag_ms: 3_600_000 });
    const before = await publish(listing_pk, 'publish');
    await restore({ RECONCILE_SETTLE_MS: '4000' });
    const { calls } = await readState();
    const answer = publish(listing_pk, 'publish');
    const countSearches = async () => (await readState()).calls['getListingsByShop'] ?? 0;
    await expect.poll(countSearches).toBeGreaterThanOrEqual((calls['getListingsByShop'] ?? 0) + 5);
    await service.control('POST', '/settings', { draft_list_lag_ms: 0 });
    const { results } = await answer;
    expect(results?.[0]).toMatchObject({ status: 'ok', listing_id: before.results?.[0]?.listing_id });
    expect((await readState()).listings).toHaveLength(1);
  });

  it('changes nothing for listings made afterwards', async () => {
    await backUp();
    await restore();
    const { calls: before } = await readState();
    const { results } = await create(build('active'));
    const { calls: after } = await readState();
    expect(results?.[0]).toMatchObject({ status: 'ok', activation_cost_usd: 0.2 });
    expect(results?.[0]?.warnings?.map(({ code }) => code)).toEqual(['processing_profile_defaulted']);
    expect(after['getListingsByShop']).toBe(before['getListingsByShop']);
  });
});

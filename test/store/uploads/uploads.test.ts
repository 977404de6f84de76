import { describe, expect, it } from 'vitest';
import type { Lasting, Store, Upload } from '../../../src/core/ports/index.js';
import { buildListing } from '../samples/listing_samples.js';
import { ask } from '../raw.js';
import { createTwoAccounts, openWorld, START } from '../world.js';

const AT_15_MIN = '2026-11-20T10:15:00.000Z';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

function buildUpload(account_id: string, upload_id: string): Lasting<Upload> {
  return {
    account_id,
    upload_id,
    sha256: 'ab'.repeat(32),
    filename: 'bowl.jpg',
    size_bytes: 104_857_600,
    content_type: 'image/jpeg',
    type: 'image',
    life_ms: 30 * DAY_MS,
  };
}

describe('uploads', () => {
  it('are returned as saved, and only to their account', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    const { life_ms, ...content } = buildUpload(mine, 'up_1');
    const upload = { ...content, created_at: START, expires_at: '2026-12-20T10:00:00.000Z' };
    expect(await store.uploads.createUpload({ ...content, life_ms })).toEqual(upload);

    expect(await store.uploads.findUpload(mine, 'up_1')).toEqual({ ...upload, is_expired: false });
    expect(await store.uploads.findUpload(other, 'up_1')).toBeUndefined();
    expect(await store.uploads.findUpload(mine, 'up_2')).toBeUndefined();
    expect(await store.uploads.findUploads(mine, ['up_1', 'up_2'])).toEqual([upload]);
    expect(await store.uploads.findUploads(other, ['up_1'])).toEqual([]);
  });

  it('are counted correctly as they are added and removed', async () => {
    const { store, clock, data_dir } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const count = async () => (await ask(data_dir, 'SELECT bytes FROM upload_totals'))[0];
    await store.uploads.createUpload({ ...buildUpload(mine, 'up_1'), size_bytes: 1000 });
    const later = { life_ms: 40 * DAY_MS };
    await store.uploads.createUpload({ ...buildUpload(mine, 'up_2'), ...later, size_bytes: 30 });
    await store.uploads.createUpload({ ...buildUpload(mine, 'up_3'), ...later, size_bytes: 2 });
    expect(await count()).toEqual({ bytes: 1032 });
    clock.advance(30 * 24 * 60 * 60_000);
    expect(await store.uploads.deleteExpiredUploads(9)).toMatchObject({ deleted: 1 });
    expect(await count()).toEqual({ bytes: 32 });
    expect(await store.uploads.deleteUnusedUpload(mine, 'up_2')).toBe(true);
    expect(await store.uploads.deleteUnusedUpload(mine, 'up_2')).toBe(false);
    expect(await count()).toEqual({ bytes: 2 });
  });

  it('replace an upload with the same id and are counted once, also several at once', async () => {
    const { store, data_dir } = await openWorld();
    const { store: elsewhere } = await openWorld({ data_dir });
    const { mine } = await createTwoAccounts(store);
    const upload = buildUpload(mine, 'up_1');
    await store.uploads.createUpload(upload);
    const renewed = {
      ...upload,
      sha256: 'cd'.repeat(32),
      size_bytes: 7,
      life_ms: 61 * DAY_MS,
    };
    const kept = await store.uploads.createUpload(renewed);
    expect(kept).toMatchObject({ sha256: renewed.sha256, expires_at: '2027-01-20T10:00:00.000Z' });
    expect(await store.uploads.findUpload(mine, 'up_1')).toEqual({ ...kept, is_expired: false });
    expect((await store.usage.getUsage(mine)).upload_bytes).toBe(7);

    const again = Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? store : elsewhere));
    await Promise.all(
      again.map((of) => of.uploads.createUpload({ ...upload, upload_id: 'up_2', size_bytes: 5 })),
    );
    expect((await store.usage.getUsage(mine)).upload_bytes).toBe(12);
  });

  it('remain while a listing references them, and are then deleted', async () => {
    const { store, clock } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    for (const upload_id of ['up_1', 'up_11']) await store.uploads.createUpload(buildUpload(mine, upload_id));
    await store.uploads.createUpload(buildUpload(other, 'up_2'));
    const listing = buildListing(mine, { digest: 'one' });
    const images = [{ url: 'service-upload://up_1/bowl.jpg' }, { url: 'SERVICE-UPLOAD://up_1/bowl.jpg' }];
    await store.listings.createListing({ ...listing, request: { ...listing.request, images } }, 0);
    clock.advance(30 * 24 * 60 * 60_000);

    expect(await store.uploads.deleteExpiredUploads(9)).toEqual({ deleted: 2, next: undefined });
    expect(await store.uploads.findUpload(mine, 'up_1')).toBeDefined();
    expect(await store.uploads.findUpload(mine, 'up_11')).toBeUndefined();
  });

  it('are deleted once the draft that references them is deleted', async () => {
    const { store, clock } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    await store.uploads.createUpload(buildUpload(mine, 'up_1'));
    const draft = buildListing(mine, { draft: true });
    const images = [{ url: 'service-upload://up_1/bowl.jpg' }];
    const request = { ...draft.request, images };
    const created = await store.listings.createListing({ ...draft, request }, 0);
    clock.advance(30 * 24 * 60 * 60_000);
    expect(await store.uploads.deleteExpiredUploads(9)).toMatchObject({ deleted: 0 });

    if (created.match !== 'created') throw new Error('it was not created');
    expect(await store.listings.deleteDraft(mine, created.listing.listing_pk)).toBe(true);
    expect(await store.uploads.deleteExpiredUploads(9)).toMatchObject({ deleted: 1 });
  });

  it('are swept in chunks that check each upload once, including those that remain', async () => {
    const { store, clock } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    for (const [account_id, count] of [
      [mine, 4],
      [other, 3],
    ] as const) {
      for (let n = 1; n <= count; n += 1)
        await store.uploads.createUpload(buildUpload(account_id, `up_${n}`));
    }
    const listing = buildListing(mine, { digest: 'one' });
    const images = ['up_2', 'up_3'].map((id) => ({ url: `service-upload://${id}/bowl.jpg` }));
    await store.listings.createListing({ ...listing, request: { ...listing.request, images } }, 0);
    expect(await store.uploads.deleteExpiredUploads(3)).toEqual({ deleted: 0, next: undefined });
    clock.advance(30 * 24 * 60 * 60_000);

    const first = await store.uploads.deleteExpiredUploads(3);
    const second = await store.uploads.deleteExpiredUploads(3, first.next);
    const third = await store.uploads.deleteExpiredUploads(3, second.next);
    expect(first.deleted + second.deleted + third.deleted).toBe(5);
    expect(third.deleted).toBeLessThan(3);
    expect(third.next).toBeUndefined();
    const { items } = await store.uploads.listUploads(mine, { limit: 9, offset: 0 });
    expect(items.map(({ upload_id }) => upload_id).toSorted()).toEqual(['up_2', 'up_3']);
    expect((await store.uploads.listUploads(other, { limit: 9, offset: 0 })).total).toBe(0);
    expect((await store.usage.getUsage(mine)).upload_bytes).toBe(2 * 104_857_600);
  });

  it("stay within the account's limit, even from several processes at once", async () => {
    const { store, data_dir } = await openWorld();
    const { store: elsewhere } = await openWorld({ data_dir });
    const { mine, other } = await createTwoAccounts(store);
    const create = (of: Store, n: number) =>
      of.uploads.createUpload({ ...buildUpload(mine, `up_${n}`), size_bytes: 10 }, { upload_bytes: 75 });
    const created = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => create(n % 2 === 0 ? store : elsewhere, n)),
    );

    const refused = created.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ reason: { name: 'QuotaError', quota: 'upload_bytes' } });
    expect((await store.usage.getUsage(mine)).upload_bytes).toBe(70);
    expect((await store.uploads.listUploads(mine, { limit: 20, offset: 0 })).total).toBe(7);
    expect((await store.usage.getUsage(other)).upload_bytes).toBe(0);
  });
});

describe('upload links', () => {
  it('are found until one process takes them', async () => {
    const { store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const content = { account_id: mine, type: 'video' as const, filename: null };
    const link = { ...content, expires_at: AT_15_MIN };
    await store.uploads.createUploadLink('hash-1', { ...content, life_ms: 15 * MINUTE_MS });
    expect(await store.uploads.findUploadLink('hash-1')).toEqual(link);

    const takers = await Promise.all([1, 2, 3].map(() => store.uploads.takeUploadLink('hash-1')));
    expect(takers.filter((taken) => taken !== undefined)).toEqual([link]);
    expect(await store.uploads.findUploadLink('hash-1')).toBeUndefined();
    expect(await store.uploads.takeUploadLink('hash-2')).toBeUndefined();
  });

  it('are not found once expired, and are deleted with the next one', async () => {
    const { store, clock, data_dir } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const life_ms = 15 * MINUTE_MS;
    const link = { account_id: mine, type: 'image' as const, filename: 'a.jpg', life_ms };
    const listKept = () => ask(data_dir, 'SELECT token_sha256 FROM upload_links');
    await store.uploads.createUploadLink('hash-1', link);

    clock.advance(life_ms);
    expect(await store.uploads.takeUploadLink('hash-1')).toBeUndefined();
    expect(await store.uploads.findUploadLink('hash-1')).toBeUndefined();
    expect(await listKept()).toEqual([{ token_sha256: 'hash-1' }]);
    await store.uploads.createUploadLink('hash-2', link);
    expect(await listKept()).toEqual([{ token_sha256: 'hash-2' }]);
  });
});

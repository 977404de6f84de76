import { describe, expect, it } from 'vitest';
import { createTwoAccounts, openWorld, START } from './world.js';

const AT_15_MIN = '2026-11-20T10:15:00.000Z';

describe('uploads', () => {
  it('come back as they were saved, to their account alone', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    const upload = {
      account_id: mine,
      upload_id: 'up_1',
      sha256: 'ab'.repeat(32),
      filename: 'bowl.jpg',
      size_bytes: 104_857_600,
      content_type: 'image/jpeg',
      type: 'image' as const,
      created_at: START,
      expires_at: '2026-12-20T10:00:00.000Z',
    };
    await store.uploads.createUpload(upload);

    expect(await store.uploads.findUpload(mine, 'up_1')).toEqual(upload);
    expect(await store.uploads.findUpload(other, 'up_1')).toBeUndefined();
    expect(await store.uploads.findUpload(mine, 'up_2')).toBeUndefined();
  });
});

describe('upload links', () => {
  it('are found until one takes them', async () => {
    const { store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const link = { account_id: mine, type: 'video' as const, filename: null, expires_at: AT_15_MIN };
    await store.uploads.createUploadLink('hash-1', link);
    expect(await store.uploads.findUploadLink('hash-1')).toEqual(link);

    const takers = await Promise.all([1, 2, 3].map(() => store.uploads.takeUploadLink('hash-1', START)));
    expect(takers.filter((taken) => taken !== undefined)).toEqual([link]);
    expect(await store.uploads.findUploadLink('hash-1')).toBeUndefined();
    expect(await store.uploads.takeUploadLink('hash-2', START)).toBeUndefined();
  });

  it('cannot be taken once expired, and are cleared away with the next one', async () => {
    const { store, clock } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const link = { account_id: mine, type: 'image' as const, filename: 'a.jpg', expires_at: AT_15_MIN };
    await store.uploads.createUploadLink('hash-1', link);

    expect(await store.uploads.takeUploadLink('hash-1', AT_15_MIN)).toBeUndefined();
    expect(await store.uploads.findUploadLink('hash-1')).toEqual(link);
    clock.advance(15 * 60_000);
    await store.uploads.createUploadLink('hash-2', { ...link, expires_at: '2026-11-20T10:30:00.000Z' });
    expect(await store.uploads.findUploadLink('hash-1')).toBeUndefined();
  });
});

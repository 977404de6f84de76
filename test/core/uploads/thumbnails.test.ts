import type { ListingJobResult } from '../../answers.js';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBlobFolder } from '../../../src/blobs/index.js';
import { fixture, serve } from '../../media/sample.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../../service.js';

let service: TestService;
let account_id: string;
let other_id: string;
let targets: Awaited<ReturnType<typeof listTargets>>;
beforeAll(async () => {
  service = await startService();
  ({ account_id } = await service.app.core.accounts.getDefault());
  ({ account_id: other_id } = await service.app.store.accounts.createAccount('another'));
  targets = await listTargets(service);
});
afterAll(() => service.close());

async function servePicture(): Promise<{ url: string; count: () => number }> {
  const picture = await readFile(fixture('mug-front.jpg'));
  let requests = 0;
  const { base_url } = await serve((_request, response) => {
    requests += 1;
    response.end(picture);
  });
  return { url: `${base_url}/mug.jpg`, count: () => requests };
}

async function create(more: Record<string, unknown>): Promise<number> {
  const { listing_pk = 0 } = await service.call<ListingJobResult>('listing_create', buildMug(targets, more));
  return listing_pk;
}

it('shows an upload only to its own account', async () => {
  const upload_url = await upload(service, 'photo-01.jpg');
  const { thumbnails } = service.app.core;
  expect(await thumbnails.find(account_id, { upload_url }, 160)).toMatchObject({
    content_type: 'image/webp',
  });
  expect(await thumbnails.find(other_id, { upload_url }, 160)).toBeUndefined();
  expect(await thumbnails.find(account_id, { upload_url: 'service-upload://upl_x/a.jpg' }, 160)).toBe(
    undefined,
  );
});

it('shows the pictures of a draft, uploads and addresses, only to its own account', async () => {
  const { url, count } = await servePicture();
  const listing_pk = await create({ images: [{ url: await upload(service, 'photo-02.jpg') }, { url }] });
  const { thumbnails } = service.app.core;
  expect(await thumbnails.find(other_id, { listing_pk, image: 1 }, 480)).toBeUndefined();
  expect(count()).toBe(0);
  for (const image of [0, 1]) {
    expect(await thumbnails.find(account_id, { listing_pk, image }, 480)).toBeDefined();
  }
  expect(count()).toBe(1);
  for (const image of [2, -1, 0.5]) {
    expect(await thumbnails.find(account_id, { listing_pk, image }, 480)).toBeUndefined();
  }
  expect(await thumbnails.find(account_id, { listing_pk: 987_654, image: 0 }, 480)).toBeUndefined();
});

it('shows published photos from the saved bytes, without fetching them again', async () => {
  const { url, count } = await servePicture();
  const listing_pk = await create({ state: 'publish', images: [{ url }] });
  expect(count()).toBe(1);
  expect(await service.app.core.thumbnails.find(account_id, { listing_pk, image: 0 }, 160)).toBeDefined();
  expect(count()).toBe(1);
});

it("shows the marketplace's photos once the bytes are gone", async () => {
  const images = await Promise.all(
    [
      { name: 'mug-front.jpg', rank: 7 },
      { name: 'photo-04.jpg', rank: 3 },
    ].map(async ({ name, rank }) => ({ url: await upload(service, name), rank })),
  );
  const listing_pk = await create({ state: 'publish', images });
  const inspect = () =>
    Promise.all(
      [0, 1].map((image) => service.app.core.thumbnails.find(account_id, { listing_pk, image }, 160)),
    );
  const before = await inspect();
  const blobs = createBlobFolder(join(service.data_dir, 'blobs'));
  const soon = new Date(Date.now() + 60_000);
  for (const sha256 of await blobs.list(soon)) await blobs.delete(sha256, soon);
  await rm(join(service.data_dir, 'thumbnails'), { recursive: true });
  expect(await inspect()).toEqual(before);
  expect(before[0]).not.toEqual(before[1]);
});

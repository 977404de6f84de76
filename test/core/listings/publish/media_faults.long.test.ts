import type { ListingJobResult } from '../../../answers.js';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupDatabase } from '../../../../src/store/engine/sqlite/backup.js';
import { listStoreFiles } from '../../../../src/store/engine/sqlite/files.js';
import {
  buildMug,
  fixturePath,
  listTargets,
  startService,
  upload,
  type TestService,
} from '../../../service.js';

/*
 * Photos, videos and files on a marketplace that fails after doing its work and whose lists lag, behind a
 * proxy that repeats requests, and from a backup older than the work.
 */

const SETTLE_MS = 800;
/** Longer than the first check takes, shorter than the settle time. */
const LAG_MS = 400;
const FOR_EVER_MS = 3_600_000;
const SETTINGS = { RECONCILE_SETTLE_MS: String(SETTLE_MS) };
const PHOTOS = ['photo-01.jpg', 'photo-02.jpg', 'photo-03.jpg', 'photo-04.jpg', 'photo-05.jpg'];
const HASHES = PHOTOS.map((name) =>
  createHash('sha256')
    .update(readFileSync(fixturePath(name)))
    .digest('hex'),
);

type World = {
  listings: {
    listing_id: number;
    state: string;
    images: { rank: number; sha256: string; listing_image_id: number }[];
    videos: { video_id: number }[];
    files: { name: string; listing_file_id: number }[];
    variation_images: { value: string; image_id: number }[];
  }[];
  fees: unknown[];
  calls: Record<string, number>;
};

let service: TestService;
let shops: object[];
let photos: { url: string }[];
beforeEach(async () => {
  service = await startService(SETTINGS);
  shops = (await listTargets(service)).slice(0, 1);
  photos = [];
  for (const name of PHOTOS) photos.push({ url: await upload(service, name) });
  // Makes the faults affect only the job.
  await service.call('listing_schema', { category_id: 1062 });
});
afterEach(() => service.close());

const create = (body: object) => service.call<ListingJobResult>('listing_create', body);
const publish = (listing_pk: number | undefined, state = 'publish') =>
  service.call<ListingJobResult>('listing_publish', { listing_pk, state });
const strike = (...rules: object[]) => service.control('POST', '/faults', { rules });
const lag = (media_list_lag_ms: number) => service.control('POST', '/settings', { media_list_lag_ms });
const readState = () => service.control<World>('GET', '/state');
const lookAtFirst = async () => {
  const [listing] = (await readState()).listings;
  if (!listing) throw new Error('there is no listing');
  return listing;
};
const listPhotos = async () => {
  const { listings } = await readState();
  return [...(listings[0]?.images ?? [])]
    .sort((a, b) => a.rank - b.rank)
    .map(({ sha256 }) => HASHES.indexOf(sha256));
};
/** The result's claims about the listing, as positions in the request. */
const listToldPhotos = async ({ results }: ListingJobResult) => {
  const { images } = await lookAtFirst();
  return (results?.[0]?.images ?? []).map(({ listing_image_id }) =>
    HASHES.indexOf(images.find((image) => image.listing_image_id === listing_image_id)?.sha256 ?? ''),
  );
};
/** The warnings about photos, videos and files, without their level, which is the same for all of them. */
const listWarnings = ({ results }: ListingJobResult) =>
  (results?.[0]?.warnings ?? [])
    .filter(({ code }) => !['processing_profile_defaulted', 'ignored_field', 'found_again'].includes(code))
    .map(({ code, fields, reason }) => ({ code, fields, reason }));

const buildPhysical = (count: number, more: Record<string, unknown> = {}) =>
  buildMug(shops, { state: 'publish', images: photos.slice(0, count), ...more });
const buildDigital = async (more: Record<string, unknown> = {}) => {
  const url = await upload(service, 'pattern.pdf', 'digital');
  const files = ['one.pdf', 'two.pdf'].map((name) => ({ url, name }));
  const body = buildMug(shops, { state: 'publish', digital_files: files, ...more });
  Object.assign(body.listing, { listing_type: 'digital', when_made: '2020_2026' });
  return body;
};

/** Lists show nothing until it is there twice. */
const createDoubled = async (body: object, isTwice: (listing: World['listings'][0]) => boolean) => {
  await lag(FOR_EVER_MS);
  const answer = create(body);
  const poll = async () => (await readState()).listings.some(isTwice);
  await expect.poll(poll, { timeout: 10_000 }).toBe(true);
  await lag(0);
  return answer;
};
/** Resumes from the state when the marketplace met the condition `isSo`. */
const restoreFrom = async (body: object, isSo: (listing: World['listings'][0]) => boolean) => {
  const { data_dir } = service;
  const copy = join(data_dir, 'copy.db');
  const answer = create(body);
  await expect.poll(async () => (await readState()).listings.some(isSo), { timeout: 10_000 }).toBe(true);
  await backupDatabase({ data_dir, file: copy, now: new Date() });
  expect((await answer).results?.[0]?.status).toBe('ok');
  const before = await readState();
  await service.close({ keep: true });
  const { service: database } = listStoreFiles(data_dir);
  for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, { force: true });
  copyFileSync(copy, database);
  service = await startService(SETTINGS, { data_dir });
  await service.app.core.listings.resume();
  return { before, answer: await create(body) };
};

const DONE_AND_FAILED = { type: 'commit_then_status', status: 500 };

describe('an upload that took effect but was answered with 500, while lists lag', () => {
  it('attaches a photo once', async () => {
    await lag(LAG_MS);
    await strike({ operation: 'uploadListingImage', after: 1, action: DONE_AND_FAILED });
    const answer = await create(buildPhysical(3));
    expect(answer.results?.[0]?.status).toBe('ok');
    expect(listWarnings(answer)).toEqual([]);
    expect(await listPhotos()).toEqual([0, 1, 2]);
  });

  it('attaches a video once', async () => {
    const video = { url: await upload(service, 'clip.mp4', 'video') };
    await lag(LAG_MS);
    await strike({ operation: 'uploadListingVideo', action: DONE_AND_FAILED });
    const answer = await create(buildPhysical(1, { videos: [video] }));
    const { videos } = await lookAtFirst();
    expect(listWarnings(answer)).toEqual([]);
    expect(videos).toHaveLength(1);
    expect(answer.results?.[0]?.videos?.map(({ video_id }) => video_id)).toEqual([videos[0]?.video_id]);
  });

  it('attaches a digital file once', async () => {
    await lag(LAG_MS);
    await strike({ operation: 'uploadListingFile', action: DONE_AND_FAILED });
    const answer = await create(await buildDigital());
    expect(answer.results?.[0]?.status).toBe('ok');
    expect(listWarnings(answer)).toEqual([]);
    expect((await lookAtFirst()).files.map(({ name }) => name)).toEqual(['one.pdf', 'two.pdf']);
  });
});

describe('media that appear after they were searched for and sent again', () => {
  it('cause a warning for a digital file', async () => {
    await strike({ operation: 'uploadListingFile', action: DONE_AND_FAILED });
    const answer = await createDoubled(await buildDigital(), ({ files }) => files.length === 3);
    const { files } = await lookAtFirst();
    expect(answer.results?.[0]?.status).toBe('ok');
    expect(listWarnings(answer)).toMatchObject([
      {
        code: 'marketplace_changed',
        fields: ['digital_files'],
        reason: expect.stringContaining('shows 3 files, but only 2 were sent') as string,
      },
    ]);
    const twice = files.filter(({ name }) => name === 'one.pdf');
    expect(twice).toHaveLength(2);
    expect(
      twice.filter(({ listing_file_id }) =>
        listWarnings(answer)[0]?.reason.includes(String(listing_file_id)),
      ),
    ).toHaveLength(1);
  });

  it('cause a warning for a video', async () => {
    const video = { url: await upload(service, 'clip.mp4', 'video') };
    await strike({ operation: 'uploadListingVideo', action: DONE_AND_FAILED });
    const body = buildPhysical(0, { images: undefined, videos: [video] });
    const answer = await createDoubled(body, ({ videos }) => videos.length === 2);
    expect(listWarnings(answer)).toMatchObject([{ code: 'marketplace_changed', fields: ['videos'] }]);
  });
});

describe('media the marketplace accepted but does not show at the end', () => {
  it('keep a listing from being activated, and are found or sent by the next job', async () => {
    await lag(FOR_EVER_MS);
    const video = { url: await upload(service, 'clip.mp4', 'video') };
    const first = await create(buildPhysical(2, { state: 'active', videos: [video] }));
    expect(first.results?.[0]).toMatchObject({ status: 'error', details: { step: 'verify' } });
    expect((await readState()).fees).toEqual([]);
    await lag(0);
    const second = await publish(first.listing_pk, 'active');
    expect(second.results?.[0]).toMatchObject({ status: 'ok', activated: true });
    expect(listWarnings(second)).toEqual([]);
    expect(await listPhotos()).toEqual([0, 1]);
    expect((await lookAtFirst()).videos).toHaveLength(1);
  });

  it('are an error of a digital listing if it is a file', async () => {
    await lag(FOR_EVER_MS);
    const first = await create(await buildDigital());
    expect(first.results?.[0]).toMatchObject({
      status: 'error',
      error:
        'The marketplace accepted "one.pdf", "two.pdf", but no longer has them; call listing_publish to send them again',
    });
    await lag(0);
    const second = await publish(first.listing_pk);
    expect(second.results?.[0]?.status).toBe('ok');
    expect((await lookAtFirst()).files.map(({ name }) => name)).toEqual(['one.pdf', 'two.pdf']);
  });
});

describe('a photo that a proxy sent twice', () => {
  it.each(['first', 'second'])('is not taken for the next one, whose upload failed (%s)', async (answer) => {
    await strike(
      { operation: 'uploadListingImage', action: { type: 'double', answer } },
      { operation: 'uploadListingImage', action: { type: 'reset' } },
    );
    const result = await create(buildPhysical(3));
    expect(result.results?.[0]?.status).toBe('ok');
    expect(await listToldPhotos(result)).toEqual([0, 1, 2]);
    expect((await listPhotos()).sort((a, b) => a - b)).toEqual([0, 0, 1, 2]);
    expect(listWarnings(result)).toContainEqual({
      code: 'marketplace_changed',
      fields: ['images'],
      reason: expect.stringContaining('shows 4 images, but only 3 were sent') as string,
    });
  });

  it('is found at its position if no answer came, and the other one is reported', async () => {
    await strike({ operation: 'uploadListingImage', after: 1, action: { type: 'double', answer: 'lost' } });
    const result = await create(buildPhysical(3));
    expect(await listToldPhotos(result)).toEqual([0, 1, 2]);
    expect(await listPhotos()).toEqual([0, 1, 2, 1]);
    expect(listWarnings(result).map(({ code, fields }) => [code, ...fields])).toEqual([
      ['marketplace_changed', 'images'],
    ]);
  });

  it('is not shown for the value of a variation that another photo was chosen for', async () => {
    const variations = {
      properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
      variation_images: { property: 'Glaze', mapping: { White: 0, Ochre: 1 } },
    };
    await strike(
      { operation: 'uploadListingImage', action: { type: 'double', answer: 'second' } },
      { operation: 'uploadListingImage', action: { type: 'reset' } },
    );
    await create(buildPhysical(2, { variations }));
    const { images, variation_images } = await lookAtFirst();
    const shown = variation_images.map(({ value, image_id }) => [
      value,
      HASHES.indexOf(images.find(({ listing_image_id }) => listing_image_id === image_id)?.sha256 ?? ''),
    ]);
    expect(Object.fromEntries(shown)).toEqual({ White: 0, Ochre: 1 });
  });
});

describe('a photo whose answer was lost', () => {
  it('is recognized by its size once that is known, and sent once', async () => {
    await service.control('POST', '/settings', { image_processing_ms: 2 * SETTLE_MS });
    await strike({ operation: 'uploadListingImage', action: { type: 'commit_then_reset' } });
    const answer = await create(buildPhysical(2));
    expect(listWarnings(answer)).toEqual([]);
    expect(await listPhotos()).toEqual([0, 1]);
  });

  it('is sent again, with a warning about the other one, if the marketplace never reports which photo is at its rank', async () => {
    await service.control('POST', '/settings', { image_processing_ms: FOR_EVER_MS });
    await strike({ operation: 'uploadListingImage', action: { type: 'commit_then_reset' } });
    const answer = await create(buildPhysical(2));
    const { images } = await lookAtFirst();
    const outcome = new Set(answer.results?.[0]?.images?.map(({ listing_image_id }) => listing_image_id));
    const other = images.find(({ listing_image_id }) => !outcome.has(listing_image_id));
    expect(await listToldPhotos(answer)).toEqual([0, 1]);
    expect(listWarnings(answer)).toEqual([
      {
        code: 'image_undecided',
        fields: ['images[0]'],
        reason: `It could not be determined whether the listing's photo ${other?.listing_image_id} is photo 1 or another one, so it was left unchanged; check whether photo 1 appears twice.`,
      },
      {
        code: 'marketplace_changed',
        fields: ['images'],
        reason: `The marketplace shows 3 images, but only 2 were sent. One may be a duplicate: check ${other?.listing_image_id}.`,
      },
    ]);
  }, 60_000);
});

describe('photos of variations', () => {
  it('are reported if they are missing at the end, and set by the next job', async () => {
    const variations = {
      properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
      variation_images: { property: 'Glaze', mapping: { White: 0, Ochre: 1 } },
    };
    const action = { type: 'status', status: 200, body: { count: 0, results: [] } };
    await strike({ operation: 'updateVariationImages', action });
    const first = await create(buildPhysical(2, { variations }));
    expect(listWarnings(first)).toEqual([
      {
        code: 'variation_images_failed',
        fields: ['White', 'Ochre'].map((value) => `variations.variation_images.mapping.${value}`),
        reason:
          'The listing shows a different photo for this value, or none; call listing_publish to set it again.',
      },
    ]);
    const second = await publish(first.listing_pk);
    expect(listWarnings(second)).toEqual([]);
    expect((await lookAtFirst()).variation_images.map(({ value }) => value).sort()).toEqual([
      'Ochre',
      'White',
    ]);
  });
});

describe('a backup made while a job ran, and restored after it', () => {
  it.each([
    { when: 'before any', operation: 'createDraftListing', after: 0, images: 0 },
    { when: 'beside the third', operation: 'uploadListingImage', after: 2, images: 3 },
  ])('sends no photo and no video again (made $when)', async ({ operation, after, images }) => {
    const video = { url: await upload(service, 'clip.mp4', 'video') };
    const body = buildPhysical(5, { videos: [video], idempotency_key: 'restored' });
    await strike({ operation, after, action: { type: 'commit_then_slow', ms: 700 } });
    const { before, answer } = await restoreFrom(body, (listing) => listing.images.length === images);
    const after_all = await readState();
    expect(answer.results?.[0]?.status).toBe('ok');
    expect(listWarnings(answer)).toEqual([]);
    expect(after_all.listings).toHaveLength(1);
    expect(await listPhotos()).toEqual([0, 1, 2, 3, 4]);
    expect(await listToldPhotos(answer)).toEqual([0, 1, 2, 3, 4]);
    for (const sent of ['uploadListingImage', 'uploadListingVideo']) {
      expect([sent, after_all.calls[sent]]).toEqual([sent, before.calls[sent]]);
    }
  });

  it('sends no digital file again', async () => {
    const body = { ...(await buildDigital()), idempotency_key: 'restored' };
    await strike({ operation: 'createDraftListing', action: { type: 'commit_then_slow', ms: 700 } });
    const { before, answer } = await restoreFrom(body, ({ files }) => files.length === 0);
    expect(answer.results?.[0]?.status).toBe('ok');
    expect(listWarnings(answer)).toEqual([]);
    expect((await lookAtFirst()).files.map(({ name }) => name)).toEqual(['one.pdf', 'two.pdf']);
    expect((await readState()).calls['uploadListingFile']).toBe(before.calls['uploadListingFile']);
  });
});

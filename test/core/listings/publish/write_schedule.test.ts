import type { ListingJobResult } from '../../../answers.js';
import { createHash } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildMug,
  collectProgress,
  fixturePath,
  listTargets,
  startService,
  upload,
  type TestService,
} from '../../../service.js';

/*
 * A second's calls are soon used up, and photos are sent one at a time: writes with free timing are made
 * between them.
 */

const EXTRAS = {
  category_attributes: {
    357: { value_ids: [2104], values: ['Stoneware'] },
    358: { value_ids: [2140], values: ['Yes'] },
  },
  personalization: { enabled: true, instructions: 'A name' },
};

let service: TestService;
let shops: object[];
let photos: { url: string }[];
let requests = 0;

beforeAll(async () => {
  service = await startService();
  shops = (await listTargets(service)).slice(0, 1);
  photos = [];
  for (const name of ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10']) {
    photos.push({ url: await upload(service, `photo-${name}.jpg`) });
  }
});
afterAll(() => service.close());

/** Makes a draft in one shop, and returns the operations in order. */
async function publish(more: object): Promise<{ result: ListingJobResult; done: string[] }> {
  requests += 1;
  const { messages, onProgress } = collectProgress();
  const request = buildMug(shops, { idempotency_key: `schedule-${requests}`, state: 'publish', ...more });
  const result = await service.call<ListingJobResult>('listing_create', request, { onProgress });
  return { result, done: messages.map((message) => message.replace(/^.*: /, '')) };
}

/** The number of photos sent before each of the small writes. */
function countBefore(done: readonly string[]): number[] {
  return ['attribute Stoneware', 'attribute Yes', 'personalization'].map((write) => {
    expect(done).toContain(write);
    return done.slice(0, done.indexOf(write)).filter((message) => message.startsWith('image ')).length;
  });
}

/** Completes the work in the shop. */
const KEY_REFUSED = { type: 'status', status: 403, body: { error: 'Invalid API key' } };
const strike = (rule: object) => service.control('POST', '/faults', { rules: [rule] });
const countCalls = async (operation: string) => {
  const { calls } = await service.control<{ calls: Record<string, number> }>('GET', '/state');
  return calls[operation] ?? 0;
};
const countAttributes = () => countCalls('updateListingProperty');

/** Deletes the bytes of a file the service keeps. Returns a function that restores them. */
async function takeAway(name: string): Promise<() => Promise<void>> {
  const sha256 = createHash('sha256')
    .update(await readFile(fixturePath(name)))
    .digest('hex');
  const kept = join(service.data_dir, 'blobs', sha256.slice(0, 2), sha256.slice(2));
  await rename(kept, `${kept}.away`);
  return () => rename(`${kept}.away`, kept);
}

describe('small writes', () => {
  it('are spread over the photos, after those that are sent at once', async () => {
    const video = { url: await upload(service, 'clip.mp4', 'video') };
    const variations = {
      properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
      variation_images: { property: 'Glaze', mapping: { White: 0, Ochre: 1 } },
    };
    const { done } = await publish({ images: photos, videos: [video], variations, ...EXTRAS });
    const [first = 0, second = 0, third = 0] = countBefore(done);
    expect(first).toBeGreaterThanOrEqual(5);
    expect(second).toBeGreaterThanOrEqual(7);
    expect(third).toBeGreaterThanOrEqual(9);
  });

  it('are spread over all photos if nothing else is sent at once', async () => {
    const { done } = await publish({ images: photos.slice(0, 5), ...EXTRAS });
    const [, second = 0, third = 0] = countBefore(done);
    expect(second).toBeGreaterThanOrEqual(2);
    expect(third).toBeGreaterThanOrEqual(4);
  });

  it('do not wait for a single photo', async () => {
    await strike({ operation: 'uploadListingImage', action: KEY_REFUSED });
    const before = await countAttributes();
    await publish({ images: photos.slice(0, 1), ...EXTRAS });
    expect((await countAttributes()) - before).toBe(2);
  });

  it('are sent even if photos are refused', async () => {
    const action = { type: 'status', status: 400, body: { error: 'No' } };
    await strike({ operation: 'uploadListingImage', times: 4, action });
    const { result, done } = await publish({ images: photos.slice(0, 4), ...EXTRAS });
    expect(countBefore(done)).toEqual([0, 0, 0]);
    expect(result.results?.[0]?.warnings?.map(({ code }) => code)).toContain('image_failed');
  });

  it('stop with the photos if no shop caused the failure, and are made by the next job', async () => {
    await strike({ operation: 'uploadListingImage', action: { type: 'slow', ms: 1_500 } });
    const before = await countAttributes();
    const drafts = await countCalls('createDraftListing');
    const answer = publish({ images: photos, ...EXTRAS });
    await expect.poll(() => countCalls('createDraftListing')).toBe(drafts + 1);
    const putBack = await takeAway('photo-02.jpg');
    const { result } = await answer;
    expect(result).toMatchObject({
      status: 'failed',
      error_message: expect.stringMatching(/^The stored file .* no longer exists/) as string,
    });
    // The first is sent alongside the first photo, the second alongside the sixth.
    expect((await countAttributes()) - before).toBe(1);
    await putBack();
    const again = { listing_pk: result.listing_pk, state: 'publish' };
    const { status } = await service.call<ListingJobResult>('listing_publish', again);
    expect(status).toBe('completed');
    expect((await countAttributes()) - before).toBe(3);
  });
});

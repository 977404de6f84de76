import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LISTING_POINTS, type ListingPoint } from '../../../../src/core/listings/points.js';
import { StoppedError } from '../../../../src/core/listings/steps/step.js';
import type { ShopAction, ShopChanges } from '../../../../src/core/listings/update/plan.js';
import type { ShopUpdateProgress } from '../../../../src/core/listings/update/progress.js';
import type { PlannedFile } from '../../../../src/core/listings/plan.js';
import { startService, upload, type TestService } from '../../../service.js';
import { describeListing, edit, finish, look, makeJob, makeListing, type Made } from './rig.js';

/*
 * A change that ends at any point, as if the power had gone, is taken up again and done once: the listing is as after a change that
 * nothing befell, with nothing twice, and what is told is the same. Changes and their undos take turns on one listing.
 */

let service: TestService;
/** Where the job ends, and whether it came there. What runs beside it ends at the next place that it comes to. */
let armed: { point: ListingPoint; is_reached: boolean } | undefined;

beforeAll(async () => {
  service = await startService(
    { MAX_ACTIVATIONS_PER_DAY: 'unlimited' },
    {
      reachPoint(point) {
        if (!armed) return;
        armed.is_reached ||= point === armed.point;
        if (armed.is_reached) throw new StoppedError(`ended at ${point}`);
      },
    },
  );
});
afterAll(() => service.close());

const VARIATIONS = {
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
    offerings: [
      { glaze: 'White', price: 20, quantity: 3, sku: 'W' },
      { glaze: 'Ochre', price: 22, quantity: 4, sku: 'O' },
    ],
    variation_images: { property: 'Glaze', mapping: { White: 0, Ochre: 1 } },
  },
};

async function plan(name: string, type = 'image'): Promise<PlannedFile> {
  const { account_id } = await service.app.core.accounts.getDefault();
  const url = await upload(service, name, type);
  const kept = await service.app.core.uploads.findByUrl(account_id, url);
  if (!kept) throw new Error('it was just uploaded');
  const { sha256, size_bytes, filename, content_type } = kept;
  return { url, sha256, size_bytes, filename, content_type };
}

const describeAll = async (made: Made) => (await look(service, made)).map(describeListing);

/** What the job did goes back in each shop. */
async function toRestore(job_id: string): Promise<(shop_id: number) => ShopAction> {
  const { account_id } = await service.app.core.accounts.getDefault();
  const parts = await service.app.store.listings.listJobParts<ShopUpdateProgress>(account_id, job_id);
  return (shop_id) => {
    const progress = parts.find(({ part_id }) => part_id === shop_id)?.progress;
    if (!progress?.before || !progress.after) throw new Error('it was changed there');
    const { before, after, kept } = progress;
    return { kind: 'restore', before, after, kept, on_drift: 'refuse' };
  };
}

type Action = Parameters<typeof makeJob>[2];

/** Ends it at the point, takes it up again, and answers whether it came there and what it told. */
async function befall(made: Made, action: Action, point: ListingPoint | undefined) {
  const { job_id } = await makeJob(service, made, action);
  armed = point && { point, is_reached: false };
  if (armed) {
    await service.app.core.listings.resume();
    const { account_id } = await service.app.core.accounts.getDefault();
    const end = Date.now() + 10_000;
    // The job's own process lets go of it at the point.
    while (!armed.is_reached && Date.now() < end) {
      if ((await service.app.store.listings.findJob(account_id, job_id))?.status !== 'processing') break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const free = () => service.app.store.listings.listClaimableJobs();
    while (armed.is_reached && (await free()).length === 0 && Date.now() < end) {
      if ((await service.app.store.listings.findJob(account_id, job_id))?.status !== 'processing') break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  const is_reached = armed?.is_reached ?? false;
  armed = undefined;
  const answer = await finish(service, job_id);
  const told = answer.results?.map(({ status, diff, warnings, error }) => ({
    status,
    error,
    fields: diff?.map(({ field }) => field),
    warnings: warnings?.map(({ code }) => code),
  }));
  return { job_id, is_reached, told };
}

const isOf = (steps: readonly string[]) => (point: ListingPoint) =>
  steps.some((step) => point.startsWith(`change.${step}.`)) ||
  /^(shop|job\.(claimed|before_finish|finished))/.test(point);

async function killEverywhere(made: Made, action: Action, steps: readonly string[]): Promise<void> {
  const before = await describeAll(made);
  const plain = await befall(made, action, undefined);
  const after = await describeAll(made);
  expect(after).not.toEqual(before);
  const undone = await befall(made, await toRestore(plain.job_id), undefined);
  expect(await describeAll(made)).toEqual(before);
  const reached: ListingPoint[] = [];
  for (const point of LISTING_POINTS.filter(isOf(steps))) {
    const there = await befall(made, action, point);
    expect({ point, there: await describeAll(made) }).toEqual({ point, there: after });
    expect({ point, told: there.told }).toEqual({ point, told: plain.told });
    const back = await befall(made, await toRestore(there.job_id), point);
    expect({ point, back: await describeAll(made) }).toEqual({ point, back: before });
    expect({ point, told: back.told }).toEqual({ point, told: undone.told });
    if (there.is_reached || back.is_reached) reached.push(point);
  }
  expect(reached).toEqual(LISTING_POINTS.filter(isOf(steps)));
}

describe('a change and its undo that end at each point once', () => {
  it('of words, photos, prices, attributes and questions', { timeout: 300_000 }, async () => {
    const made = await makeListing(service, { photos: 3, more: VARIATIONS });
    const de = { title: 'Becher', description: 'Ein Becher.', tags: ['becher'] };
    await edit(service, made, { translations: { de } });
    const photo = await plan('photo-07.jpg');
    const video = await plan('clip.mp4', 'video');
    const [there] = await look(service, made);
    const build = (shop_id: number): ShopAction => {
      const listing_id = made.shops.find((shop) => shop.shop_id === shop_id)?.listing_id;
      const ids = listings.get(listing_id ?? 0) ?? [];
      const images = [ids[1], null, ids[0]].map((id, index) => ({
        url: photo.url,
        path: `changes.images[${index}]`,
        id: id ?? null,
        file: id === null ? photo : null,
        alt_text: `Now ${index}`,
      }));
      const changes: ShopChanges = {
        fields: { title: 'Stoneware cup', tags: ['cup'] },
        images,
        videos: [{ url: video.url, path: 'changes.videos[0]', id: null, file: video }],
        inventory: {
          kind: 'offerings',
          offerings: [{ path: 'changes.offerings[0]', match: { sku: 'W' }, set: { price: 25, sku: 'W2' } }],
        },
        attributes: [
          { property_id: 357, attribute: { property_id: 357, value_ids: [2104], values: ['Stoneware'] } },
        ],
        personalization: { enabled: true, instructions: 'A name', max_chars: 20 },
      };
      return { kind: 'change', changes, on_drift: 'refuse' };
    };
    const listings = new Map(
      (await look(service, made)).map((listing) => [
        listing?.listing_id ?? 0,
        listing?.images.map(({ listing_image_id }) => listing_image_id) ?? [],
      ]),
    );
    expect(there?.images).toHaveLength(3);
    await killEverywhere(made, build, [
      'decide',
      'images',
      'fields',
      'videos',
      'inventory',
      'variation_images',
      'attributes',
      'questions',
      'translations',
      'read_back',
    ]);
  });
});

import type { Warning } from '../../../../../schemas/job.js';
import type { ListingImage, MarketplaceError } from '../../../ports/index.js';
import { MARKETPLACE_FACTS } from '../../../../../schemas/marketplace_facts.js';
import { toPhotoNotSent, StepError } from '../../engine/failures.js';
import { attachOrSend, finishSending } from '../../engine/send_once.js';
import { type Context, getListingId, getListingType } from '../../engine/context.js';
import type { StepOutcome, Write } from '../../engine/step.js';
import { write } from '../../engine/write.js';
import { getMediaId } from '../../snapshot/shown_ids.js';
import { findTurned, putInOrder } from '../../engine/photo_order.js';
import { recordDuplicates } from './fetched.js';
import {
  insert,
  listKnownIds,
  listMediaIds,
  listMissing,
  listShown,
  listSurplus,
} from '../../engine/media_ids.js';
import { listOtherTexts, findRank, readImages, listThere, keepImages, listPhotoParts } from './photos.js';
import { buildMedia } from './send.js';

const MOST = MARKETPLACE_FACTS.images_per_listing;

/** A photo of the target that was not sent. */
type Failed = { index: number; error: MarketplaceError };

/**
 * Photos and their alt texts. Sends photos one after the other in rank order, since the marketplace scrambles
 * parallel uploads. While a listing has the maximum number of photos, the marketplace accepts no more and changes
 * no alt text, so this step first deletes photos to make room. It leaves other deletions, and the order, to the
 * write of the fields.
 */
export const imagesStep: Write = {
  isOpen: (cx) =>
    listMissing(cx, 'images').length > 0 ||
    listOtherTexts(cx).length > 0 ||
    listSurplus(cx, 'images').length > 0,
  async resume(cx) {
    await finishSending(cx, buildMedia(cx));
    await recordDuplicates(cx, listShown(cx, 'images'));
  },
  async run(cx) {
    await cx.keepRemoved(listSurplus(cx, 'images'));
    await makeRoom(cx);
    await changeTexts(cx);
    const failed: Failed[] = [];
    for (const index of listMissing(cx, 'images')) {
      const error = await add(cx, index);
      if (error) failed.push({ index, error });
    }
    await expectOwnImages(cx);
    return toOutcome(cx, failed);
  },
};

async function makeRoom(cx: Context): Promise<void> {
  const missing = listMissing(cx, 'images').length;
  const needed = missing > 0 ? missing : Math.min(1, listOtherTexts(cx).length);
  if (needed > MOST - listShown(cx, 'images').length) await removeSurplus(cx);
}

/** A listing on sale always keeps at least one photo. */
async function removeSurplus(cx: Context): Promise<void> {
  const surplus = listSurplus(cx, 'images');
  if (surplus.length === 0) return;
  await expectOwnImages(cx);
  const kept = listShown(cx, 'images').filter((image) => !surplus.includes(image));
  await setImages(cx, kept.length > 0 ? kept : surplus.slice(0, 1));
}

/**
 * The write replaces the whole set of photos, and sending some takes minutes. Photos added manually since the read
 * are reported as drift before the write removes them.
 */
export async function expectOwnImages(cx: Context): Promise<void> {
  if (!cx.fresh.images || !cx.stale.has('images')) return;
  const shown = listShown(cx, 'images');
  const there = await listThere(cx);
  await recordDuplicates(cx, there);
  cx.guard({ images: there });
  // Lists lag, so a photo that was just sent may be missing. Surplus photos go with the next write of the set.
  const known = listKnownIds(cx, 'images');
  for (const double of cx.journal.doubles ?? []) known.delete(double);
  for (const { listing_image_id } of shown) known.add(listing_image_id);
  // If the write replaces an order that others set, that order counts as the current one.
  const own = findTurned(cx, there) ? putInOrder(shown, there.map(getMediaId)) : shown;
  keepImages(cx, [...own, ...there.filter(({ listing_image_id }) => !known.has(listing_image_id))]);
}

async function setImages(cx: Context, images: readonly ListingImage[]): Promise<void> {
  const { ports, shop } = cx;
  const image_ids = images.map(getMediaId);
  if (String(image_ids) === String(listShown(cx, 'images').map(getMediaId))) return;
  const listing = await write(
    cx,
    listPhotoParts(cx),
    (options) =>
      ports.marketplace.updateListing(shop, getListingId(cx), getListingType(cx), { image_ids }, options),
    async () => String((await readImages(cx)).map(getMediaId)) === String(image_ids),
    () => expectOwnImages(cx),
  );
  if (listing) keepImages(cx, images);
}

/** If no position is free, deletes one of the photos whose text changes while it changes the others. */
async function changeTexts(cx: Context): Promise<void> {
  const all = listOtherTexts(cx);
  const [first] = all;
  const isFull = listShown(cx, 'images').length >= MOST;
  if (first && isFull) {
    await cx.keepRemoved([first.image]);
    await removeImage(cx, first.image);
  }
  for (const { index, image } of isFull ? all.slice(1) : all) {
    await expectOwnImages(cx);
    const { listing_image_id } = image;
    await attach(cx, index, listing_image_id, () => {
      return listShown(cx, 'images').map(getMediaId).indexOf(listing_image_id) + 1;
    });
    cx.report(`text of photo ${index + 1}`);
  }
}

async function removeImage(cx: Context, image: ListingImage): Promise<void> {
  const { ports, shop } = cx;
  const { listing_image_id } = image;
  await write(
    cx,
    listPhotoParts(cx),
    (options) => ports.marketplace.deleteImage(shop, getListingId(cx), listing_image_id, options),
    async () => !(await readImages(cx)).some((other) => other.listing_image_id === listing_image_id),
  );
  keepImages(
    cx,
    listShown(cx, 'images').filter((other) => other.listing_image_id !== listing_image_id),
  );
}

/** Removes duplicates that a lagging list showed only after everything was written. */
export async function removeDoubles(cx: Context): Promise<void> {
  if (!cx.target.images) return;
  await recordDuplicates(cx, listShown(cx, 'images'));
  const doubles = new Set(cx.journal.doubles);
  const surplus = listShown(cx, 'images').filter(({ listing_image_id }) => doubles.has(listing_image_id));
  for (const image of surplus) await removeImage(cx, image);
}

/** Returns why the photo was not sent, unless that fails the shop. */
async function add(cx: Context, index: number): Promise<MarketplaceError | undefined> {
  if (listShown(cx, 'images').length >= MOST) await removeSurplus(cx);
  const error = await attachOrSend(cx, buildMedia(cx), index, (id) =>
    attach(cx, index, id, () => findRank(cx, index)),
  );
  if (error && cx.policy.tolerates_refusals) return error;
  if (error) throw new StepError(toPhotoNotSent(index, error, cx.again), error.status);
  cx.report(cx.policy.words.image(index, cx.target.images?.length ?? 0));
  return undefined;
}

async function attach(
  cx: Context,
  index: number,
  listing_image_id: number,
  findPlace: () => number,
): Promise<void> {
  const { ports, shop, journal } = cx;
  const alt_text = cx.target.images?.[index]?.alt_text ?? '';
  journal.attached = [...(journal.attached ?? []), listing_image_id];
  const image = await write(
    cx,
    listPhotoParts(cx),
    (options) =>
      ports.marketplace.updateImage(
        shop,
        getListingId(cx),
        { listing_image_id, rank: findPlace(), alt_text },
        options,
      ),
    async () =>
      (await readImages(cx)).some(
        (other) => other.listing_image_id === listing_image_id && other.alt_text === alt_text,
      ),
    () => expectOwnImages(cx),
  );
  if (image) keepImages(cx, insert(listShown(cx, 'images'), image, findPlace()));
}

/** Called after the write of the fields, which sets photos and order. */
export function keepOrder(cx: Context): void {
  const ids = listMediaIds(cx, 'images');
  const byId = new Map(listShown(cx, 'images').map((image) => [image.listing_image_id, image]));
  keepImages(
    cx,
    ids.flatMap((id) => byId.get(id) ?? []),
  );
}

function toOutcome({ target, undecided, again }: Context, failed: readonly Failed[]): StepOutcome {
  const toPath = (index: number) => target.images?.[index]?.file?.path ?? `images[${index}]`;
  const warnings: Warning[] = [
    ...failed.map(({ index, error }) => ({
      code: 'image_failed' as const,
      fields: [toPath(index)],
      reason: toPhotoNotSent(index, error, again),
    })),
    ...[...undecided].map(([index, { listing_image_id }]) => ({
      code: 'image_undecided' as const,
      fields: [toPath(index)],
      reason: { code: 'photo_undecided' as const, params: { index, listing_image_id } },
    })),
  ];
  const [first] = failed;
  if (!first) return { warnings };
  const error = toPhotoNotSent(first.index, first.error, again);
  return { warnings, missing: { error, marketplace_status: first.error.status } };
}

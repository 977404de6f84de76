import { MarketplaceError, type ListingImage } from '../../../ports/index.js';
import { MARKETPLACE_FACTS } from '../../../../../schemas/marketplace_facts.js';
import { toPhotoNotSent, StepError } from '../../engine/failures.js';
import { finishSending, sendOnce } from '../../engine/send_once.js';
import { type Changing, getListingType } from '../../engine/context.js';
import type { ChangeStep } from '../../engine/step.js';
import { write } from '../../engine/write.js';
import { expectNoDrift } from '../../engine/drift_check.js';
import { findTurned, putInOrder } from '../../engine/photo_order.js';
import { keepRemoved, noteDoubles } from './fetched.js';
import { findMediaId, listKnownIds, listMediaIds } from '../../engine/media_ids.js';
import {
  listShown,
  listIds,
  listMissing,
  listOtherTexts,
  listSurplus,
  findRank,
  insert,
  getPlanned,
  readImages,
  listThere,
  keepImages,
  listPhotoParts,
} from './photos.js';
import { buildMedia } from './send.js';

const MOST = MARKETPLACE_FACTS.images_per_listing;

/**
 * Photos and their alt texts. While a listing has its most photos, the marketplace takes no more and changes no text, so photos are
 * deleted first to make room; other deletions, and the order, are left to the write of the fields.
 */
export const imagesStep: ChangeStep = {
  name: 'images',
  work: 'change_images',
  isOpen: (changing) =>
    listMissing(changing).length > 0 ||
    listOtherTexts(changing).length > 0 ||
    listSurplus(changing).length > 0,
  async resume(changing) {
    const missing = listMissing(changing).filter((index) => getPlanned(changing, index) !== undefined);
    await finishSending(changing, buildMedia(changing), missing);
    await noteDoubles(changing, listShown(changing));
  },
  async run(changing) {
    await keepRemoved(changing, listSurplus(changing));
    await makeRoom(changing);
    await changeTexts(changing);
    for (const index of listMissing(changing)) await add(changing, index);
    await expectOwnImages(changing);
  },
};

/** Whether the photos are those of the target in its order. */
export function isInOrder(changing: Changing): boolean {
  if (!changing.target.images) return true;
  return String(listIds(changing)) === String(listMediaIds(changing, 'images'));
}

async function makeRoom(changing: Changing): Promise<void> {
  const missing = listMissing(changing).length;
  const needed = missing > 0 ? missing : Math.min(1, listOtherTexts(changing).length);
  if (needed > MOST - listShown(changing).length) await removeSurplus(changing);
}

/** A listing on sale always keeps a photo. */
async function removeSurplus(changing: Changing): Promise<void> {
  const surplus = listSurplus(changing);
  if (surplus.length === 0) return;
  await expectOwnImages(changing);
  const kept = listShown(changing).filter((image) => !surplus.includes(image));
  await setImages(changing, kept.length > 0 ? kept : surplus.slice(0, 1));
}

/**
 * The set of photos is written whole, and sending some takes minutes: photos that were added by hand since the read are reported as
 * drift before the write removes them.
 */
export async function expectOwnImages(changing: Changing): Promise<void> {
  if (!changing.stale.has('images')) return;
  const shown = listShown(changing);
  const there = await listThere(changing);
  await noteDoubles(changing, there);
  expectNoDrift(changing, { images: there });
  // Lists lag, so a photo that was just sent may be missing. What is surplus goes with the next write of the set.
  const known = listKnownIds(changing, 'images');
  for (const double of changing.progress.doubles ?? []) known.delete(double);
  for (const { listing_image_id } of shown) known.add(listing_image_id);
  // Where it is to be written over, the order that others have given it is the one that is there.
  const own = findTurned(changing, there)
    ? putInOrder(
        shown,
        there.map(({ listing_image_id }) => listing_image_id),
      )
    : shown;
  keepImages(changing, [...own, ...there.filter(({ listing_image_id }) => !known.has(listing_image_id))]);
}

async function setImages(changing: Changing, images: readonly ListingImage[]): Promise<void> {
  const { ports, shop, update } = changing;
  const image_ids = images.map(({ listing_image_id }) => listing_image_id);
  if (String(image_ids) === String(listIds(changing))) return;
  const listing = await write(
    changing,
    listPhotoParts(changing),
    (options) =>
      ports.marketplace.updateListing(
        shop,
        update.listing_id,
        getListingType(changing),
        { image_ids },
        options,
      ),
    async () =>
      String((await readImages(changing)).map((image) => image.listing_image_id)) === String(image_ids),
    () => expectOwnImages(changing),
  );
  if (listing) keepImages(changing, images);
}

/** With no place free, one of the photos that get another text is deleted while the others are changed. */
async function changeTexts(changing: Changing): Promise<void> {
  const all = listOtherTexts(changing);
  const [first] = all;
  const isFull = listShown(changing).length >= MOST;
  if (first && isFull) {
    await keepRemoved(changing, [first.image]);
    await takeAway(changing, first.image);
  }
  for (const { index, image } of isFull ? all.slice(1) : all) {
    await expectOwnImages(changing);
    const { listing_image_id } = image;
    await attach(changing, index, listing_image_id, () => listIds(changing).indexOf(listing_image_id) + 1);
    changing.report(`text of photo ${index + 1}`);
  }
}

async function takeAway(changing: Changing, image: ListingImage): Promise<void> {
  const { ports, shop, update } = changing;
  const { listing_image_id } = image;
  await write(
    changing,
    listPhotoParts(changing),
    (options) => ports.marketplace.deleteImage(shop, update.listing_id, listing_image_id, options),
    async () => !(await readImages(changing)).some((other) => other.listing_image_id === listing_image_id),
  );
  keepImages(
    changing,
    listShown(changing).filter((other) => other.listing_image_id !== listing_image_id),
  );
}

/** Doubles that a lagging list showed only once all was written. */
export async function takeDoublesAway(changing: Changing): Promise<void> {
  if (!changing.target.images) return;
  await noteDoubles(changing, listShown(changing));
  const doubles = new Set(changing.progress.doubles);
  const surplus = listShown(changing).filter(({ listing_image_id }) => doubles.has(listing_image_id));
  for (const image of surplus) await takeAway(changing, image);
}

/** A photo that the marketplace knows is attached again; where it does not have it any more, its bytes are sent. */
async function add(changing: Changing, index: number): Promise<void> {
  if (listShown(changing).length >= MOST) await removeSurplus(changing);
  const id = findMediaId(changing, 'images', index);
  if (id !== null && (await tryAttach(changing, index, id))) {
    changing.report(`photo ${index + 1}`);
    return;
  }
  const error = await sendOnce(changing, buildMedia(changing), index);
  if (error) {
    throw new StepError(toPhotoNotSent(index, error, changing.again), error.status);
  }
  changing.report(`photo ${index + 1}`);
}

async function tryAttach(changing: Changing, index: number, listing_image_id: number): Promise<boolean> {
  try {
    await attach(changing, index, listing_image_id, () => findRank(changing, index));
    return true;
  } catch (cause) {
    const isGone = cause instanceof MarketplaceError && ['refused', 'not_found'].includes(cause.failure);
    if (!isGone || getPlanned(changing, index) === undefined) throw cause;
    return false;
  }
}

async function attach(
  changing: Changing,
  index: number,
  listing_image_id: number,
  findPlace: () => number,
): Promise<void> {
  const { ports, shop, update, progress } = changing;
  const alt_text = changing.target.images?.[index]?.alt_text ?? '';
  progress.attached = [...(progress.attached ?? []), listing_image_id];
  const image = await write(
    changing,
    listPhotoParts(changing),
    (options) =>
      ports.marketplace.updateImage(
        shop,
        update.listing_id,
        { listing_image_id, rank: findPlace(), alt_text },
        options,
      ),
    async () =>
      (await readImages(changing)).some(
        (other) => other.listing_image_id === listing_image_id && other.alt_text === alt_text,
      ),
    () => expectOwnImages(changing),
  );
  if (image) keepImages(changing, insert(listShown(changing), image, findPlace()));
}

/** After the write of the fields, which sets photos and order. */
export function keepOrder(changing: Changing): void {
  const ids = listMediaIds(changing, 'images');
  const byId = new Map(listShown(changing).map((image) => [image.listing_image_id, image]));
  keepImages(
    changing,
    ids.flatMap((id) => byId.get(id) ?? []),
  );
}

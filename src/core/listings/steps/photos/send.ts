import type { ListingImage } from '../../../ports/index.js';
import { getFile } from '../../engine/attempt.js';
import { recognizeImage, describeSentImage } from './recognize.js';
import { getPlanned, type Media } from '../../engine/send_once.js';
import { getListingId, type Context } from '../../engine/context.js';
import { recordDuplicates } from './fetched.js';
import { findMediaId, insert, listKnownIds, listShown } from '../../engine/media_ids.js';
import { findPlanned, findRank, readImages, keepImages } from './photos.js';

/** Sends photos, and recognizes them after a lost response. */
export function buildMedia(cx: Context): Media {
  const { ports, shop, schedule, sent, undecided } = cx;
  const media: Media = {
    kind: 'images',
    findFile: (index) => findPlanned(cx, index),
    async send(index, planned, options) {
      const file = await getFile(cx, planned);
      const rank = findRank(cx, index);
      const place = { rank, alt_text: planned.alt_text };
      const sending = ports.marketplace.uploadImage(shop, getListingId(cx), file, place, options);
      schedule.reach(index);
      const image = await sending;
      sent.keep(index, image);
      keepImages(cx, insert(listShown(cx, 'images'), image, rank));
    },
    async find(indexes) {
      const there = await readImages(cx);
      // A duplicate of an earlier upload has the same size and sorts after it, so record duplicates before matching.
      if (cx.fresh.images) await recordDuplicates(cx, there);
      let isProcessed = true;
      for (const index of indexes) {
        const { candidates, before } = listCandidates(cx, index, there);
        for (const image of candidates) {
          const marks = await describeSentImage(cx, getPlanned(media, index), index);
          const verdict = recognizeImage(image, marks, before);
          if (verdict === 'unprocessed') isProcessed = false;
          if (verdict === 'unprocessed' || verdict === 'undecided') undecided.set(index, image);
          else undecided.delete(index);
          if (verdict !== 'ours') continue;
          sent.keep(index, image);
          break;
        }
      }
      return isProcessed ? 'complete' : 'unprocessed';
    },
  };
  return media;
}

/**
 * The photos that may be the one at a position of the target, and the photos known to precede it. If the listing's
 * photos were never read, it has only the ones we sent, in order, so this photo can be in only one place.
 */
function listCandidates(
  cx: Context,
  index: number,
  there: readonly ListingImage[],
): { candidates: ListingImage[]; before: ListingImage[] } {
  const known = listKnownIds(cx, 'images');
  const isKnown = ({ listing_image_id }: ListingImage) => known.has(listing_image_id);
  const unknown = there.filter((image) => !isKnown(image));
  if (cx.fresh.images) return { candidates: unknown, before: there.filter(isKnown) };
  const place = there[findRank(cx, index) - 1];
  const earlier = new Set([...Array(index).keys()].map((other) => findMediaId(cx, 'images', other)));
  return {
    candidates: unknown.filter((image) => image === place),
    before: there.filter(({ listing_image_id }) => earlier.has(listing_image_id)),
  };
}

import type { ListingStatus } from '../../../../schemas/listing.js';
import { buildEmptyProgress, isSettled, STEPS, type ShopProgress } from '../publish/progress.js';
import { takeMedia } from '../publish/take_media.js';
import type { ListingSnapshot } from '../snapshot/snapshot.js';

/** Everything is done there, so that publishing sends nothing anew; what was live before does not go live by itself. */
export function buildImportedProgress(
  snapshot: ListingSnapshot,
  known: ShopProgress | undefined,
): ShopProgress {
  const { listing } = snapshot;
  const progress = takeMedia(known ?? buildEmptyProgress(), snapshot);
  const is_active = progress.is_active || listing.state !== 'draft';
  return {
    ...progress,
    done: STEPS.filter((step) => step !== 'activate' || is_active),
    listing_url: listing.url,
    is_active,
    failure: null,
  };
}

/**
 * Where a listing stands over all its shops, once one of them is as an import found it.
 * @param others of its other shops; undefined where nothing was begun
 */
export function toImportedStatus(
  { listing }: Pick<ListingSnapshot, 'listing'>,
  others: readonly (ShopProgress | undefined)[],
): ListingStatus {
  if (!others.every((progress) => progress && isSettled(progress))) return 'incomplete';
  const is_active = listing.state === 'active' && others.every((progress) => progress?.is_active === true);
  return is_active ? 'active' : 'published';
}

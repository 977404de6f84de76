import type { ListingStatus } from '../../../../schemas/listing.js';
import { buildEmptyProgress, STEPS, type PublicationProgress } from '../../ports/listing/progress.js';
import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import { isSettled } from '../engine/intents.js';
import { takeMedia } from '../engine/media_ids.js';

/**
 * Progress with all steps done, so that publishing sends nothing again. A listing that was live is not activated
 * automatically. Nothing is pending, since the shop's values are now the wanted ones.
 */
export function buildImportedProgress(
  snapshot: ListingSnapshot,
  known: PublicationProgress | undefined,
): PublicationProgress {
  const { listing } = snapshot;
  const progress = takeMedia(known ?? buildEmptyProgress(), snapshot);
  const isActive = progress.is_active || listing.state !== 'draft';
  return {
    ...progress,
    done: STEPS.filter((step) => step !== 'activate' || isActive),
    listing_url: listing.url,
    is_active: isActive,
    failure: null,
    pending: undefined,
  };
}

/**
 * A listing's status across all its shops, one of which an import just read.
 * @param others publications of its other shops; undefined if nothing was started
 */
export function toImportedStatus(
  { listing }: Pick<ListingSnapshot, 'listing'>,
  others: readonly (PublicationProgress | undefined)[],
): ListingStatus {
  if (!others.every((progress) => progress && isSettled(progress))) return 'incomplete';
  const isActive = listing.state === 'active' && others.every((progress) => progress?.is_active === true);
  return isActive ? 'active' : 'published';
}

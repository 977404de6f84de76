import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { ListingSnapshot, SnapshotPart } from '../snapshot/snapshot.js';
import type { Decision, ShopFacts, ShopUpdate, Target, UpdatePlan, UpdateProgress } from './plan.js';

/** What has to be read of a listing before an update of it can be decided. */
export function listParts(update: ShopUpdate): SnapshotPart[] {
  void update;
  throw new Error('not there yet');
}

/** What one shop's listing is to become, from what is to change and what is there. */
export function decideShop(facts: ShopFacts): Decision {
  void facts;
  throw new Error('not there yet');
}

/** How the listing will look once the target is reached; what has no id yet has a negative one. */
export function projectTarget(fresh: Partial<ListingSnapshot>, target: Target): Partial<ListingSnapshot> {
  void [fresh, target];
  throw new Error('not there yet');
}

/**
 * Our form of the listing once a job has ended: with what was changed where some shop has it now, and with what other hands changed
 * where all shops agree.
 * @param saved our form before the job
 * @param parts of the shops that the job was for, by shop; undefined where nothing was done
 */
export function buildCopy(
  plan: UpdatePlan,
  saved: ListingRequest,
  parts: ReadonlyMap<number, UpdateProgress | undefined>,
): ListingRequest {
  void [plan, saved, parts];
  throw new Error('not there yet');
}

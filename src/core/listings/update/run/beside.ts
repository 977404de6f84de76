import type { ListingChanges, MarketplaceListing } from '../../../ports/marketplace_listing.js';
import { compareSnapshots } from '../../snapshot/compare.js';
import { isSameValue } from '../../snapshot/difference.js';
import { WRITABLE } from '../decide/writable.js';
import type { Changing } from './changing.js';

/**
 * Fields that other hands have changed beside the change since it was decided are none of it: they count as if they had been so before,
 * so that nothing writes them, tells them as its own, or takes them back. What is replaced whole, as stock and prices are, has no such
 * fields.
 */
export function takeOverBeside({ progress, fresh, update }: Changing): void {
  const { before, target } = progress;
  if (!before?.listing || !target || !fresh.listing) return;
  const listing = rebase(before.listing, fresh.listing, target.fields ?? {});
  progress.taken_over = [
    ...progress.taken_over,
    ...compareSnapshots({ listing: before.listing }, { listing }, update.names),
  ];
  progress.before = { ...before, listing };
}

function rebase(
  before: MarketplaceListing,
  fresh: MarketplaceListing,
  written: ListingChanges,
): MarketplaceListing {
  const beside = WRITABLE.filter((field) => !(field in written) && !isSameValue(before[field], fresh[field]));
  return { ...before, ...Object.fromEntries(beside.map((field) => [field, fresh[field]])) };
}

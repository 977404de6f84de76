import type { Database } from '../store/database.js';
import { writeFee } from '../store/fees.js';
import { listEnded, saveListing } from '../store/listings.js';
import type { Listing } from '../store/listings.js';
import { toEndingAt } from './new_listing.js';

/**
 * Ends the active listings whose four months are over: expires them, or renews them for a fee for each four
 * months since. Seeded listings are renewed without a fee, since no seller looks after them.
 */
export function expireOrRenew(db: Database, now_ms: number): void {
  for (const listing of listEnded(db, now_ms)) saveListing(db, end(db, listing, now_ms));
}

function end(db: Database, listing: Listing, now_ms: number): Listing {
  if (listing.is_seeded) return { ...listing, ending_at: listRenewals(listing, now_ms).ending_at };
  if (!listing.fields.should_auto_renew) {
    return { ...listing, state: 'expired', state_at: listing.ending_at, updated_at: now_ms };
  }
  const { renewed_at, ending_at } = listRenewals(listing, now_ms);
  for (const at of renewed_at) writeFee(db, listing, at);
  return { ...listing, ending_at, state_at: renewed_at.at(-1) ?? listing.state_at, updated_at: now_ms };
}

function listRenewals({ ending_at }: Listing, now_ms: number): { renewed_at: number[]; ending_at: number } {
  const renewed_at: number[] = [];
  let next = ending_at;
  for (; next <= now_ms; next = toEndingAt(next)) renewed_at.push(next);
  return { renewed_at, ending_at: next };
}

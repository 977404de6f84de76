import { LISTING_FEE } from '../rules/choices.js';
import type { Database } from './database.js';
import type { Listing } from './listings.js';
import { takeId } from './sequences.js';

/** `amount` is in hundredths. */
type Fee = {
  fee_id: number;
  shop_id: number;
  listing_id: number;
  kind: 'listing' | 'renewal';
  amount: number;
  currency_code: string;
  created_at: number;
};

/**
 * Records the fee for four months. @param listing in its state before they begin, which determines the kind
 * of fee
 */
export function writeFee(db: Database, listing: Listing, now_ms: number): void {
  db.run(
    'INSERT INTO fees VALUES (?,?,?,?,?,?,?)',
    takeId(db, 'fee'),
    listing.shop_id,
    listing.listing_id,
    listing.state === 'draft' ? 'listing' : 'renewal',
    LISTING_FEE.amount,
    LISTING_FEE.currency_code,
    now_ms,
  );
}

export function listFees(db: Database): Fee[] {
  return db.list<Fee>('SELECT * FROM fees ORDER BY fee_id');
}

/** A marketplace message that names a listing, or a product of it. */
export type ListingHint = { webhook_id: string; shop_id: number; listing_id: number };

/**
 * The marketplace's messages about listings. They are not trusted as data: the named listing is read again.
 */
export type ListingHintStore = {
  /**
   * Saves the message, and marks the listing as possibly changed for the accounts that manage it in this
   * shop, to be read after `pause_ms`; in one transaction, so that a message that arrives twice counts once.
   * known: it arrived before. ignored: no account manages that listing.
   */
  takeHint(hint: ListingHint, pause_ms: number): Promise<'taken' | 'known' | 'ignored'>;
  /** Deletes messages older than `age_ms`; they are kept for a while, since a message may arrive again. */
  sweepHints(age_ms: number): Promise<number>;
};

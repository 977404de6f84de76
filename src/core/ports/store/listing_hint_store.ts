/** A message of the marketplace that names a listing, or a product of it. */
export type ListingHint = { webhook_id: string; shop_id: number; listing_id: number };

/** What the marketplace's messages say of listings. They are no data: what they name is read again, and that is believed. */
export type ListingHintStore = {
  /**
   * Remembers the message, and that the listing may have changed in this shop, for the account that manages it there; in one
   * transaction, so that a message which comes twice counts once. known: it came before. ignored: no account manages that listing.
   */
  takeHint(hint: ListingHint, pause_ms: number): Promise<'taken' | 'known' | 'ignored'>;
  /** Forgets messages that came so long ago: they are kept for a while, since one may come again. */
  sweepHints(age_ms: number): Promise<number>;
};

import type { MarketplaceListing, SeenListing } from '../../ports/index.js';

/** What is kept of a listing that was just read. */
export function toSighting(listing: MarketplaceListing): SeenListing {
  const { state, ends_at_epoch_s, title, description, tags, price, quantity } = listing;
  const ends_at = ends_at_epoch_s === null ? null : new Date(ends_at_epoch_s * 1000).toISOString();
  return { state, ends_at, shown: { title, description, tags, price, quantity } };
}

/** For one that the marketplace knows no more. */
export const GONE: SeenListing = { state: 'gone', ends_at: null, shown: null };

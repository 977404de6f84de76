import type { AgedSighting, Clock, MarketplaceListing, SeenListing } from '../../ports/index.js';

/** The part of a listing that is kept as its last known state in the shop. */
export function toSighting(listing: MarketplaceListing): SeenListing {
  const { state, ends_at_epoch_s, title, description, tags, price, quantity } = listing;
  const ends_at = ends_at_epoch_s === null ? null : new Date(ends_at_epoch_s * 1000).toISOString();
  return { state, ends_at, shown: { title, description, tags, price, quantity } };
}

/** The same for a listing that is saved a while after it was read. @param asked_ms when it was asked for, in ms of monotonic time */
export function toAgedSighting(
  listing: MarketplaceListing,
  asked_ms: number,
  clock: Pick<Clock, 'monotonic'>,
): AgedSighting {
  return { ...toSighting(listing), getAge_ms: () => clock.monotonic() - asked_ms };
}

/** For a listing that the marketplace does not know any more. */
export const GONE: SeenListing = { state: 'gone', ends_at: null, shown: null };

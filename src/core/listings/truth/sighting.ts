import type { MarketplaceListing, Sighting } from '../../ports/index.js';

/** What is kept of a listing that was just read. */
export function toSighting({
  state,
  ends_at_epoch_s,
}: Pick<MarketplaceListing, 'state' | 'ends_at_epoch_s'>): Omit<Sighting, 'seen_at'> {
  const ends_at = ends_at_epoch_s === null ? null : new Date(ends_at_epoch_s * 1000).toISOString();
  return { state, ends_at };
}

/** For one that the marketplace knows no more. */
export const GONE: Omit<Sighting, 'seen_at'> = { state: 'gone', ends_at: null };

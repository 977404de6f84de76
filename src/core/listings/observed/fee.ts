import type { SeenListing } from '../../ports/index.js';

/**
 * From this long before its four months end, putting a listing on sale counts as costing a fee: a request that is sent in time may be
 * done late, by a marketplace whose clock is not ours.
 */
const MARGIN_MS = 5 * 60 * 1000;

/**
 * Whether putting a listing on sale may cost the marketplace's fee. It is free only for an inactive listing whose four months still run
 * for a while.
 */
export function costsFee({ state, ends_at }: Pick<SeenListing, 'state' | 'ends_at'>, now: Date): boolean {
  if (state === 'active') return false;
  return state !== 'inactive' || ends_at === null || Date.parse(ends_at) - MARGIN_MS <= now.getTime();
}

import type { SeenListing } from '../../ports/index.js';

/** Whether putting a listing on sale costs the marketplace's fee. It is free only for an inactive listing whose four months still run. */
export function costsFee({ state, ends_at }: Pick<SeenListing, 'state' | 'ends_at'>, now: Date): boolean {
  if (state === 'active') return false;
  return state !== 'inactive' || ends_at === null || Date.parse(ends_at) <= now.getTime();
}

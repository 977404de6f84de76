import type { SeenListing } from '../../ports/index.js';

/** Whether putting it on sale costs the marketplace's fee. Free is only what was taken off sale, while its four months run. */
export function costsFee({ state, ends_at }: Pick<SeenListing, 'state' | 'ends_at'>, now: Date): boolean {
  if (state === 'active') return false;
  return state !== 'inactive' || ends_at === null || Date.parse(ends_at) <= now.getTime();
}

import { compareSnapshots } from './compare.js';
import type { KeptSnapshot, ListingSnapshot, SnapshotPart } from './snapshot.js';

/** A listing as the saved request knows it: as it was last written, imported or taken over, whatever was shown to a caller since. */
export function toAdopted({ adopted, ...kept }: KeptSnapshot = {}): KeptSnapshot {
  return { ...kept, ...adopted };
}

/**
 * `adopted` of a snapshot whose parts have just been shown to a caller; undefined where these parts are as the saved request knows
 * them. A caller who has seen an edit by hand may write over it, but to be shown takes nothing over into the saved request.
 */
export function keepAdopted(
  kept: KeptSnapshot | undefined,
  shown: Partial<ListingSnapshot>,
): KeptSnapshot['adopted'] {
  const known = toAdopted(kept);
  if (compareSnapshots(known, shown).length === 0) return undefined;
  const parts = (Object.keys(shown) as SnapshotPart[]).filter((part) => known[part] !== undefined);
  return { ...kept?.adopted, ...Object.fromEntries(parts.map((part) => [part, known[part]])) };
}

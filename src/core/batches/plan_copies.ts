import type { BatchEdit } from '../../../schemas/batch.js';
import type { CopyTargets } from '../../../schemas/copy.js';
import type { Listings } from '../listings/listings.js';
import type { BatchPart, Call } from '../operations/call.js';
import type { BatchPlace, DraftListing } from '../ports/index.js';
import { attempt, type Draft } from './draft.js';

/**
 * The targets of each copy. If the place names some of them, only those, without the shops that the listing's request already
 * has: a copy that has begun added its shop.
 */
export function listCopies(
  edits: readonly BatchEdit[],
  { shop_ids = [] }: BatchPlace,
  known: readonly number[],
): CopyTargets[] {
  // Checked with the other edits.
  const all = edits.flatMap(({ field, shops }) => (field === 'copy' ? [(shops ?? []) as CopyTargets] : []));
  if (!all.flat().some(({ shop_id }) => shop_ids.includes(shop_id))) return all;
  const isNamed = ({ shop_id }: CopyTargets[number]) =>
    shop_ids.includes(shop_id) && !known.includes(shop_id);
  return all.map((targets) => targets.filter(isNamed)).filter(({ length }) => length > 0);
}

export async function planCopies(
  listings: Pick<Listings, 'copy'>,
  draft: Draft,
  copies: readonly CopyTargets[],
  listing_pk: number,
  call: Call,
): Promise<void> {
  for (const targets of copies) {
    const input = { listing_pk, shops: targets, state: 'publish' as const, dry_run: true };
    const drafts = new Map<number, DraftListing>();
    const batch: BatchPart = { onCopied: (shop_id, created) => drafts.set(shop_id, created) };
    const outcome = await attempt(() => listings.copy(input, { ...call, batch }));
    for (const { shop_id } of targets) {
      if ('error' in outcome) draft.refuseFor(shop_id, outcome.error);
      else draft.copy(shop_id, outcome.answer, drafts.get(shop_id));
    }
    if (!('error' in outcome)) draft.add({ op: 'copy', shops: targets });
  }
}

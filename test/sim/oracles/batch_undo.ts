import type { Collecting, Item, KnownBatch } from '../people/collection/collecting.js';
import { toLedgerField, toLedgerValue } from './ledger.js';

/** Fields whose value an undo restores exactly. */
const EXACT: ReadonlySet<string> = new Set(['title', 'description', 'tags', 'section', 'price.0', 'price.1']);

/** An undo covers each listing its batch wrote, and no other, and restores the earlier values. */
export function judgeUndo(
  { ledger: { moves } }: Pick<Collecting, 'ledger'>,
  batches: ReadonlyMap<string, KnownBatch>,
  find: (item: Item) => number | undefined,
): string[] {
  const found: string[] = [];
  for (const undo of batches.values()) {
    const batch = undo.undoes === undefined ? undefined : batches.get(undo.undoes);
    if (!batch || undo.items.length === 0) continue;
    const what = `the undo ${undo.batch_id}`;
    const written = batch.items.filter(({ job_id }) => job_id !== undefined);
    for (const item of written) {
      const own = undo.items.find((one) => isSame(one, item));
      if (!own) {
        found.push(`${what} misses listing ${item.listing_pk} in ${item.shop_id}`);
        continue;
      }
      const listing_id = find(item);
      const back = new Map(
        listRows(own)
          .toReversed()
          .map(([field, , after]) => [field, after]),
      );
      const rows = listRows(item);
      for (const [field, before] of rows) {
        const after = back.get(field);
        if (!EXACT.has(field) || item.status !== 'ok') continue;
        // A price kept until the listing has stock is kept again, and the plan showed the listing's own price.
        const isKept =
          field.startsWith('price') &&
          moves.some((move) => move.listing_id === listing_id && move.after === 'sold_out');
        if (after !== undefined && after !== before && !isKept)
          found.push(`${what} gives back ${after} as ${field} of ${listing_id}, and it was ${before}`);
        const isSettled = moves.every(
          (move) =>
            move.listing_id !== listing_id ||
            (move.field !== field && move.after !== 'sold_out') ||
            (move.by === 'service' && !move.is_late && move.at_ms < (batch.ended_ms ?? 0)),
        );
        if (after === undefined && isSettled && own.issues.length === 0)
          found.push(`${what} leaves out ${field} of ${listing_id}`);
      }
      // A price that was only kept until the listing has stock, and no longer is, is not shown.
      if (moves.some((move) => move.listing_id === listing_id && move.after === 'sold_out')) continue;
      const fields = new Set(rows.map(([field]) => field));
      for (const field of back.keys())
        if (EXACT.has(field) && !fields.has(field))
          found.push(`${what} changes ${field} of ${listing_id}, which its batch did not`);
    }
    for (const item of undo.items)
      if (!written.some((one) => isSame(one, item)))
        found.push(
          `${what} is about listing ${item.listing_pk} in ${item.shop_id}, which its batch did not write`,
        );
  }
  return found;
}

function isSame(one: Item, other: Item): boolean {
  return one.listing_pk === other.listing_pk && one.shop_id === other.shop_id;
}

function listRows({ diff }: Item): [string, string, string][] {
  return diff.flatMap(({ field: name, before, after }): [string, string, string][] => {
    const field = toLedgerField(name);
    return field === undefined ? [] : [[field, toLedgerValue(field, before), toLedgerValue(field, after)]];
  });
}

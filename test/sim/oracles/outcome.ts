import type { ShopResult } from '../../answers.js';
import { findOtherBefore, listBefore, noteDone, notePending, type Done } from './done.js';
import { FIELDS, isMedia, MEDIA, toField, type Field, type Value } from './fields.js';
import { noteReported, write, type Change, type KnownListing, type KnownSale } from './known.js';
import { mayTakeOver, noteTakenOver } from './taken_over.js';
import { listWritten } from './written.js';

/**
 * Records the results of a change, and returns what is wrong with them.
 * @param results undefined if nothing was reported: the requested values may or may not be there
 */
export function noteChange(
  sale: KnownSale,
  change: Change,
  results: readonly ShopResult[] | undefined,
): string[] {
  const faults: string[] = [];
  const taken = new Map<number, Map<Field, Value>>();
  let isOpen = false;
  for (const listing of sale.listings) {
    const result = results?.find(({ shop_id }) => Number(shop_id) === listing.shop_id);
    if (results && !result) continue;
    const wanted = sale.last?.get(listing.listing_id);
    const written = listWritten(listing, change, { wanted, result });
    if (result) noteTakenOver(listing, change, { result, written });
    if (!result || result.status === 'processing') {
      allow(listing, change, { written, result });
      mayTakeOver(listing, change, written);
      // Each may be there from now on; which are still kept is unknown.
      listing.pending.clear();
      isOpen = true;
    } else if (result.status === 'error') {
      if (result.details?.['code'] === 'DRIFT') {
        faults.push(...noteDrift(listing, change, result));
        const left = noteLeft(listing, change, { written, result });
        faults.push(...left.faults);
        isOpen ||= left.has_reported;
      } else {
        allow(listing, change, { written, result });
        // Which of the possibly written values are still kept is unknown.
        for (const field of listing.pending.keys()) if (written.has(field)) listing.pending.delete(field);
        isOpen = true;
      }
    } else {
      const before = listBefore(listing, result);
      faults.push(...findOtherBefore(listing, change, before));
      faults.push(...noteDone(listing, change, { result, written, wanted }));
      const kept = String([...listing.pending]);
      faults.push(...notePending(listing, change, result));
      if (before.size > 0) taken.set(listing.listing_id, before);
      // A change that is only kept until there is stock is the last one, and an undo drops the kept values.
      else if (String([...listing.pending]) !== kept) isOpen = true;
      for (const [field, value] of written)
        if (isMedia(field) && change.kind !== 'undo') write(listing.fields[field], value, false);
    }
  }
  if (isOpen) sale.last = undefined;
  else if (taken.size > 0) sale.last = taken;
  return faults;
}

function allow(
  { fields }: KnownListing,
  { kind, is_overwriting }: Change,
  { written, result }: { written: Map<Field, Value>; result: ShopResult | undefined },
): void {
  for (const [field, value] of written) {
    // A state set by a buyer who bought the last piece is not drift: the call changes it.
    const isWritten = is_overwriting || field === 'state' || !fields[field].is_manual;
    // It consists of several calls: the fields it changed are reported, even if not all were changed.
    const isInPart = !result?.diff || isReported(result, field);
    // The edit was to be overwritten, and was.
    if (is_overwriting && result?.diff && isInPart) fields[field].is_manual = false;
    if (isWritten && isInPart) fields[field].allowed.add(value);
    // A sold-out listing that was activated is deactivated.
    if (field === 'state' && kind === 'undo' && value === 'sold_out') fields.state.allowed.add('inactive');
    if (isMedia(field) && isInPart) fields[field].is_open = true;
    // An activated listing has one of its first product until its stock is written.
    if (field === 'stock') fields[field].is_open = true;
    if (is_overwriting) fields[field].is_contested = true;
  }
  // Price and stock are written together, and stock may have decreased by then.
  if (kind === 'undo' || written.has('price') || written.has('other_price') || written.has('stock'))
    fields.stock.is_contested = true;
  // The restored values are unknown after a change that may have been made more than once.
  if (kind === 'undo' && written.size === 0) {
    for (const field of FIELDS) fields[field].is_open ||= field !== 'state';
  }
  // They are removed by these, and written again at the end.
  if (!isMedia(kind) && !WITHOUT_WORDS.has(kind)) fields.words.is_open = true;
}

/** Changes that leave translations unchanged. */
const WITHOUT_WORDS: ReadonlySet<Change['kind']> = new Set(['price', 'question', 'color', 'other_price']);

function noteDrift(
  { listing_id, fields }: KnownListing,
  { kind, is_meddled }: Change,
  { details }: ShopResult,
): string[] {
  const faults: string[] = [];
  for (const { field: name } of (details?.['drift'] ?? []) as { field: string }[]) {
    const field = toField(name);
    if (!field) continue;
    const known = fields[field];
    if (is_meddled) noteReported(known);
    // An undo reverts the values of its update: later manual edits are in its way, even if they were reported.
    else if (kind === 'undo' && known.is_foreign) continue;
    else if (!known.is_manual && !known.is_reported && known.allowed.size === 1) {
      faults.push(`drift of ${field} in ${listing_id} that no one made`);
    }
  }
  return faults;
}

/** Values reported as written before the drift was found stay there. `has_reported`: there is such a field. */
function noteLeft(
  { listing_id, fields }: KnownListing,
  { is_meddled, may_be_twice }: Change,
  { written, result }: Pick<Done, 'written' | 'result'>,
): { faults: string[]; has_reported: boolean } {
  const faults: string[] = [];
  // The first of two calls, whose result nobody received, may have sent some of them.
  const media = MEDIA.filter((field) => isReported(result, field) || (may_be_twice && written.has(field)));
  for (const field of media) fields[field].is_open = true;
  const others = [...written].filter(([field]) => !isMedia(field) && isReported(result, field));
  for (const [field, value] of others) {
    const { is_manual, allowed } = fields[field];
    if (is_meddled) allowed.add(value);
    else {
      if (is_manual && !allowed.has(value))
        faults.push(`${field} of ${listing_id}, changed by hand, is written over on the way to drift`);
      write(fields[field], value, false);
    }
  }
  return { faults, has_reported: media.length + others.length > 0 };
}

function isReported({ diff = [] }: ShopResult, field: Field): boolean {
  return diff.some(({ field: name }) => toField(name) === field);
}

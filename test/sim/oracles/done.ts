import type { ShopResult } from '../../answers.js';
import { isHidden, isMedia, toField, toValue, UNKNOWN, type Field, type Value } from './fields.js';
import { tell, write, type Change, type KnownListing } from './known.js';

export type Done = { result: ShopResult; written: Map<Field, Value>; wanted: Map<Field, Value> | undefined };

export function noteDone(
  { listing_id, fields }: KnownListing,
  change: Change,
  { result, written, wanted }: Done,
): string[] {
  const faults: string[] = [];
  for (const [field, value] of written) {
    const known = fields[field];
    if (known.is_by_hand && change.is_meddled) {
      // What buyers have taken meanwhile was put on sale once more, by the same call that was made again.
      if (field === 'state' && change.may_be_twice) known.allowed.add(value);
      continue;
    }
    if (field === 'stock' && change.is_meddled) {
      known.is_open = true;
      continue;
    }
    if ((field === 'state' || field === 'stock') && result.status === 'unchanged') {
      // Or it was brought there by the same call, whose answer was lost.
      known.allowed.add(value);
      continue;
    }
    // Of what an undo goes back to, and is not known, no one can tell whether it is what they had put there.
    const isOther = value !== UNKNOWN && !known.allowed.has(value);
    if (field !== 'state' && !change.is_overwriting && known.is_by_hand && isOther) {
      faults.push(`${field} of ${listing_id}, changed by hand, is written over unasked`);
    }
    // A sold-out listing takes no prices: they are kept until it has stock, and the other parts of the change are made.
    if (listPending(result).has(field)) {
      if (change.is_overwriting) tell(known);
      continue;
    }
    const restored = change.kind === 'undo' && result.status === 'ok' ? wanted?.get(field) : undefined;
    // What was sold out, and was put on sale, is taken off it.
    const isAsNear = restored === 'sold_out' && value === 'inactive';
    // A digital file that was removed cannot be read back.
    const isTold = result.warnings?.some(
      ({ code, fields }) => code === 'not_undone' && fields.includes('digital_files') && field === 'files',
    );
    if (restored !== undefined && restored !== value && !isAsNear && !isTold && !change.is_meddled) {
      faults.push(`${field} of ${listing_id} was ${restored} and is undone to ${value}`);
    }
    if (isMedia(field) && change.kind !== 'undo') continue;
    write(known, value, false);
    // What it goes back to may be what other hands had put there.
    if (change.kind === 'undo') known.is_foreign = known.was_foreign;
  }
  return faults;
}

export function listBefore({ fields }: KnownListing, { status, diff = [] }: ShopResult): Map<Field, Value> {
  const before = new Map<Field, Value>();
  for (const { field: name, before: shown } of diff) {
    const field = toField(name);
    if (field && isHidden(field)) {
      if (status !== 'ok') continue;
      const { allowed, is_open } = fields[field];
      const [value, ...others] = allowed;
      before.set(field, value !== undefined && others.length === 0 && !is_open ? value : UNKNOWN);
      continue;
    }
    const value = toValue(name, shown);
    if (field && value !== undefined) before.set(field, value);
  }
  return before;
}

/** What was there before is told as it was, where that is known: an undo goes back to it. */
export function findOtherBefore(
  { listing_id, fields }: KnownListing,
  { is_meddled }: Change,
  before: ReadonlyMap<Field, Value>,
): string[] {
  return [...before].flatMap(([field, value]) => {
    const { allowed, is_open } = fields[field];
    if (is_meddled || is_open || field === 'words' || allowed.size !== 1 || allowed.has(value)) return [];
    return isHidden(field)
      ? []
      : [`${field} of ${listing_id} was ${[...allowed].join('')} and is told as ${value} before`];
  });
}

/** What a result says is kept until the listing has stock. */
export function listPending({ pending = [] }: ShopResult): Map<Field, Value> {
  return new Map(
    pending.flatMap(({ field: name, after }): [Field, Value][] => {
      const field = toField(name);
      const value = toValue(name, after);
      return field && value !== undefined ? [[field, value]] : [];
    }),
  );
}

/** Takes into what is known which values are kept from now on. What was kept is written with the stock, unless it is said to be dropped. */
export function notePending(listing: KnownListing, change: Change, result: ShopResult): string[] {
  const { listing_id, pending } = listing;
  const { kind } = change;
  if (kind === 'off') return [];
  if (kind === 'undo') {
    // Whether it has dropped what was kept is told only where something is kept from now on.
    for (const [field, value] of pending) listing.fields[field].allowed.add(value);
    listing.pending = listPending(result);
    return [];
  }
  const written = new Set((result.diff ?? []).flatMap(({ field }) => toField(field) ?? []));
  const isDropped = result.warnings?.some(({ code }) => code === 'pending_dropped') === true;
  if (kind !== 'on') {
    listing.pending = listPending(result);
    return [];
  }
  const isStocked = written.has('stock') && !isDropped && !change.is_meddled && !change.may_be_twice;
  const lost = isStocked ? [...pending].filter(([field]) => !written.has(field)) : [];
  for (const field of pending.keys()) if (isDropped || written.has(field)) pending.delete(field);
  return lost.map(
    ([field, value]) => `${field} ${value} of ${listing_id} was kept and is not written with the stock`,
  );
}

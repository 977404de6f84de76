import type { ShopResult } from '../../answers.js';
import { isHidden, isMedia, toField, toValue, UNKNOWN, type Field, type Value } from './fields.js';
import { noteReported, write, type Change, type KnownListing } from './known.js';

export type Done = { result: ShopResult; written: Map<Field, Value>; wanted: Map<Field, Value> | undefined };

export function noteDone(
  { listing_id, fields }: KnownListing,
  change: Change,
  { result, written, wanted }: Done,
): string[] {
  const faults: string[] = [];
  for (const [field, value] of written) {
    const known = fields[field];
    if (known.is_manual && change.is_meddled) {
      // A repeated call put the pieces that buyers had taken in the meantime on sale once more.
      if (field === 'state' && change.may_be_twice) known.allowed.add(value);
      continue;
    }
    if (field === 'stock' && change.is_meddled) {
      known.is_open = true;
      continue;
    }
    if ((field === 'state' || field === 'stock') && result.status === 'unchanged') {
      // Or the same call, whose answer was lost, had already brought it there.
      known.allowed.add(value);
      continue;
    }
    // If the value an undo restores is unknown, it may or may not be what someone edited.
    const isOther = value !== UNKNOWN && !known.allowed.has(value);
    if (field !== 'state' && !change.is_overwriting && known.is_manual && isOther) {
      faults.push(`${field} of ${listing_id}, changed by hand, is written over unasked`);
    }
    // A sold-out listing accepts no prices: they are kept until it has stock, and the other parts of the
    // update are made.
    if (listPending(result).get(field) === value) {
      if (change.is_overwriting) noteReported(known);
      continue;
    }
    const restored = change.kind === 'undo' && result.status === 'ok' ? wanted?.get(field) : undefined;
    // A sold-out listing that was activated is deactivated.
    const isAsNear = restored === 'sold_out' && value === 'inactive';
    // A removed digital file cannot be read back.
    const isTold = result.warnings?.some(
      ({ code, fields }) => code === 'not_undone' && fields.includes('digital_files') && field === 'files',
    );
    if (restored !== undefined && restored !== value && !isAsNear && !isTold && !change.is_meddled) {
      faults.push(`${field} of ${listing_id} was ${restored} and is undone to ${value}`);
    }
    if (isMedia(field) && change.kind !== 'undo') continue;
    write(known, value, false);
    // The restored value may be a manual edit.
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

/** The reported earlier value is correct, if it is known: an undo restores it. */
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

/** Values that a result says are kept until the listing has stock. */
export function listPending({ pending = [] }: ShopResult): Map<Field, Value> {
  return new Map(
    pending.flatMap(({ field: name, after }): [Field, Value][] => {
      const field = toField(name);
      const value = toValue(name, after);
      return field && value !== undefined ? [[field, value]] : [];
    }),
  );
}

/**
 * Records which values are kept from now on. Kept values are written with the stock, unless they are reported
 * as dropped.
 */
export function notePending(listing: KnownListing, change: Change, result: ShopResult): string[] {
  const { listing_id, pending } = listing;
  const { kind } = change;
  if (kind === 'off') return [];
  if (kind === 'undo') {
    // Whether it has dropped the kept values is reported only if something is kept from now on.
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

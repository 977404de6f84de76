import type { ShopResult } from '../../answers.js';
import { FIELDS, isMedia, toField, UNKNOWN, type Field, type Value } from './fields.js';
import type { ContentKind } from '../plan.js';
import { describeListing, type SeenListing } from './seen.js';

/**
 * The values a field may have. `is_manual`: the last write was a manual edit not yet reported to the caller;
 * `is_reported`: it may have been reported, possibly by an error. `is_open`: an update of several calls stopped
 * between them, so the value was not reported. `is_contested`: an update told to overwrite manual edits may
 * still do so, although nobody waits for it.
 */
export type Known = {
  allowed: Set<Value>;
  is_manual: boolean;
  is_reported: boolean;
  is_open: boolean;
  is_contested: boolean;
  /** The value is a manual edit, reported or not; `was_foreign`: it was one at some time. */
  is_foreign: boolean;
  was_foreign: boolean;
};

/** One listing in one shop, and everything its people know about it. */
export type KnownListing = {
  shop_id: number;
  listing_id: number;
  fields: Record<Field, Known>;
  /** Content that no deed changes. */
  rest: string;
  /** Values the program reported as kept until the listing has stock. */
  pending: Map<Field, Value>;
};

/** A product in its shops. */
export type KnownSale = {
  listings: KnownListing[];
  /** The values the next undo restores, by listing; undefined if unknown. */
  last: Map<number, Map<Field, Value>> | undefined;
};

/** The request, and how it was made. */
export type Change = {
  kind: ContentKind | 'undo' | 'off' | 'on';
  value?: Value;
  /** For several fields. */
  values?: ReadonlyMap<Field, Value>;
  /** For each product of a sold-out listing. */
  stock?: number;
  is_overwriting: boolean;
  /** Someone else changed something while it ran. */
  is_meddled: boolean;
  /** Repeated without a key after a lost answer. */
  may_be_twice?: boolean;
};

/** @param result the result of its creation: parts named in its warnings may be corrected later */
export function beginKnown(
  seen: SeenListing,
  { warnings = [] }: Pick<ShopResult, 'warnings'> = {},
): KnownListing {
  const found = describeListing(seen);
  const begun: KnownListing = {
    shop_id: seen.shop_id,
    listing_id: seen.listing_id,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each of the fields is there
    fields: Object.fromEntries(FIELDS.map((field) => [field, know(found.fields[field])])) as Record<
      Field,
      Known
    >,
    rest: found.rest,
    pending: new Map(),
  };
  for (const name of warnings.flatMap(({ fields }) => fields)) {
    const field = toField(name);
    if (field && isMedia(field)) begun.fields[field].is_open = true;
  }
  return begun;
}

function know(value: Value): Known {
  return {
    allowed: new Set([value]),
    is_manual: false,
    is_reported: false,
    is_open: false,
    is_contested: false,
    is_foreign: false,
    was_foreign: false,
  };
}

/** The value of a field in all of the listings, as requested; undefined if it is unknown or they differ. */
export function findAsked(listings: readonly KnownListing[], field: Field): Value | undefined {
  const held = listings.map(({ fields }) => fields[field]);
  if (held.some(({ allowed, is_open, is_foreign }) => allowed.size !== 1 || is_open || is_foreign))
    return undefined;
  const [value, ...others] = new Set(held.flatMap(({ allowed }) => [...allowed]));
  return others.length === 0 ? value : undefined;
}

export function noteReported(known: Known): void {
  known.is_manual = false;
  known.is_reported = true;
}

export function write(known: Known, value: Value, isByHand: boolean): void {
  known.is_foreign = isByHand;
  known.was_foreign ||= isByHand;
  if (isByHand && known.is_contested) {
    known.allowed.add(value);
    return;
  }
  known.is_contested = false;
  known.allowed = new Set([value]);
  known.is_manual = isByHand;
  known.is_reported = false;
  known.is_open = value === UNKNOWN;
}

/**
 * Notes the stock buyers have left. An update not known to have ended may still write the stock it read
 * before.
 */
export function noteSold(
  { last }: KnownSale,
  { listing_id, fields: { stock } }: KnownListing,
  left: Value,
): void {
  if (!stock.is_contested) stock.allowed.clear();
  stock.allowed.add(left);
  stock.is_foreign = true;
  stock.was_foreign = true;
  // Pieces sold since then stay sold when an undo restores the stock.
  if (last?.get(listing_id)?.has('stock') === true) last.get(listing_id)?.set('stock', UNKNOWN);
}

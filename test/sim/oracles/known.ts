import type { ShopResult } from '../../answers.js';
import { FIELDS, isMedia, toField, UNKNOWN, type Field, type Value } from './fields.js';
import type { ContentKind } from '../plan.js';
import { describeListing, type SeenListing } from './seen.js';

/**
 * What a field may hold. Of who wrote it last: other hands, until the caller is told of it; an error may have told or not.
 * `is_open`: a change of several calls has stopped between them, so that it holds what no one was told. `is_contested`: what was
 * told to write over other hands may do so still, though no one waits for it.
 */
export type Known = {
  allowed: Set<Value>;
  is_by_hand: boolean;
  is_told: boolean;
  is_open: boolean;
  is_contested: boolean;
  /** Other hands wrote what it holds, told or not; `was_foreign`: they have written it at some time. */
  is_foreign: boolean;
  was_foreign: boolean;
};

/** One listing in one shop, and all that its people know of it. */
export type KnownListing = {
  shop_id: number;
  listing_id: number;
  fields: Record<Field, Known>;
  /** What no deed touches. */
  rest: string;
  /** Values that the program said it keeps until the listing has stock. */
  pending: Map<Field, Value>;
};

/** A product, in its shops. */
export type KnownSale = {
  listings: KnownListing[];
  /** What the next undo takes back, by listing; undefined where that is open. */
  last: Map<number, Map<Field, Value>> | undefined;
};

/** What was asked for, and how. */
export type Change = {
  kind: ContentKind | 'undo' | 'off' | 'on';
  value?: Value;
  /** Of several. */
  values?: ReadonlyMap<Field, Value>;
  /** Of each product of what is sold out. */
  stock?: number;
  is_overwriting: boolean;
  /** Other hands changed something between its beginning and its end. */
  is_meddled: boolean;
  /** Asked for again without a key, after an answer that was lost. */
  may_be_twice?: boolean;
};

/** @param result what was told of its making: of what it warns, something may be made good later */
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
    is_by_hand: false,
    is_told: false,
    is_open: false,
    is_contested: false,
    is_foreign: false,
    was_foreign: false,
  };
}

/** What a field holds in all of them, as it was asked for; undefined where that is not known, or they differ. */
export function findAsked(listings: readonly KnownListing[], field: Field): Value | undefined {
  const held = listings.map(({ fields }) => fields[field]);
  if (held.some(({ allowed, is_open, is_foreign }) => allowed.size !== 1 || is_open || is_foreign))
    return undefined;
  const [value, ...others] = new Set(held.flatMap(({ allowed }) => [...allowed]));
  return others.length === 0 ? value : undefined;
}

export function tell(known: Known): void {
  known.is_by_hand = false;
  known.is_told = true;
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
  known.is_by_hand = isByHand;
  known.is_told = false;
  known.is_open = value === UNKNOWN;
}

/** What buyers have left. What is not known to have ended may still write the stock that it has read before. */
export function noteSold(
  { last }: KnownSale,
  { listing_id, fields: { stock } }: KnownListing,
  left: Value,
): void {
  if (!stock.is_contested) stock.allowed.clear();
  stock.allowed.add(left);
  stock.is_foreign = true;
  stock.was_foreign = true;
  // What is sold since stays sold, of what an undo brings back.
  if (last?.get(listing_id)?.has('stock') === true) last.get(listing_id)?.set('stock', UNKNOWN);
}

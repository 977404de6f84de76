import type { ShopResult } from '../../../schemas/job.js';

/** As the control route tells a listing; amounts in hundredths. */
export type SeenListing = {
  listing_id: number;
  shop_id: number;
  state: string;
  fields: { title: string; description?: string } & Record<string, unknown>;
  images: { listing_image_id: number; rank: number; sha256: string | null }[];
  videos: { sha256: string }[];
  files: { name: string }[];
  personalization: { instructions: string | null }[];
  translations: { language: string; title: string }[];
  /** Of the category. */
  properties: unknown[];
  inventory: { products: SeenProduct[] };
};
type SeenProduct = {
  sku: string;
  property_values: { property_name: string; values: string[] }[];
  offering: {
    price_amount: number;
    quantity: number;
    is_enabled: boolean;
    readiness_state_id: number | null;
  };
};
export type SeenMarketplace = {
  listings: SeenListing[];
  fees: { listing_id: number; shop_id: number; created_at: number; kind: string; amount: number }[];
};

/** `question`: what buyers are asked; `words`: the translations; `stock`: of each of its products. */
const FIELDS = ['title', 'price', 'stock', 'state', 'photos', 'video', 'question', 'files', 'words'] as const;
export type Field = (typeof FIELDS)[number];
export type Value = string | number;

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

export function describeListing(seen: SeenListing): { fields: Record<Field, Value>; rest: string } {
  const { fields, state, inventory, properties } = seen;
  const { products } = inventory;
  const {
    title: _title,
    price_amount: _price,
    quantity: _quantity,
    num_favorers: _liked,
    views: _views,
    ...others
  } = fields;
  return {
    fields: {
      title: fields.title,
      price: (products[0]?.offering.price_amount ?? 0) / 100,
      stock: products.map(({ offering }) => offering.quantity).join(','),
      state,
      photos: listPhotos(seen).join(','),
      video: seen.videos.map(({ sha256 }) => toShort(sha256)).join(','),
      question: seen.personalization.map(({ instructions }) => instructions ?? '').join(','),
      files: seen.files.map(({ name }) => name).join(','),
      words: seen.translations.map(({ language, title }) => `${language}: ${title}`).join(','),
    },
    rest: JSON.stringify([others, properties, products.map(describeProduct)]),
  };
}

/** Of the first the price is a field of its own. */
function describeProduct({ sku, property_values, offering }: SeenProduct, index: number): unknown[] {
  const { price_amount, is_enabled, readiness_state_id } = offering;
  const chosen = property_values.map(({ property_name, values }) => [property_name, ...values]);
  return [sku, chosen, is_enabled, readiness_state_id, index === 0 ? null : price_amount];
}

/** In order, as their bytes. */
export function listPhotos({ images }: SeenListing): string[] {
  return images.toSorted((a, b) => a.rank - b.rank).map(({ sha256 }) => (sha256 ? toShort(sha256) : 'none'));
}

export function toShort(sha256: string): string {
  return sha256.slice(0, 8);
}

/** What a field holds in all of them, as it was asked for; undefined where that is not known, or they differ. */
export function findAsked(listings: readonly KnownListing[], field: Field): Value | undefined {
  const held = listings.map(({ fields }) => fields[field]);
  if (held.some(({ allowed, is_open, is_foreign }) => allowed.size !== 1 || is_open || is_foreign))
    return undefined;
  const [value, ...others] = new Set(held.flatMap(({ allowed }) => [...allowed]));
  return others.length === 0 ? value : undefined;
}

/** The caller was told of all that is there: nothing of it is drift any more. */
export function tellAll({ fields }: KnownListing): void {
  for (const known of Object.values(fields)) tell(known);
}

function tell(known: Known): void {
  known.is_by_hand = false;
  known.is_told = true;
}

export function write(known: Known, value: Value, is_by_hand: boolean): void {
  known.is_foreign = is_by_hand;
  known.was_foreign ||= is_by_hand;
  if (is_by_hand && known.is_contested) {
    known.allowed.add(value);
    return;
  }
  known.is_contested = false;
  known.allowed = new Set([value]);
  known.is_by_hand = is_by_hand;
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

/** What was asked for, and how. */
export type Change = {
  kind: 'title' | 'price' | 'photos' | 'video' | 'question' | 'files' | 'several' | 'undo' | 'off' | 'on';
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

/** A product, in its shops. */
export type KnownSale = {
  listings: KnownListing[];
  /** What the next undo takes back, by listing; undefined where that is open. */
  last: Map<number, Map<Field, Value>> | undefined;
};

/**
 * Takes what was told of a change into what is known, and answers what is wrong with it.
 * @param results undefined where nothing was told: what was wanted may be there or not
 */
export function noteChange(
  sale: KnownSale,
  change: Change,
  results: readonly ShopResult[] | undefined,
): string[] {
  const faults: string[] = [];
  const taken = new Map<number, Map<Field, Value>>();
  let is_open = false;
  for (const listing of sale.listings) {
    const result = results?.find(({ shop_id }) => Number(shop_id) === listing.shop_id);
    if (results && !result) continue;
    const wanted = sale.last?.get(listing.listing_id);
    const written = listWritten(listing, change, { wanted, result });
    if (result) noteTakenOver(listing, change, { result, written });
    if (!result || result.status === 'processing') {
      allow(listing, change, { written, result });
      mayTakeOver(listing, change, written);
      is_open = true;
    } else if (result.status === 'error') {
      if (result.details?.['code'] === 'DRIFT') {
        faults.push(...noteDrift(listing, change, result));
        const left = noteLeft(listing, change, { written, result });
        faults.push(...left.faults);
        is_open ||= left.is_told;
      } else {
        allow(listing, change, { written, result });
        is_open = true;
      }
    } else {
      const before = listBefore(listing, result);
      faults.push(...findOtherBefore(listing, change, before));
      faults.push(...noteDone(listing, change, { result, written, wanted }));
      if (before.size > 0) taken.set(listing.listing_id, before);
      for (const [field, value] of written)
        if (isMedia(field) && change.kind !== 'undo') write(listing.fields[field], value, false);
    }
  }
  if (is_open) sale.last = undefined;
  else if (taken.size > 0) sale.last = taken;
  return faults;
}

function allow(
  { fields }: KnownListing,
  { kind, is_overwriting }: Change,
  { written, result }: { written: Map<Field, Value>; result: ShopResult | undefined },
): void {
  for (const [field, value] of written) {
    // A state that a buyer has made, by buying the last piece, is no drift: it is what is to be changed.
    const is_written = is_overwriting || field === 'state' || !fields[field].is_by_hand;
    // Its calls are several: what was changed, though not all, is told.
    const is_in_part = !result?.diff || tellsOf(result, field);
    // It was to be written over, and was.
    if (is_overwriting && result?.diff && is_in_part) fields[field].is_by_hand = false;
    if (is_written && is_in_part) fields[field].allowed.add(value);
    if (isMedia(field) && is_in_part) fields[field].is_open = true;
    // What is put on sale has one of its first product, until its stock is written.
    if (field === 'stock') fields[field].is_open = true;
    if (is_overwriting) fields[field].is_contested = true;
  }
  // Price and stock are written together, and there may be less of it by then.
  if (kind === 'undo' || written.has('price') || written.has('stock')) fields.stock.is_contested = true;
  // What it goes back to is not known, after a change of which it is not known how often it was made.
  if (kind === 'undo' && written.size === 0) {
    for (const field of FIELDS) fields[field].is_open ||= field !== 'state';
  }
  // They go with these, and are written again at the end.
  if (!isMedia(kind) && kind !== 'price' && kind !== 'question') fields.words.is_open = true;
}

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
    if (is_meddled) tell(known);
    // An undo takes back what its change has written: what other hands wrote since is in its way, though it was told.
    else if (kind === 'undo' && known.is_foreign) continue;
    else if (!known.is_by_hand && !known.is_told && known.allowed.size === 1) {
      faults.push(`drift of ${field} in ${listing_id} that no one made`);
    }
  }
  return faults;
}

/** What was written before the drift was met, as the result tells, stays there. `is_told`: there is such a field. */
function noteLeft(
  { listing_id, fields }: KnownListing,
  { is_meddled, may_be_twice }: Change,
  { written, result }: Pick<Done, 'written' | 'result'>,
): { faults: string[]; is_told: boolean } {
  const faults: string[] = [];
  // The first of two, which no one heard the end of, may have sent some of them.
  const media = MEDIA.filter((field) => tellsOf(result, field) || (may_be_twice && written.has(field)));
  for (const field of media) fields[field].is_open = true;
  const others = [...written].filter(([field]) => !isMedia(field) && tellsOf(result, field));
  for (const [field, value] of others) {
    const { is_by_hand, allowed } = fields[field];
    if (is_meddled) allowed.add(value);
    else {
      if (is_by_hand && !allowed.has(value))
        faults.push(`${field} of ${listing_id}, changed by hand, is written over on the way to drift`);
      write(fields[field], value, false);
    }
  }
  return { faults, is_told: media.length + others.length > 0 };
}

function tellsOf({ diff = [] }: ShopResult, field: Field): boolean {
  return diff.some(({ field: name }) => toField(name) === field);
}

type Done = { result: ShopResult; written: Map<Field, Value>; wanted: Map<Field, Value> | undefined };

function noteDone(
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
    // What is not on sale as it is, sold out for one, need not be taken off it, and stays as it is.
    const is_off_sale = result.warnings?.some(({ code }) => code === 'off_sale') === true;
    // The other parts of a change are made.
    if (is_off_sale && field === 'price' && change.kind === 'several') continue;
    const is_of_sale = field === 'state' || field === 'stock';
    const stays = is_of_sale || is_off_sale;
    if (stays && result.status === 'unchanged') {
      // Or it was brought there by the same call, whose answer was lost.
      if (is_of_sale || change.may_be_twice) known.allowed.add(value);
      continue;
    }
    // Of what an undo goes back to, and is not known, no one can tell whether it is what they had put there.
    const is_other = value !== UNKNOWN && !known.allowed.has(value);
    if (field !== 'state' && !change.is_overwriting && known.is_by_hand && is_other) {
      faults.push(`${field} of ${listing_id}, changed by hand, is written over unasked`);
    }
    const restored = change.kind === 'undo' && result.status === 'ok' ? wanted?.get(field) : undefined;
    // What was sold out, and was put on sale, is taken off it.
    const is_as_near = restored === 'sold_out' && value === 'inactive';
    if (restored !== undefined && restored !== value && !is_as_near && !change.is_meddled) {
      faults.push(`${field} of ${listing_id} was ${restored} and is undone to ${value}`);
    }
    if (isMedia(field) && change.kind !== 'undo') continue;
    write(known, value, false);
    // What it goes back to may be what other hands had put there.
    if (change.kind === 'undo') known.is_foreign = known.was_foreign;
  }
  return faults;
}

function listBefore({ fields }: KnownListing, { status, diff = [] }: ShopResult): Map<Field, Value> {
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
function findOtherBefore(
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

/**
 * Changes of other hands that the caller was told of in passing. A field that was written at the same time is not one of them: what
 * they had put there is gone.
 */
function noteTakenOver(
  { fields }: KnownListing,
  { is_overwriting }: Change,
  { result: { status, warnings = [] }, written }: Pick<Done, 'result' | 'written'>,
): void {
  for (const { code, fields: names } of warnings) {
    if (code !== 'taken_over') continue;
    for (const name of names) {
      const field = toField(name);
      if (!field || (status === 'ok' && !is_overwriting && written.has(field))) continue;
      if (status === 'error') tell(fields[field]);
      else fields[field].is_by_hand = false;
    }
  }
}

/**
 * A change that no one heard the end of tells what other hands did beside it all the same, and has it for known from then on, as one does
 * that is heard: what it does not touch may be written over by the next. What it touches itself it refuses, unless it is to write over it.
 */
function mayTakeOver(
  { fields }: KnownListing,
  { is_overwriting }: Change,
  written: ReadonlyMap<Field, Value>,
): void {
  for (const field of FIELDS) {
    if (fields[field].is_by_hand && (is_overwriting || !written.has(field))) tell(fields[field]);
  }
}

/**
 * A change without a key that was asked for again, as its first answer was lost, or one whose caller has gone: what it tells no one
 * hears. Photos that were taken away by hand while it sends others may be told as its own.
 */
export function noteUnheard({ listings }: KnownSale, change: Change): void {
  for (const listing of listings) {
    const written = listWritten(listing, change, { wanted: undefined, result: undefined });
    mayTakeOver(listing, change, new Map([...written].filter(([field]) => !isMedia(field))));
  }
}

function listWritten(
  { fields }: KnownListing,
  { kind, value, values, stock }: Change,
  { wanted, result }: { wanted: Map<Field, Value> | undefined; result: ShopResult | undefined },
): Map<Field, Value> {
  switch (kind) {
    case 'title':
    case 'price':
    case 'photos':
    case 'video':
    case 'question':
    case 'files':
      return new Map([[kind, value ?? '']]);
    case 'several':
      return new Map(values);
    case 'off':
      return new Map([['state', 'inactive']]);
    case 'on':
      return new Map([['state', 'active'], ...listStocked(fields, { stock, result })]);
    case 'undo': {
      if (!result || result.status === 'error') return new Map(wanted ?? []);
      const after = (result.diff ?? []).flatMap(({ field: name, after: shown }) => {
        const field = toField(name);
        const found = toValue(name, shown);
        return field && !isHidden(field) && found !== undefined ? [[field, found] as [Field, Value]] : [];
      });
      const hidden = HIDDEN.flatMap((field) => {
        const is_told = (result.diff ?? []).some(({ field: name }) => toField(name) === field);
        const was =
          result.status === 'ok' ? (wanted?.get(field) ?? (is_told ? UNKNOWN : undefined)) : undefined;
        if (was === undefined) return [];
        if (was === UNKNOWN) return [[field, was] as [Field, Value]];
        return [[field, field === 'files' ? keepFiles(String(was), fields.files) : was] as [Field, Value]];
      });
      return new Map([...after, ...hidden]);
    }
  }
}

/** Where it is sold out, it has so much of each from then on. */
function listStocked(
  { stock: known, state }: KnownListing['fields'],
  { stock, result }: { stock: number | undefined; result: ShopResult | undefined },
): [Field, Value][] {
  const is_written =
    result?.status === 'ok'
      ? (result.diff ?? []).some(({ field: name }) => toField(name) === 'stock')
      : state.allowed.has('sold_out');
  if (stock === undefined || !is_written) return [];
  const [is = ''] = known.allowed;
  return [['stock', String(is).replaceAll(/[^,]+/g, String(stock))]];
}

/** What was there before a change was open. */
const UNKNOWN = '?';

/** What is shown of them is not what they are. */
const MEDIA = ['photos', 'video', 'files'] as const;

/** Nor of stock, which is told by product. */
const HIDDEN = [...MEDIA, 'stock'] as const;

function isHidden(field: string): field is (typeof HIDDEN)[number] {
  return (HIDDEN as readonly string[]).includes(field);
}

function isMedia(field: string): field is (typeof MEDIA)[number] {
  return (MEDIA as readonly string[]).includes(field);
}

/** A file that was taken away is lost, and one at least stays. */
function keepFiles(was: string, { allowed }: Known): string {
  const [is = ''] = allowed;
  const there = new Set(String(is).split(','));
  const left = was.split(',').filter((name) => there.has(name));
  return left.length > 0 ? left.join(',') : String(is);
}

/** Undefined where it is shown otherwise than it is. */
function toValue(name: string, shown: unknown): Value | undefined {
  if (name.startsWith('personalization')) {
    return name.endsWith('.instructions') ? ((shown ?? '') as Value) : undefined;
  }
  return typeof shown === 'string' || typeof shown === 'number' ? shown : undefined;
}

function toField(name: string): Field | undefined {
  if (name.startsWith('translations')) return 'words';
  if (name.startsWith('personalization')) return 'question';
  if (name.startsWith('images')) return 'photos';
  if (name.startsWith('videos')) return 'video';
  if (name.startsWith('digital_files')) return 'files';
  if (name.endsWith('title')) return 'title';
  if (name.endsWith('price')) return 'price';
  if (name.endsWith('quantity')) return 'stock';
  return name.endsWith('state') ? 'state' : undefined;
}

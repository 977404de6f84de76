import type { ShopResult } from '../../../schemas/job.js';

/** As the control route tells a listing; amounts in hundredths. */
export type SeenListing = {
  listing_id: number;
  shop_id: number;
  state: string;
  fields: { title: string; description?: string };
  images: { listing_image_id: number; rank: number; sha256: string | null }[];
  inventory: { products: { offering: { price_amount: number; quantity: number } }[] };
};
export type SeenMarketplace = {
  listings: SeenListing[];
  fees: { listing_id: number; shop_id: number; created_at: number; kind: string }[];
};

export type Field = 'title' | 'price' | 'state' | 'photos';
export type Value = string | number;

/** What a field may hold. Of who wrote it last: other hands, until the caller is told of it; an error may have told or not. */
export type Known = { allowed: Set<Value>; is_by_hand: boolean; is_told: boolean };

/** One listing in one shop, and all that its people know of it. */
export type KnownListing = {
  shop_id: number;
  listing_id: number;
  fields: Record<Field, Known>;
  /** What no deed touches. */
  rest: string;
};

export function beginKnown(seen: SeenListing): KnownListing {
  const found = describeListing(seen);
  return {
    shop_id: seen.shop_id,
    listing_id: seen.listing_id,
    fields: {
      title: know(found.fields.title),
      price: know(found.fields.price),
      state: know(found.fields.state),
      photos: know(found.fields.photos),
    },
    rest: found.rest,
  };
}

function know(value: Value): Known {
  return { allowed: new Set([value]), is_by_hand: false, is_told: false };
}

export function describeListing(seen: SeenListing): { fields: Record<Field, Value>; rest: string } {
  const { fields, state, inventory } = seen;
  const [first, ...others] = inventory.products.map(({ offering }) => offering);
  return {
    fields: {
      title: fields.title,
      price: (first?.price_amount ?? 0) / 100,
      state,
      photos: listPhotos(seen).join(','),
    },
    rest: JSON.stringify([fields.description, others.map(({ price_amount }) => price_amount)]),
  };
}

/** In order, as their bytes. */
export function listPhotos({ images }: SeenListing): string[] {
  return images.toSorted((a, b) => a.rank - b.rank).map(({ sha256 }) => sha256?.slice(0, 8) ?? 'none');
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
  known.allowed = new Set([value]);
  known.is_by_hand = is_by_hand;
  known.is_told = false;
}

/** What was asked for, and how. */
export type Change = {
  kind: 'title' | 'price' | 'photos' | 'undo' | 'off' | 'on';
  value?: Value;
  is_overwriting: boolean;
  /** Other hands changed something between its beginning and its end. */
  is_meddled: boolean;
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
    const written = listWritten(change, wanted, result);
    if (result) noteTakenOver(listing, result);
    if (!result || result.status === 'processing') {
      allow(listing, change, written);
      is_open = true;
    } else if (result.status === 'error') {
      if (result.details?.['code'] === 'DRIFT') faults.push(...noteDrift(listing, change, result));
      else {
        allow(listing, change, written);
        is_open = true;
      }
    } else {
      faults.push(...noteDone(listing, change, { result, written, wanted }));
      const before = listBefore(listing, change, result);
      if (before.size > 0) taken.set(listing.listing_id, before);
      if (change.kind === 'photos') write(listing.fields.photos, change.value ?? '', false);
    }
  }
  if (is_open) sale.last = undefined;
  else if (taken.size > 0) sale.last = taken;
  return faults;
}

function allow({ fields }: KnownListing, { is_overwriting }: Change, written: Map<Field, Value>): void {
  for (const [field, value] of written) {
    if (is_overwriting || !fields[field].is_by_hand) fields[field].allowed.add(value);
  }
}

function noteDrift(
  { listing_id, fields }: KnownListing,
  { is_meddled }: Change,
  { details }: ShopResult,
): string[] {
  const faults: string[] = [];
  for (const { field: name } of (details?.['drift'] ?? []) as { field: string }[]) {
    const field = toField(name);
    if (!field) continue;
    const known = fields[field];
    if (is_meddled) tell(known);
    else if (!known.is_by_hand && !known.is_told && known.allowed.size === 1) {
      faults.push(`drift of ${field} in ${listing_id} that no one made`);
    }
  }
  return faults;
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
    if (known.is_by_hand && change.is_meddled) continue;
    // What is not on sale as it is, sold out for one, need not be taken off it, and stays as it is.
    const stays = field === 'state' || result.warnings?.some(({ code }) => code === 'off_sale') === true;
    if (stays && result.status === 'unchanged') {
      // Or it was brought there by the same call, whose answer was lost.
      if (field === 'state') known.allowed.add(value);
      continue;
    }
    if (field !== 'state' && !change.is_overwriting && known.is_by_hand && !known.allowed.has(value)) {
      faults.push(`${field} of ${listing_id}, changed by hand, is written over unasked`);
    }
    const restored = change.kind === 'undo' && result.status === 'ok' ? wanted?.get(field) : undefined;
    if (restored !== undefined && restored !== value && !change.is_meddled) {
      faults.push(`${field} of ${listing_id} was ${restored} and is undone to ${value}`);
    }
    if (field !== 'photos' || change.kind === 'undo') write(known, value, false);
  }
  return faults;
}

function listBefore(
  { fields }: KnownListing,
  { kind }: Change,
  { status, diff }: ShopResult,
): Map<Field, Value> {
  const before = new Map<Field, Value>();
  for (const { field: name, before: value } of diff ?? []) {
    const field = toField(name);
    if (field && (typeof value === 'string' || typeof value === 'number')) before.set(field, value);
  }
  const [photos, ...others] = fields.photos.allowed;
  const is_changed = status === 'ok' && (diff ?? []).length > 0;
  if (kind === 'photos' && is_changed && photos !== undefined && others.length === 0)
    before.set('photos', photos);
  return before;
}

/** Changes of other hands that the caller was told of in passing. */
function noteTakenOver({ fields }: KnownListing, { status, warnings = [] }: ShopResult): void {
  for (const { code, fields: names } of warnings) {
    if (code !== 'taken_over') continue;
    for (const name of names) {
      const field = toField(name);
      if (!field) continue;
      if (status === 'error') tell(fields[field]);
      else fields[field].is_by_hand = false;
    }
  }
}

function listWritten(
  { kind, value }: Change,
  wanted: Map<Field, Value> | undefined,
  result: ShopResult | undefined,
): Map<Field, Value> {
  switch (kind) {
    case 'title':
    case 'price':
    case 'photos':
      return new Map([[kind, value ?? '']]);
    case 'off':
      return new Map([['state', 'inactive']]);
    case 'on':
      return new Map([['state', 'active']]);
    case 'undo': {
      if (!result || result.status === 'error') return new Map(wanted ?? []);
      const photos = result.status === 'ok' ? wanted?.get('photos') : undefined;
      const after = (result.diff ?? []).flatMap(({ field: name, after: found }) => {
        const field = toField(name);
        const is_value = typeof found === 'string' || typeof found === 'number';
        return field && is_value ? [[field, found] as [Field, Value]] : [];
      });
      return new Map(photos === undefined ? after : [...after, ['photos', photos]]);
    }
  }
}

function toField(name: string): Field | undefined {
  if (name.endsWith('title')) return 'title';
  if (name.endsWith('price')) return 'price';
  return name.endsWith('state') ? 'state' : undefined;
}

import { ATTRIBUTES, COMBINATIONS, type Field, type Value } from '../../oracles/fields.js';
import type { KnownListing } from '../../oracles/known.js';
import { listPhotos, type SeenListing } from '../../oracles/seen.js';
import type { EditedField } from '../../plan.js';
import { buildQuestion, buildValue } from './request.js';
import type { Selling } from './selling.js';

/** A direct edit of a listing in the shop, and the resulting value of its field. */
export type Edit = { body: Record<string, unknown>; field: Field; value: Value };

const MOST_PHOTOS = 8;
const MOST_FILES = 5;
const MOST_PIECES = 9;

/** Values of manual edits, each with its number on the marketplace; its people use others. */
const MANUAL_VALUES: Record<keyof typeof ATTRIBUTES, readonly (readonly [string, number])[]> = {
  color: [
    ['Beige', 1],
    ['Black', 2],
    ['Blue', 3],
  ],
  occasion: [
    ['Anniversary', 12],
    ['Birthday', 13],
  ],
};

/** Returns undefined if there is nothing to edit. */
export async function planEdit(
  selling: Selling,
  { listing_id, fields }: KnownListing,
  field: EditedField,
): Promise<Edit | undefined> {
  switch (field) {
    case 'photos':
    case 'files':
    case 'attribute':
    case 'combination': {
      const seen = (await selling.look()).find((one) => one.listing_id === listing_id);
      return seen && PLANS[field](selling, seen);
    }
    case 'state': {
      const [state, ...others] = fields.state.allowed;
      if (others.length > 0 || (state !== 'active' && state !== 'inactive')) return undefined;
      const value = state === 'active' ? 'inactive' : 'active';
      return { body: { state: value }, field, value };
    }
    default:
      return planWords(selling, field);
  }
}

const PLANS = {
  photos: planPhotos,
  files: planFiles,
  attribute: planAttribute,
  combination: planCombination,
};

function planWords(selling: Selling, field: 'title' | 'price' | 'question' | 'words'): Edit {
  const value = buildValue(selling, field, 'hand');
  const body = {
    title: { title: value },
    price: { products: [{ ...name(selling, 0), price: value }] },
    question: { personalization: [buildQuestion(String(value))] },
    words: { translations: { de: { title: value, description: 'Nach seiner Nummer.', tags: [] } } },
  }[field];
  return { body, field, value };
}

/** The name of a combination; none is needed if there is only one. */
function name({ planned }: Selling, index: number): Record<string, unknown> {
  return planned.has_variations ? { values: { Size: COMBINATIONS[index] } } : {};
}

/** Adds a photo, removes one, or moves the first to the end. */
function planPhotos({ chance }: Selling, seen: SeenListing): Edit | undefined {
  const images = seen.images.toSorted((a, b) => a.rank - b.rank);
  const [first, ...others] = images;
  const way = chance.pick(['more', 'less', 'turned'] as const);
  if (way === 'more' || !first || others.length === 0) {
    if (images.length >= MOST_PHOTOS) return undefined;
    const ids = images.map(({ listing_image_id }) => ({ listing_image_id }));
    const value = [...listPhotos(seen), 'none'].join(',');
    return { body: { images: [...ids, {}] }, field: 'photos', value };
  }
  const left = way === 'less' ? others : [...others, first];
  const ids = left.map(({ listing_image_id }) => ({ listing_image_id }));
  const value = listPhotos({ ...seen, images: left.map((image, rank) => ({ ...image, rank })) }).join(',');
  // The order of two identical ones is not visible.
  if (value === listPhotos(seen).join(',')) return undefined;
  return { body: { images: ids }, field: 'photos', value };
}

/** Adds a file, or removes one if another stays: a digital listing has at least one. */
function planFiles(selling: Selling, { files }: SeenListing): Edit | undefined {
  const { chance } = selling;
  if (files.length === 0) return undefined;
  const ids = files.map(({ listing_file_id }) => ({ listing_file_id }));
  const names = files.map((file) => file.name);
  const isLess = chance.oneIn(2);
  if (isLess && files.length > 1) {
    const at = chance.below(files.length);
    return { body: { files: ids.toSpliced(at, 1) }, field: 'files', value: names.toSpliced(at, 1).join(',') };
  }
  if (files.length >= MOST_FILES) return undefined;
  const added = `by-hand-${selling.planned.number}-${selling.deeds}.txt`;
  return { body: { files: [...ids, { name: added }] }, field: 'files', value: [...names, added].join(',') };
}

/** Another value of one attribute, or none. */
function planAttribute({ chance }: Selling, seen: SeenListing): Edit | undefined {
  const field = chance.pick(['color', 'occasion'] as const);
  const { property_id } = ATTRIBUTES[field];
  const is = seen.properties.find((one) => one.property_id === property_id)?.values.join(',') ?? '';
  if (is !== '' && chance.oneIn(4))
    return { body: { attributes: { [property_id]: null } }, field, value: '' };
  const [value, value_id] = chance.pick(MANUAL_VALUES[field]);
  if (value === is) return undefined;
  const attribute = { values: [value], value_ids: [value_id] };
  return { body: { attributes: { [property_id]: attribute } }, field, value };
}

/** Changes the stock of one, or the price of the second or whether it is offered. Not for sold-out listings. */
function planCombination(selling: Selling, { state, inventory }: SeenListing): Edit | undefined {
  const { chance } = selling;
  const { products } = inventory;
  const [first, second] = products;
  const way = chance.pick(['stock', 'other_price', 'is_offered'] as const);
  if (!first || state === 'sold_out' || state === 'expired') return undefined;
  if (way === 'stock' || !second) {
    const at = chance.below(products.length);
    const quantity = chance.between(1, MOST_PIECES);
    const stock = products.map(({ offering }) => offering.quantity);
    const body = { products: [{ ...name(selling, at), quantity }] };
    return { body, field: 'stock', value: stock.with(at, quantity).join(',') };
  }
  if (way === 'other_price') {
    const value = buildValue(selling, 'price', 'hand');
    return { body: { products: [{ ...name(selling, 1), price: value }] }, field: way, value };
  }
  const isEnabled = !second.offering.is_enabled;
  // Something must be left to buy.
  if (!isEnabled && first.offering.quantity === 0) return undefined;
  return {
    body: { products: [{ ...name(selling, 1), is_enabled: isEnabled }] },
    field: way,
    value: String(isEnabled),
  };
}

import {
  FIELD_GROUPS,
  LISTING_FIELDS,
  type FieldLabel,
  type FieldRow,
} from '../../../schemas/listing_fields.js';

/** By the name in the marketplace's form too, as some sentences have it. */
const LISTING_WORDS = Object.fromEntries(
  Object.entries<FieldRow>(LISTING_FIELDS).flatMap(([field, { path = field, label }]) => [
    [field, label],
    [path.split('.').at(-1) ?? field, label],
  ]),
);

/** Words for a field, by the last name in its path in a request. */
const WORDS: Record<string, FieldLabel> = {
  ...LISTING_WORDS,
  ...FIELD_GROUPS,
  alt_text: { one: 'description of the picture' },
  category_attributes: { one: 'category detail', many: 'category details' },
  currency_code: { one: 'currency' },
  digital_files: { one: 'file', many: 'files for buyers' },
  enabled: { one: 'switch' },
  events: { one: 'event', many: 'events' },
  file: { one: 'file' },
  images: { one: 'photo', many: 'photos' },
  instructions: { one: 'instructions to the buyer' },
  is_required: { one: 'note that it is required' },
  listing: { one: 'listing' },
  mapping: { one: 'choice of photos' },
  max_chars: { one: 'most characters' },
  name: { one: 'name' },
  offerings: { one: 'combination', many: 'combinations' },
  personalization: { one: 'personalization' },
  properties: { one: 'option', many: 'options' },
  property_id: { one: 'option' },
  rank: { one: 'place in the order' },
  scale_id: { one: 'scale' },
  shop_id: { one: 'shop' },
  shops: { one: 'shop', many: 'shops' },
  sku_new: { one: 'new SKU' },
  state: { one: 'state' },
  stock: { one: 'stock' },
  url: { one: 'file' },
  value_ids: { one: 'value', many: 'values' },
  values: { one: 'value', many: 'values' },
  variation_images: { one: 'photos of the variations' },
  variations: { one: 'variations' },
  videos: { one: 'video', many: 'videos' },
};

/** Parts of a path that are left out for a seller when more parts follow. */
const OMITTED = new Set(['listing', 'changes', 'variations', 'url', 'shop_id', 'property_id']);

const COMBINATION = 'variations.offerings[';

type Part = { name: string; index: number | undefined };

/** `shops[0].shop_section_id` as `shop 1, section`; `listing.tags` as `tags`; `images` as `photos`. */
export function toFieldWords(path: string): string {
  const parts = readParts(path);
  const shown = parts.filter(({ name, index }, place) => {
    const is_alone = parts.length === 1;
    return is_alone || !OMITTED.has(name) || (index !== undefined && place < parts.length - 1);
  });
  return (shown.length > 0 ? shown : parts.slice(-1)).map(toPartWords).join(', ');
}

/** Whether the words for the path are plural, for the verb that follows. */
export function isPlural(path: string): boolean {
  const last = readParts(path).at(-1);
  return last !== undefined && last.index === undefined && WORDS[last.name]?.many !== undefined;
}

/** One of what a field names: `shipping profile`. */
export function toFieldNoun(name: string): string {
  return (Object.hasOwn(WORDS, name) ? WORDS[name]?.one : undefined) ?? toPlain(name);
}

export function isFieldName(name: string): boolean {
  return Object.hasOwn(WORDS, name);
}

function readParts(path: string): Part[] {
  // A combination is named by its values, which may have dots.
  const end = path.lastIndexOf('].');
  if (path.startsWith(COMBINATION) && end !== -1) {
    const values = path.slice(COMBINATION.length, end);
    if (values.includes(': ')) return [{ name: values, index: undefined }, ...readParts(path.slice(end + 2))];
  }
  return path.split('.').map((text) => {
    const [, name = text, index] = /^(\w+)\[(\d+)\]$/.exec(text) ?? [];
    return { name, index: index === undefined ? undefined : Number(index) };
  });
}

function toPartWords({ name, index }: Part): string {
  const word = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
  if (index !== undefined) return `${word?.one ?? toPlain(name)} ${index + 1}`;
  return word?.many ?? word?.one ?? toPlain(name);
}

/** Plain words for a field that is not in WORDS: a category's property by its id, or a seller's own name. */
function toPlain(name: string): string {
  return name.replaceAll('_', ' ');
}

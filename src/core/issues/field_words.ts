import type { Issue, Path } from '../../../schemas/issue.js';
import {
  FIELD_GROUPS,
  LISTING_FIELDS,
  type FieldLabel,
  type FieldRow,
} from '../../../schemas/listing_fields.js';

/** Also by the field's name in the marketplace's form, which some sentences use. */
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
  alt_text: { one: 'alt text' },
  category_attributes: { one: 'attribute', many: 'attributes' },
  currency_code: { one: 'currency' },
  digital_files: { one: 'file', many: 'digital files' },
  enabled: { one: 'visibility' },
  events: { one: 'event', many: 'events' },
  file: { one: 'file' },
  images: { one: 'photo', many: 'photos' },
  instructions: { one: 'instructions for buyers' },
  is_required: { one: 'required or optional' },
  listing: { one: 'listing' },
  mapping: { one: 'photo' },
  max_chars: { one: 'character limit' },
  name: { one: 'name' },
  offerings: { one: 'variation', many: 'variations' },
  personalization: { one: 'personalization' },
  properties: { one: 'option', many: 'options' },
  property_id: { one: 'option' },
  rank: { one: 'position' },
  scale_id: { one: 'scale' },
  shop_id: { one: 'shop' },
  shops: { one: 'shop', many: 'shops' },
  sku_new: { one: 'new SKU' },
  state: { one: 'status' },
  stock: { one: 'stock' },
  url: { one: 'file' },
  value_ids: { one: 'value', many: 'values' },
  values: { one: 'value', many: 'values' },
  variation_images: { one: 'variation photos' },
  variations: { one: 'variations' },
  videos: { one: 'video', many: 'videos' },
};

/** Parts of a path that are left out for a seller if more parts follow. */
const OMITTED = new Set([
  'listing',
  'changes',
  'mapping',
  'overrides',
  'variations',
  'url',
  'shop_id',
  'property_id',
]);

const COMBINATION = 'variations.offerings[';

/** One attribute, by its id, which means nothing to a seller. */
const ATTRIBUTE = /\bcategory_attributes\.\d+/;

type Part = { name: string; index: number | undefined; shop_name?: string };

const OF_SHOP = /^((?:changes\.)?shops)\[\d+\]/;

/** The path with the shop's name in place of its position: `shops[=ClayAndOak].price`. */
export function nameShop({ at, shop_name }: Pick<Issue, 'at' | 'shop_name'>): Path {
  if (shop_name === undefined) return at;
  const name = shop_name.replace(/[%.[\]]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return at.replace(OF_SHOP, (_, shops: string) => `${shops}[=${name}]`);
}

/** `shops[0].shop_section_id` as `shop 1, section`, or `ClayAndOak, section` if the shop is named; `listing.tags` as `tags`; `images` as `photos`. */
export function toFieldWords(path: string): string {
  const parts = readParts(path);
  const shown = parts.filter(({ name, index }, place) => {
    const isAlone = parts.length === 1;
    return isAlone || !OMITTED.has(name) || (index !== undefined && place < parts.length - 1);
  });
  return (shown.length > 0 ? shown : parts.slice(-1)).map(toPartWords).join(', ');
}

/** A single item of the field: `shipping profile`. */
export function toFieldNoun(name: string): string {
  return (Object.hasOwn(WORDS, name) ? WORDS[name]?.one : undefined) ?? toPlain(name);
}

function readParts(path: string): Part[] {
  // A combination is named by its values, which may have dots.
  const end = path.lastIndexOf('].');
  if (path.startsWith(COMBINATION) && end !== -1) {
    const values = path.slice(COMBINATION.length, end);
    if (values.includes(': ')) return [{ name: values, index: undefined }, ...readParts(path.slice(end + 2))];
  }
  return path
    .replace(ATTRIBUTE, 'attribute')
    .split('.')
    .map((text) => {
      const [, shop] = /^shops\[=(.*)\]$/s.exec(text) ?? [];
      if (shop !== undefined) return { name: 'shops', index: undefined, shop_name: decodeURIComponent(shop) };
      const [, name = text, index] = /^(\w+)\[(\d+)\]$/.exec(text) ?? [];
      return { name, index: index === undefined ? undefined : Number(index) };
    });
}

function toPartWords({ name, index, shop_name }: Part): string {
  if (shop_name !== undefined) return shop_name;
  const word = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
  if (index !== undefined) return `${word?.one ?? toPlain(name)} ${index + 1}`;
  return word?.many ?? word?.one ?? toPlain(name);
}

/** Plain words for a field that is not in WORDS: a seller’s own name. */
function toPlain(name: string): string {
  return name.replaceAll('_', ' ');
}

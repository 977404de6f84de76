/** Fields of a listing in a seller's words. `many`: for a list as a whole. */
type FieldWord = { one: string; many?: string };

/** Words for a field, by the last name in its path in a request. */
const WORDS: Record<string, FieldWord> = {
  alt_text: { one: 'description of the picture' },
  category_attributes: { one: 'category detail', many: 'category details' },
  currency_code: { one: 'currency' },
  description: { one: 'description' },
  digital_files: { one: 'file', many: 'files for buyers' },
  enabled: { one: 'switch' },
  events: { one: 'event', many: 'events' },
  file: { one: 'file' },
  images: { one: 'photo', many: 'photos' },
  instructions: { one: 'instructions to the buyer' },
  is_customizable: { one: 'note that it can be customized' },
  is_required: { one: 'note that it is required' },
  is_supply: { one: 'note whether it is a craft supply' },
  is_taxable: { one: 'tax setting' },
  item_dimensions_unit: { one: 'unit of the size' },
  item_height: { one: 'height' },
  item_length: { one: 'length' },
  item_weight: { one: 'weight' },
  item_weight_unit: { one: 'unit of the weight' },
  item_width: { one: 'width' },
  listing: { one: 'listing' },
  listing_type: { one: 'kind (physical or digital)' },
  mapping: { one: 'choice of photos' },
  materials: { one: 'material', many: 'materials' },
  max_chars: { one: 'most characters' },
  name: { one: 'name' },
  offerings: { one: 'combination', many: 'combinations' },
  personalization: { one: 'personalization' },
  price: { one: 'price' },
  processing_max: { one: 'longest processing time' },
  processing_min: { one: 'shortest processing time' },
  processing_profile_id: { one: 'processing profile' },
  production_partner_ids: { one: 'production partner', many: 'production partners' },
  properties: { one: 'option', many: 'options' },
  property_id: { one: 'option' },
  quantity: { one: 'stock' },
  rank: { one: 'place in the order' },
  readiness_state_id: { one: 'processing profile' },
  return_policy_id: { one: 'return policy' },
  scale_id: { one: 'scale' },
  shipping_profile_id: { one: 'shipping profile' },
  shop_id: { one: 'shop' },
  shop_section_id: { one: 'section' },
  shops: { one: 'shop', many: 'shops' },
  should_auto_renew: { one: 'renewal' },
  sku: { one: 'SKU' },
  sku_new: { one: 'new SKU' },
  state: { one: 'state' },
  stock: { one: 'stock' },
  styles: { one: 'style', many: 'styles' },
  tags: { one: 'tag', many: 'tags' },
  taxonomy_id: { one: 'category' },
  title: { one: 'title' },
  url: { one: 'file' },
  value_ids: { one: 'value', many: 'values' },
  values: { one: 'value', many: 'values' },
  variation_images: { one: 'photos of the variations' },
  variations: { one: 'variations' },
  videos: { one: 'video', many: 'videos' },
  when_made: { one: 'year of making' },
  who_made: { one: 'maker' },
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

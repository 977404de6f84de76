/**
 * `question`: the question to buyers; `words`: the translations; `stock`: of each product; `price`: of the
 * first product; `other_price` and `is_offered`: of the second, if there are two; `color` and `occasion`:
 * attributes of its category.
 */
export const FIELDS = [
  'title',
  'price',
  'stock',
  'state',
  'photos',
  'video',
  'question',
  'files',
  'words',
  'other_price',
  'is_offered',
  'color',
  'occasion',
] as const;

export type Field = (typeof FIELDS)[number];

/** The attributes that are fields, by property. */
export const ATTRIBUTES = {
  color: { property_id: 200, name: 'Primary color' },
  occasion: { property_id: 46_803_063_641, name: 'Occasion' },
} as const;

/** The combinations of a listing with variations, by the values of Size. */
export const COMBINATIONS = ['Small', 'Large'] as const;

export type Value = string | number;

/** Replaces an earlier value that was open. */
export const UNKNOWN = '?';

/** Fields whose displayed value differs from the actual one. */
export const MEDIA = ['photos', 'video', 'files'] as const;

/** Nor for stock, which is reported per product. */
export const HIDDEN = [...MEDIA, 'stock'] as const;

export function isHidden(field: string): field is (typeof HIDDEN)[number] {
  return (HIDDEN as readonly string[]).includes(field);
}

export function isMedia(field: string): field is (typeof MEDIA)[number] {
  return (MEDIA as readonly string[]).includes(field);
}

/** Undefined if the displayed value differs from the actual one. */
export function toValue(name: string, shown: unknown): Value | undefined {
  if (name.startsWith('personalization')) {
    return name.endsWith('.instructions') ? ((shown ?? '') as Value) : undefined;
  }
  if (name.startsWith('category_attributes')) return Array.isArray(shown) ? shown.join(',') : '';
  return typeof shown === 'string' || typeof shown === 'number' ? shown : undefined;
}

export function toField(name: string): Field | undefined {
  if (name.startsWith('translations')) return 'words';
  if (name.startsWith('personalization')) return 'question';
  if (name.startsWith('images')) return 'photos';
  if (name.startsWith('videos')) return 'video';
  if (name.startsWith('digital_files')) return 'files';
  if (name.startsWith('category_attributes')) return toAttribute(name);
  if (name.startsWith(`variations.offerings[Size: ${COMBINATIONS[1]}]`)) {
    if (name.endsWith('price')) return 'other_price';
    if (name.endsWith('enabled')) return 'is_offered';
  }
  if (name.endsWith('title')) return 'title';
  if (name.endsWith('price')) return 'price';
  if (name.endsWith('quantity')) return 'stock';
  return name.endsWith('state') ? 'state' : undefined;
}

/** Shown by name, or by id if the names of the category are unknown. */
function toAttribute(name: string): 'color' | 'occasion' | undefined {
  return (['color', 'occasion'] as const).find((field) => {
    const { property_id, name: shown } = ATTRIBUTES[field];
    return name.endsWith(`.${shown}`) || name.endsWith(`.${property_id}`);
  });
}

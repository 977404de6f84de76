/**
 * `question`: what buyers are asked; `words`: the translations; `stock`: of each of its products; `price`: of the first of them;
 * `other_price` and `is_offered`: of the second, where there are two; `color` and `occasion`: attributes of its category.
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

/** The combinations of what has variations, by the values of Size. */
export const COMBINATIONS = ['Small', 'Large'] as const;

export type Value = string | number;

/** What was there before a change was open. */
export const UNKNOWN = '?';

/** What is shown of them is not what they are. */
export const MEDIA = ['photos', 'video', 'files'] as const;

/** Nor of stock, which is told by product. */
export const HIDDEN = [...MEDIA, 'stock'] as const;

export function isHidden(field: string): field is (typeof HIDDEN)[number] {
  return (HIDDEN as readonly string[]).includes(field);
}

export function isMedia(field: string): field is (typeof MEDIA)[number] {
  return (MEDIA as readonly string[]).includes(field);
}

/** Undefined where it is shown otherwise than it is. */
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

/** It is told by its name, or by its id where the names of the category are not known. */
function toAttribute(name: string): 'color' | 'occasion' | undefined {
  return (['color', 'occasion'] as const).find((field) => {
    const { property_id, name: shown } = ATTRIBUTES[field];
    return name.endsWith(`.${shown}`) || name.endsWith(`.${property_id}`);
  });
}

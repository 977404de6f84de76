/** `question`: what buyers are asked; `words`: the translations; `stock`: of each of its products. */
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
] as const;

export type Field = (typeof FIELDS)[number];

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
  return typeof shown === 'string' || typeof shown === 'number' ? shown : undefined;
}

export function toField(name: string): Field | undefined {
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

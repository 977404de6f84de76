import { createHash } from 'node:crypto';
import { formatCount } from '../../../../core/text/format_count.js';
import { toFileName } from '../../../components/file_address.js';
import { readNumber } from '../../changes/numbers.js';
import { MORE_FIELDS } from './more/fields.js';
import type { Values } from './values.js';

/* A form is based on a version of the listing. Each of its parts carries a digest of that version, to
   distinguish parts that someone else has changed since from those that the seller changed. */

/** The fields of each part, by name prefix, and the name of the part. */
const PARTS = {
  title: { label: 'Title', names: ['title'] },
  description: { label: 'Description', names: ['description'] },
  tags: { label: 'Tags', names: ['tags'] },
  materials: { label: 'Materials', names: ['materials'] },
  category: { label: 'Category', names: ['category_id', 'attribute_'] },
  making: { label: 'About this item', names: ['listing_type', 'who_made', 'when_made', 'is_supply'] },
  photos: { label: 'Photos', names: ['photo', 'photo_alt'] },
  files: { label: 'Files', names: ['digital'] },
  video: { label: 'Video', names: ['video'] },
  prices: { label: 'Prices', names: ['price_'] },
  stock: { label: 'Stock and SKU', names: ['quantity', 'sku'] },
  variations: { label: 'Variations', names: ['option_', 'row', 'row_', 'pictured', 'picture', 'picture_of'] },
  more: { label: 'More details', names: [...MORE_FIELDS, 'personalization', 'personalization_'] },
  shops: { label: 'Shops', names: ['shop', 'shipping_', 'returns_', 'processing_', 'section_', 'partners_'] },
} as const satisfies Record<string, { label: string; names: readonly string[] }>;
export type PartName = keyof typeof PARTS;

const NAMES = Object.keys(PARTS) as PartName[];

/** Text fields and choices that a browser sends even if they are blank. */
const ALWAYS_SENT: ReadonlySet<string> = new Set(
  (['title', 'description', 'tags', 'materials', 'making', 'stock', 'more'] as const).flatMap(
    (part) => PARTS[part].names,
  ),
);

export function toPartLabel(part: PartName): string {
  return PARTS[part].label;
}

/** The values of a part: their order counts only if it matters in the form. */
function digest(values: Values, part: PartName): string {
  const ticked = new Set(values.getAll('shop'));
  // The form has the profiles of shops that are not ticked, too.
  const isOfOther = (name: string) =>
    part === 'shops' && name !== 'shop' && !ticked.has(name.slice(name.lastIndexOf('_') + 1));
  const names = [...new Set(values.keys())].filter((name) => isOf(name, part) && !isOfOther(name)).sort();
  const fields = names.flatMap((name) => {
    const isNumber = /^(?:price_|row_price_|quantity$|row_stock$)/.test(name);
    const all = values
      .getAll(name)
      .map((value) => value.replaceAll('\r\n', '\n').trim())
      .map((value) => (isNumber ? String(readNumber(value) ?? value) : value));
    const isUnordered = /^(?:attribute_|partners_|row_on$|shop$)/.test(name);
    return all.every((value) => value === '') ? [] : [[name, ...(isUnordered ? all.sort() : all)]];
  });
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 16);
}

function isOf(name: string, part: PartName): boolean {
  return PARTS[part].names.some((own) => (own.endsWith('_') ? name.startsWith(own) : name === own));
}

/**
 * The field `base` of a form made from these values.
 * @param open parts in conflict, which keep their earlier base until the seller saves them
 */
export function writeBase(values: Values, open: readonly PartName[] = [], earlier = ''): string {
  const made = readBase(earlier);
  return NAMES.map(
    (part) => `${part}:${(open.includes(part) && made.get(part)) || digest(values, part)}`,
  ).join(' ');
}

function readBase(base: string): Map<string, string> {
  return new Map(
    base.split(' ').flatMap((entry) => (entry === '' ? [] : [entry.split(':') as [string, string]])),
  );
}

/** The parts in which the form differs from the saved listing. */
export function listEdited(given: Values, saved: Values): PartName[] {
  return NAMES.filter((part) => digest(given, part) !== digest(saved, part));
}

/**
 * Copies the parts that only someone else changed into the form.
 * @returns `taken`, and `conflicts`: the parts that both changed differently, of which the form keeps the
 * seller's version
 */
export function takeOthers(
  given: Values,
  saved: Values,
  base: string,
): Record<'taken' | 'conflicts', PartName[]> {
  const made = readBase(base);
  keepMissing(given, saved, made);
  const moved = NAMES.filter((part) => {
    const was = made.get(part);
    return was !== undefined && digest(saved, part) !== was && digest(saved, part) !== digest(given, part);
  });
  const conflicts = moved.filter((part) => digest(given, part) !== made.get(part));
  const taken = moved.filter((part) => !conflicts.includes(part));
  for (const part of taken) takePart(given, saved, part);
  return { taken, conflicts };
}

/** A form from before a part or a text field existed leaves it as saved. Fields that may be missing because they are empty are those of `made`. */
function keepMissing(given: Values, saved: Values, made: ReadonlyMap<string, string>): void {
  for (const part of NAMES) if (made.size > 0 && !made.has(part)) takePart(given, saved, part);
  for (const [name, value] of saved) if (ALWAYS_SENT.has(name) && !given.has(name)) given.set(name, value);
}

/** Replaces a part of the form with that of the saved listing. */
export function takePart(given: Values, saved: Values, part: PartName): void {
  for (const name of new Set(given.keys())) if (isOf(name, part)) given.delete(name);
  for (const [name, value] of saved) if (isOf(name, part)) given.append(name, value);
}

export function isPart(name: string): name is PartName {
  return Object.hasOwn(PARTS, name);
}

/** The name of the part that a field of the page is in, by the field's id. */
export function findPartLabel(id: string): string | undefined {
  // `photo_0` is the first photo.
  const names = [id, id.split('_').slice(0, -1).join('_')];
  const part = NAMES.find((own) => id === `${own}-part` || names.some((name) => isOf(name, own)));
  return part && PARTS[part].label;
}

/** The values of a part as readable text. */
export function readTextOf(values: Values, part: PartName): string {
  if (part === 'photos') return formatCount(values.getAll('photo').length, 'photo');
  if (part === 'files') return formatCount(values.getAll('digital').length, 'file');
  if (part === 'video') return values.getAll('video').map(toFileName).join(', ') || 'None';
  if (part === 'variations') {
    const names = values.getAll('option_name');
    const lists = values.getAll('option_values').map((text) => text.split('\n').join(', '));
    return names.map((name, index) => `${name}: ${lists[index] ?? ''}`).join('\n') || 'None';
  }
  if (part === 'category' || part === 'making' || part === 'shops' || part === 'more') return 'Other choices';
  const all = [...values].filter(([name, value]) => isOf(name, part) && value !== '');
  return all.map(([, value]) => value).join(' · ') || 'None';
}

import type { ListingAttribute } from '../../ports/marketplace_listing.js';
import { isSameValue } from './difference.js';
import type { FieldDifference, FieldRef } from '../../../../schemas/field_ref.js';
import type { IdNames } from '../../ports/listing/difference.js';

/** Compares by property, and values by name if they have any, since not every value has an id. */
export function compareAttributes(
  before: readonly ListingAttribute[],
  after: readonly ListingAttribute[],
  names: IdNames,
): FieldDifference[] {
  const ids = new Set([...before, ...after].map(({ property_id }) => property_id));
  return [...ids].flatMap((id): FieldDifference[] => {
    const [a, b] = [before, after].map((all) => all.find(({ property_id }) => property_id === id));
    if (a && b && isSameAttribute(a, b)) return [];
    const hasOtherScale = a !== undefined && b !== undefined && getScale(a) !== getScale(b);
    const show = (one: ListingAttribute | undefined) => (one ? toWords(one, hasOtherScale) : null);
    return [{ ref: toAttributeRef(id, names), before: show(a), after: show(b), kind: 'set' }];
  });
}

export function toAttributeRef(id: number, names: IdNames): FieldRef {
  return { part: 'attributes', id, name: names[`category_attributes ${id}`] ?? String(id) };
}

function isSameAttribute(a: ListingAttribute, b: ListingAttribute): boolean {
  return getScale(a) === getScale(b) && isSameValue(toSorted(a), toSorted(b));
}

function getScale({ scale_id }: ListingAttribute): number | null {
  return scale_id ?? null;
}

/** Unordered: a property with several values has a set of them. */
function toSorted({ values, value_ids }: ListingAttribute): string[] {
  const words = values.length > 0 ? values.map((value) => value.toLowerCase()) : value_ids.map(String);
  return words.toSorted((a, b) => (a < b ? -1 : 1));
}

/** Shows the scale if the scale differs. */
function toWords(attribute: ListingAttribute, hasScale: boolean): unknown {
  const { values, value_ids } = attribute;
  const words = values.length > 0 ? values : value_ids;
  return hasScale ? { values: words, scale_id: getScale(attribute) } : words;
}

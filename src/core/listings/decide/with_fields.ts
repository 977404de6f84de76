import type { Inventory, ListingAttribute } from '../../ports/marketplace_listing.js';
import {
  indexProducts,
  toProductKey,
  OFFERING_FIELDS,
  toOfferingRef,
} from '../snapshot/compare_inventory.js';
import { isSameRef } from '../snapshot/field_refs.js';
import { toAttributeRef } from '../snapshot/compare_attributes.js';
import type { FieldRef } from '../../../../schemas/field_ref.js';
import type { IdNames } from '../../ports/listing/difference.js';
import type { ListingSnapshot } from '../../ports/listing/snapshot.js';

type Snapshot = Partial<ListingSnapshot>;

/** A snapshot with the values of these fields from another one. */
export function withFields(
  own: Snapshot,
  other: Snapshot,
  refs: readonly FieldRef[],
  names: IdNames,
): Snapshot {
  const { listing, inventory, attributes } = own;
  const whole = WHOLE.filter((part) => own[part] && other[part] && refs.some((ref) => ref.part === part));
  return {
    ...own,
    ...Object.fromEntries(whole.map((part) => [part, other[part]])),
    ...(listing && other.listing && { listing: withListingFields(listing, other.listing, refs) }),
    ...(inventory && other.inventory && { inventory: withInventoryFields(inventory, other.inventory, refs) }),
    ...(attributes &&
      other.attributes && { attributes: withAttributes(attributes, other.attributes, refs, names) }),
  };
}

/** Parts that are compared field by field and written whole. */
const WHOLE = ['images', 'videos', 'files', 'questions', 'translations', 'variation_images'] as const;

function withListingFields(
  own: ListingSnapshot['listing'],
  other: ListingSnapshot['listing'],
  refs: readonly FieldRef[],
): ListingSnapshot['listing'] {
  const fields = refs.flatMap((ref) => (ref.part === 'fields' ? [ref.field] : []));
  return { ...own, ...Object.fromEntries(fields.map((field) => [field, other[field]])) };
}

/**
 * The inventory with these fields of the other one; if combinations were added or removed manually, the whole other
 * one.
 */
function withInventoryFields(own: Inventory, other: Inventory, refs: readonly FieldRef[]): Inventory {
  const there = indexProducts(other);
  const isSame =
    own.products.length === there.size && own.products.every((product) => there.has(toProductKey(product)));
  if (!isSame) return other;
  const products = own.products.map((product) => {
    const theirs = there.get(toProductKey(product)) ?? product;
    const differing = OFFERING_FIELDS.filter((field) =>
      refs.some((ref) => isSameRef(ref, toOfferingRef(product, field))),
    );
    return { ...product, ...Object.fromEntries(differing.map((field) => [field, theirs[field]])) };
  });
  return { ...own, products };
}

function withAttributes(
  own: readonly ListingAttribute[],
  other: readonly ListingAttribute[],
  refs: readonly FieldRef[],
  names: IdNames,
): ListingAttribute[] {
  const isOther = ({ property_id }: ListingAttribute) =>
    refs.some((ref) => isSameRef(ref, toAttributeRef(property_id, names)));
  return [...own.filter((attribute) => !isOther(attribute)), ...other.filter(isOther)];
}

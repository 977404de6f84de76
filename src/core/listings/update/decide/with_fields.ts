import type { Inventory, ListingAttribute } from '../../../ports/marketplace_listing.js';
import type { IdNames } from '../../snapshot/compare.js';
import { toAttributePath } from '../../snapshot/compare_attributes.js';
import { indexProducts, toFieldPath, toProductKey } from '../../snapshot/compare_inventory.js';
import type { ListingSnapshot } from '../../snapshot/snapshot.js';

type Snapshot = Partial<ListingSnapshot>;

/** A snapshot, with the values of these fields from another one. */
export function withFields(
  own: Snapshot,
  other: Snapshot,
  fields: ReadonlySet<string>,
  names: IdNames,
): Snapshot {
  const { listing, inventory, attributes } = own;
  const whole = Object.entries(WHOLE).filter(([start]) =>
    [...fields].some((field) => field.startsWith(start)),
  );
  return {
    ...own,
    ...Object.fromEntries(
      whole.flatMap(([, part]) => (own[part] && other[part] ? [[part, other[part]]] : [])),
    ),
    ...(listing && other.listing && { listing: withListingFields(listing, other.listing, fields) }),
    ...(inventory &&
      other.inventory && { inventory: withInventoryFields(inventory, other.inventory, fields) }),
    ...(attributes &&
      other.attributes && { attributes: withAttributes(attributes, other.attributes, fields, names) }),
  };
}

/** Parts whose fields are told one by one and written together, by how the names of their fields start. */
const WHOLE = {
  images: 'images',
  videos: 'videos',
  digital_files: 'files',
  personalization: 'questions',
  translations: 'translations',
  'variations.variation_images': 'variation_images',
} as const;

function withListingFields(
  own: ListingSnapshot['listing'],
  other: ListingSnapshot['listing'],
  fields: ReadonlySet<string>,
): ListingSnapshot['listing'] {
  const isOther = (key: string) => fields.has(`listing.${key}`) || fields.has(`shops[].${key}`);
  return { ...own, ...Object.fromEntries(Object.entries(other).filter(([key]) => isOther(key))) };
}

/** The inventory with these fields of the other one; when combinations were added or removed by hand, the whole other one. */
function withInventoryFields(own: Inventory, other: Inventory, fields: ReadonlySet<string>): Inventory {
  const there = indexProducts(other);
  const isSame =
    own.products.length === there.size && own.products.every((product) => there.has(toProductKey(product)));
  if (!isSame) return other;
  const products = own.products.map((product) => {
    const theirs = there.get(toProductKey(product)) ?? product;
    const differing = FIELDS.filter((field) => fields.has(toFieldPath(product, field)));
    return { ...product, ...Object.fromEntries(differing.map((field) => [field, theirs[field]])) };
  });
  return { ...own, products };
}

const FIELDS = ['price', 'quantity', 'sku', 'is_enabled', 'readiness_state_id'] as const;

function withAttributes(
  own: readonly ListingAttribute[],
  other: readonly ListingAttribute[],
  fields: ReadonlySet<string>,
  names: IdNames,
): ListingAttribute[] {
  const isOther = ({ property_id }: ListingAttribute) => fields.has(toAttributePath(property_id, names));
  return [...own.filter((attribute) => !isOther(attribute)), ...other.filter(isOther)];
}

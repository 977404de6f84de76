import type { Inventory, ListingAttribute } from '../../../ports/marketplace_listing.js';
import { compareSnapshots, type IdNames } from '../../snapshot/compare.js';
import { toAttributePath } from '../../snapshot/compare_attributes.js';
import { indexProducts, toFieldPath, toProductKey } from '../../snapshot/compare_inventory.js';
import type { ListingSnapshot } from '../../snapshot/snapshot.js';
import type { Changing } from './changing.js';
import { listKnownIds } from './steps/media_ids.js';

type Snapshot = Partial<ListingSnapshot>;

/**
 * Removes fields that were edited by hand from the result of a change that met drift after some of it may have been written. They
 * are then neither reported as changed by it nor undone, and count as not seen yet, so that the next change refuses to overwrite
 * them too. Call it after the last write, and commit it with the end of the change: a later run would take the edits for the state
 * before.
 */
export function leaveDrift(changing: Changing): void {
  const { progress, update } = changing;
  const { before, after, failure } = progress;
  if (!failure?.drift || !before || !after) return;
  const fields = new Set(failure.drift.map(({ field }) => field));
  const known = listKnownIds(changing, 'images');
  const foreign = (after.images ?? []).filter(({ listing_image_id }) => !known.has(listing_image_id));
  progress.seen = {
    ...withFields(after, before, fields, update.names),
    ...(after.images && { images: after.images.filter((image) => !foreign.includes(image)) }),
  };
  progress.before = {
    ...withFields(before, after, fields, update.names),
    ...(before.images && { images: [...before.images, ...foreign] }),
  };
  progress.diff = compareSnapshots(progress.before, after, update.names);
}

/** A snapshot, with the values of these fields from another one. */
function withFields(own: Snapshot, other: Snapshot, fields: ReadonlySet<string>, names: IdNames): Snapshot {
  const { listing, inventory, attributes } = own;
  const hasQuestionFields = [...fields].some((field) => field.startsWith('personalization'));
  return {
    ...own,
    ...(listing && other.listing && { listing: withListingFields(listing, other.listing, fields) }),
    ...(inventory &&
      other.inventory && { inventory: withInventoryFields(inventory, other.inventory, fields) }),
    ...(attributes &&
      other.attributes && { attributes: withAttributes(attributes, other.attributes, fields, names) }),
    ...(hasQuestionFields && own.questions && other.questions && { questions: other.questions }),
  };
}

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

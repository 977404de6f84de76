import type { Warning } from '../../../../../schemas/job.js';
import type { Inventory, ListingAttribute } from '../../../ports/marketplace_listing.js';
import { compareSnapshots, type IdNames } from '../../snapshot/compare.js';
import { toAttributePath } from '../../snapshot/compare_attributes.js';
import { indexProducts, toFieldPath, toProductKey } from '../../snapshot/compare_inventory.js';
import { listShownIds } from '../../snapshot/shown_ids.js';
import type { ListingSnapshot } from '../../snapshot/snapshot.js';
import { isRelated } from '../decide/related.js';
import type { UpdateProgress } from '../plan.js';
import type { Changing } from './changing.js';
import { findTurned, putInOrder } from './photo_order.js';
import { listKnownIds } from './steps/media_ids.js';

type Snapshot = Partial<ListingSnapshot>;

/** What a change says of edits by hand that it is to write over. */
export function listOverwriting({ warnings }: Pick<UpdateProgress, 'warnings'>): Warning[] {
  return warnings.filter(({ code }) => code === 'overwritten');
}

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
  const own = after.images?.filter((image) => !foreign.includes(image));
  const is_turned = findTurned(changing, after.images ?? []) !== undefined;
  const all = before.images && [...before.images, ...foreign];
  progress.seen = {
    ...withFields(progress.seen ?? after, before, fields, update.names),
    ...(own && { images: is_turned ? putInOrder(own, listShownIds(before, 'images') ?? []) : own }),
  };
  progress.before = {
    ...withFields(before, after, fields, update.names),
    ...(all && { images: is_turned ? putInOrder(all, listShownIds(after, 'images') ?? []) : all }),
  };
  progress.diff = compareSnapshots(progress.before, after, update.names);
}

/**
 * Edits by hand that a change was told to write over, and that it failed to: they are not told as overwritten, and count as not seen
 * yet, so that a change that is not told to write over them refuses. Call it after the last write, and commit it with the end.
 */
export function leaveUnwritten({ progress, update, baseline }: Changing): void {
  const { before, after, failure } = progress;
  if (!failure || !before || !after || !baseline) return;
  const written = compareSnapshots(before, after, update.names);
  const open = listOverwriting(progress).filter(
    ({ fields }) => !written.some(({ field }) => fields.some((other) => isRelated(field, other))),
  );
  if (open.length === 0) return;
  progress.warnings = progress.warnings.filter((warning) => !open.includes(warning));
  const fields = new Set(open.flatMap((warning) => warning.fields));
  progress.seen = withFields(progress.seen ?? after, baseline, fields, update.names);
}

/** A snapshot, with the values of these fields from another one. */
function withFields(own: Snapshot, other: Snapshot, fields: ReadonlySet<string>, names: IdNames): Snapshot {
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

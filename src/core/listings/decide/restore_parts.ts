import type { Coded } from '../../../../schemas/issues/facts.js';
import type { UndoWarningParams } from '../../../../schemas/issues/update_warnings.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import type { ListingAttribute } from '../../ports/marketplace_listing.js';
import { foldValue } from '../rules/text.js';
import { compareAttributes } from '../snapshot/compare_attributes.js';
import { findValue } from '../snapshot/compare_media.js';

type Snapshot = Partial<ListingSnapshot>;

/** The current attributes, with those the job changed restored. */
export function restoreAttributes(
  before: readonly ListingAttribute[],
  after: readonly ListingAttribute[],
  fresh: readonly ListingAttribute[],
): ListingAttribute[] {
  const isChanged = ({ property_id }: ListingAttribute) => {
    const [was, became] = [before, after].map((all) => all.filter((one) => one.property_id === property_id));
    return compareAttributes(was ?? [], became ?? [], {}).length > 0;
  };
  return [...fresh.filter((one) => !isChanged(one)), ...before.filter(isChanged)];
}

/** A photo of one value of a property. */
export type ValuePhoto = { property_id: number; value: string; image_id: number };

/** The current photos of values, with those the job changed restored. */
export function restoreValuePhotos(before: Snapshot, after: Snapshot, fresh: Snapshot): ValuePhoto[] {
  const is = index(fresh);
  if (!before.variation_images || !after.variation_images) return [...is.values()];
  const [was, became] = [index(before), index(after)];
  const isChanged = (key: string) => was.get(key)?.image_id !== became.get(key)?.image_id;
  const kept = [...is].filter(([key]) => !isChanged(key));
  const back = [...was].filter(([key]) => isChanged(key));
  return [...kept, ...back].map(([, photo]) => photo);
}

/** By property and value; omits a photo whose value has no name. */
function index(snapshot: Snapshot): Map<string, ValuePhoto> {
  return new Map(
    (snapshot.variation_images ?? []).flatMap(({ property_id, value_id, value: given, image_id }) => {
      const value = given ?? findValue(snapshot, property_id, value_id);
      if (value === undefined) return [];
      const key = `${property_id} ${foldValue(value)}`;
      return [[key, { property_id, value, image_id }] as const];
    }),
  );
}

/** Names a field that an undo leaves unchanged, and why. */
export function buildNotUndone(field: string, reason: Coded<UndoWarningParams>): Warning {
  return { code: 'not_undone', fields: [field], reason };
}

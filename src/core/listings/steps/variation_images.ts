import type { Inventory, ShownVariationImage } from '../../ports/index.js';
import { foldValue } from '../rules/text.js';
import { waitUntilSettled } from '../engine/attempt.js';
import { toCallFailed, UPDATE } from '../engine/failures.js';
import { getListingId, type Context } from '../engine/context.js';
import { findMediaId, findSuccessor } from '../engine/media_ids.js';
import { expectTolerable } from '../engine/policy.js';
import { readParts, readToCompare } from '../engine/read.js';
import type { StepOutcome, Write } from '../engine/step.js';
import { keepKnown, write } from '../engine/write.js';
import { findValue } from '../snapshot/compare_media.js';

/** Identifies the photo of a value by names, which do not change when ids do. */
type Wanted = { property_id: number; value: string; image_id: number };

/** Photos of variations: those of the target, or those that another write removed. Value ids belong to the shop. */
export const variationImagesStep: Write = {
  isOpen: (cx) => isUnsure(cx) || !isAsWanted(cx),
  async run(cx) {
    try {
      // A later inventory write would remove them and change the value ids.
      if (await waitUntilSettled(cx)) cx.stale.add('inventory');
      if (isUnsure(cx)) await readParts(cx, ['variation_images']);
      return isAsWanted(cx) ? {} : await setPhotos(cx);
    } catch (cause) {
      const reason = toCallFailed('variation_images', expectTolerable(cx, cause), UPDATE);
      return { warnings: [{ code: 'variation_images_failed', fields: [FIELD], reason }] };
    }
  },
};

const FIELD = 'variations.variation_images';

async function setPhotos(cx: Context): Promise<StepOutcome> {
  const { ports, shop, target, policy } = cx;
  const listing_id = getListingId(cx);
  if (!cx.fresh.inventory || cx.stale.has('inventory')) {
    await readParts(cx, cx.fresh.listing ? ['listing', 'inventory'] : ['inventory']);
  }
  const matched = listWanted(cx).flatMap((wanted) => {
    const value_id = findValueId(cx.fresh.inventory, wanted);
    return value_id === undefined ? [] : [{ ...wanted, value_id }];
  });
  if (matched.length > 0 || cx.fresh.variation_images?.length) {
    const images = matched.map(({ value: _, ...image }) => image);
    await write(
      cx,
      ['variation_images'],
      (options) => ports.marketplace.updateVariationImages(shop, listing_id, images, options),
      readToCompare(cx, ['variation_images'], () => isAsWanted(cx)),
    );
    keepKnown(cx, { variation_images: matched });
  }
  cx.report(policy.words.variation_images);
  const unmatched = (target.variation_images ?? []).filter(({ property_id, value }) =>
    matched.every((other) => other.property_id !== property_id || other.value !== value),
  );
  if (unmatched.length === 0) return {};
  const fields = unmatched.map(({ value }) => `${FIELD}.mapping.${value}`);
  const reason = { code: 'photos_unmatched' as const, params: {} };
  return { warnings: [{ code: 'variation_images_failed', fields, reason }] };
}

/** A write of photos may have removed some; only a read can say. */
function isUnsure({ fresh, stale }: Context): boolean {
  return stale.has('variation_images') && (fresh.variation_images ?? []).length > 0;
}

/** Photos that were not read never count as those of the target. */
function isAsWanted(cx: Context): boolean {
  const { variation_images: shown } = cx.fresh;
  if (!shown) return cx.target.variation_images === undefined;
  const wanted = listWanted(cx).map(toKey);
  const known = shown.map((image) => toKey(toWanted(cx, image)));
  return String(wanted.sort()) === String(known.sort());
}

function listWanted(cx: Context): Wanted[] {
  const { fresh, before, target } = cx;
  const shown = fresh.images?.map(({ listing_image_id }) => listing_image_id);
  if (target.variation_images) {
    return target.variation_images.flatMap(({ image, ...wanted }) => {
      const image_id =
        'id' in image ? findSuccessor(cx, image.id) : findMediaId(cx, 'images', image.position);
      return image_id === null ? [] : [{ ...wanted, image_id }];
    });
  }
  return (before.variation_images ?? [])
    .map((image) => toWanted(cx, image))
    .map((wanted) => ({ ...wanted, image_id: findSuccessor(cx, wanted.image_id) }))
    .filter((wanted) => shown?.includes(wanted.image_id) ?? true)
    .filter((wanted) => !fresh.inventory || findValueId(fresh.inventory, wanted) !== undefined);
}

/** If the marketplace omits the name of the value, finds it by id. */
function toWanted({ before, fresh }: Context, image: ShownVariationImage): Wanted {
  const { property_id, value_id, image_id } = image;
  const find = (snapshot: Context['fresh']) => findValue(snapshot, property_id, value_id);
  return { property_id, value: image.value ?? find(before) ?? find(fresh) ?? `#${value_id}`, image_id };
}

function findValueId(inventory: Inventory | undefined, { property_id, value }: Wanted): number | undefined {
  for (const { property_values } of inventory?.products ?? []) {
    const own = property_values.find((candidate) => candidate.property_id === property_id);
    const index = own?.values.findIndex((other) => foldValue(other) === foldValue(value)) ?? -1;
    const value_id = own?.value_ids[index];
    if (value_id !== undefined) return value_id;
  }
  return undefined;
}

function toKey({ property_id, value, image_id }: Wanted): string {
  return JSON.stringify([property_id, foldValue(value), image_id]);
}

import type { ShownVariationImage } from '../../../../ports/index.js';
import { foldValue } from '../../../publish/steps/read_back.js';
import { getTarget, writeOnce, type Changing, type ChangeStep } from '../changing.js';
import { readParts } from '../read.js';
import { findMediaId, findSuccessor } from './media_ids.js';

/** Identifies the photo of a value by names, which stay the same when ids change. */
type Wanted = { property_id: number; value: string; image_id: number };

/** Photos of variations: those of the target, or those that another write removed. */
export const variationImagesStep: ChangeStep = {
  name: 'variation_images',
  is_restoring: true,
  isNeeded: (changing) => isUnsure(changing) || !isAsWanted(changing),
  async run(changing) {
    const { ports, shop, update } = changing;
    if (isUnsure(changing)) await readParts(changing, ['variation_images']);
    if (isAsWanted(changing)) return;
    if (!changing.fresh.inventory) await readParts(changing, ['listing', 'inventory']);
    const images = listWanted(changing).flatMap((wanted) => {
      const value_id = findValueId(changing, wanted);
      const { property_id, image_id } = wanted;
      return value_id === undefined ? [] : [{ property_id, value_id, image_id, value: wanted.value }];
    });
    await writeOnce(
      changing,
      ['variation_images'],
      (options) =>
        ports.marketplace.updateVariationImages(
          shop,
          update.listing_id,
          images.map(({ value: _, ...image }) => image),
          options,
        ),
      async () => {
        await readParts(changing, ['variation_images']);
        return isAsWanted(changing);
      },
    );
    changing.fresh = { ...changing.fresh, variation_images: images };
    changing.report('photos of variations');
  },
};

/** A write of photos may have removed some; only a read tells. */
function isUnsure(changing: Changing): boolean {
  const { fresh, stale } = changing;
  return stale.has('variation_images') && (fresh.variation_images ?? []).length > 0 && isTouched(changing);
}

function isTouched({ progress, fresh }: Changing): boolean {
  return progress.target?.variation_images !== undefined || fresh.variation_images !== undefined;
}

function isAsWanted(changing: Changing): boolean {
  const { fresh } = changing;
  if (!isTouched(changing)) return true;
  const wanted = listWanted(changing).map(toKey);
  const known = (fresh.variation_images ?? []).map((image) => toKey(toWanted(changing, image)));
  return String(wanted.sort()) === String(known.sort());
}

function listWanted(changing: Changing): Wanted[] {
  const { fresh, progress } = changing;
  const target = getTarget(changing);
  const shown = fresh.images?.map(({ listing_image_id }) => listing_image_id);
  if (target.variation_images) {
    return target.variation_images.flatMap(({ image, ...wanted }) => {
      const image_id =
        'id' in image ? findSuccessor(changing, image.id) : findMediaId(changing, 'images', image.position);
      return image_id === null ? [] : [{ ...wanted, image_id }];
    });
  }
  return (progress.before?.variation_images ?? [])
    .map((image) => toWanted(changing, image))
    .map((wanted) => ({ ...wanted, image_id: findSuccessor(changing, wanted.image_id) }))
    .filter((wanted) => shown?.includes(wanted.image_id) ?? true)
    .filter((wanted) => !fresh.inventory || findValueId(changing, wanted) !== undefined);
}

/** Where the marketplace leaves the value's name out, it is found by its id. */
function toWanted({ progress, fresh }: Changing, image: ShownVariationImage): Wanted {
  const { property_id, value_id, image_id } = image;
  const value =
    image.value ?? findValue([progress.before?.inventory, fresh.inventory], image) ?? `#${value_id}`;
  return { property_id, value, image_id };
}

function findValue(
  inventories: readonly Changing['fresh']['inventory'][],
  { property_id, value_id }: ShownVariationImage,
): string | undefined {
  for (const inventory of inventories) {
    for (const { property_values } of inventory?.products ?? []) {
      const own = property_values.find((candidate) => candidate.property_id === property_id);
      const value = own?.values[own.value_ids.indexOf(value_id)];
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

function findValueId({ fresh }: Changing, { property_id, value }: Wanted): number | undefined {
  for (const { property_values } of fresh.inventory?.products ?? []) {
    const own = property_values.find((candidate) => candidate.property_id === property_id);
    const index = own?.values.findIndex((other) => foldValue(other) === foldValue(value)) ?? -1;
    if (own && index >= 0) return own.value_ids[index];
  }
  return undefined;
}

function toKey({ property_id, value, image_id }: Wanted): string {
  return JSON.stringify([property_id, foldValue(value), image_id]);
}

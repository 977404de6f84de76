import type { Inventory, VariationImage } from '../../../ports/index.js';
import { MarketplaceError } from '../../../ports/index.js';
import type { PlannedVariationImages } from '../plan.js';
import { describeFailure, toStepError, isCutOff, waitUntilQuiet, writeRepeatably } from './attempt.js';
import { readInventory } from './inventory.js';
import { foldValue } from './read_back.js';
import { getListingId, type Publishing, type Step } from './step.js';

/** Photos by variation value. The value ids are the shop's own and exist only after the inventory write; so they are read after it. */
export const variationImagesStep: Step = {
  name: 'variation_images',
  needs: ['images', 'inventory'],
  isNeeded: (plan) => plan.variation_images !== undefined,
  listLeft: () => ['variations.variation_images'],
  // Read the inventory, then write.
  countCalls: () => 2,
  async run(publishing) {
    const { plan, shop, ports } = publishing;
    if (!plan.variation_images) return {};
    const listing_id = getListingId(publishing);
    try {
      // An inventory that comes after them takes them away, and changes the ids of values.
      const known = (await waitUntilQuiet(publishing)) ? undefined : publishing.inventory;
      const inventory = known ?? (await readInventory(publishing));
      const { images, unmatched } = matchImages(publishing, plan.variation_images, inventory);
      if (images.length > 0) {
        await writeRepeatably(publishing, () =>
          ports.marketplace.updateVariationImages(shop, listing_id, images),
        );
      }
      publishing.report('variation photos');
      if (unmatched.length === 0) return {};
      const fields = unmatched.map((value) => `variations.variation_images.mapping.${value}`);
      const reason = 'Their photo or their value is not on the listing.';
      return { warnings: [{ code: 'variation_images_failed', fields, reason }] };
    } catch (cause) {
      if (!(cause instanceof MarketplaceError) || isCutOff(cause)) {
        throw toStepError(cause, 'The variation photos could not be set');
      }
      const fields = ['variations.variation_images'];
      return {
        warnings: [
          {
            code: 'variation_images_failed',
            fields,
            reason: `Not set: ${describeFailure(cause, 'listing_update')}.`,
          },
        ],
      };
    }
  },
};

function matchImages(
  { progress }: Publishing,
  { property_id, images }: PlannedVariationImages,
  inventory: Inventory,
): { images: VariationImage[]; unmatched: string[] } {
  const ids = new Map<string, number>();
  for (const { property_values } of inventory.products) {
    const own = property_values.find((candidate) => candidate.property_id === property_id);
    own?.values.forEach((value, index) => {
      const id = own.value_ids[index];
      if (id !== undefined) ids.set(foldValue(value), id);
    });
  }
  const matched: VariationImage[] = [];
  const unmatched: string[] = [];
  for (const { value, image } of images) {
    const value_id = ids.get(foldValue(value));
    const image_id = progress.images[image]?.listing_image_id;
    if (value_id === undefined || image_id === undefined) unmatched.push(value);
    else matched.push({ property_id, value_id, image_id });
  }
  return { images: matched, unmatched };
}

import { formatNames } from '../../../text/choices.js';
import type { Warning } from '../../../../../schemas/job.js';
import type { ListingTranslation } from '../../../ports/marketplace_listing.js';
import { findValue } from '../../snapshot/compare_media.js';
import { isSameValue } from '../../snapshot/difference.js';
import type { ListingSnapshot } from '../../snapshot/snapshot.js';
import { foldValue } from '../../publish/steps/read_back.js';
import type { Target, TargetVariationImage } from '../plan.js';
import type { BuiltTarget } from './build_target.js';

type Fresh = Partial<ListingSnapshot>;

/**
 * Adds to the target the parts that its writes remove as a side effect, to be written again: a new title and being taken off sale
 * remove the translations; a new inventory and other photos remove the photos of variations.
 */
export function withRestored({ target, warnings }: BuiltTarget, fresh: Fresh): BuiltTarget {
  const { fields, images, inventory, variation_images, state } = target;
  const restored: Target = { ...target };
  const isNewTitle = fields?.title !== undefined && !isSameValue(fields.title, fresh.listing?.title);
  const translations = fresh.translations ?? [];
  if ((isNewTitle || state === 'inactive') && translations.length > 0) restored.translations = translations;
  if ((images || inventory) && variation_images === undefined && fresh.variation_images?.length) {
    restored.variation_images = keepVariationImages(restored, fresh);
  }
  return { target: restored, warnings: [...warnings, ...listStale(fields, fresh, translations)] };
}

/** The photos of variations whose value and photo both stay. */
function keepVariationImages({ images, inventory }: Target, fresh: Fresh): TargetVariationImage[] {
  const products = (inventory ?? fresh.inventory)?.products;
  return (fresh.variation_images ?? []).flatMap(({ property_id, value_id, value, image_id }) => {
    const name = value ?? findValue(fresh, property_id, value_id);
    if (name === undefined || (images && !images.some(({ id }) => id === image_id))) return [];
    const isThere = (products ?? []).some(({ property_values }) =>
      property_values.some(
        (own) =>
          own.property_id === property_id && own.values.some((one) => foldValue(one) === foldValue(name)),
      ),
    );
    return isThere ? [{ property_id, value: name, image: { id: image_id } }] : [];
  });
}

/** Warns of translations whose original text changes. */
function listStale(
  fields: Target['fields'] = {},
  { listing }: Fresh,
  translations: readonly ListingTranslation[],
): Warning[] {
  const changed = (['title', 'description', 'tags'] as const).filter(
    (field) => fields[field] !== undefined && !isSameValue(fields[field], listing?.[field]),
  );
  if (changed.length === 0 || translations.length === 0) return [];
  const languages = formatNames(translations.map(({ language }) => language));
  const reason = `The listing is translated (${languages}); the translations stay as they are and say what it said before.`;
  return [{ code: 'translation_stale', fields: changed.map((field) => `listing.${field}`), reason }];
}

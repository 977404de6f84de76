import type { MarketplaceListing } from '../../ports/marketplace_listing.js';
import { COMPARED } from '../listing_fields.js';
import { compareAttributes } from './compare_attributes.js';
import { compareInventories } from './compare_inventory.js';
import { compareFiles, compareImages, compareVariationImages, compareVideos } from './compare_media.js';
import { compareQuestions, compareTranslations } from './compare_words.js';
import { isKnown, isSameValue, nameId } from './difference.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { IdNames } from '../../ports/listing/difference.js';
import type { ListingSnapshot } from '../../ports/listing/snapshot.js';

/**
 * The differences between two snapshots of a listing, in the parts both have. Ignores values the marketplace
 * changes by itself (ids of products and values, times, URLs of pictures). Reports price and stock in the
 * inventory, which alone has them for each offering.
 */
export function compareSnapshots(
  before: Partial<ListingSnapshot>,
  after: Partial<ListingSnapshot>,
  names: IdNames = {},
): FieldDifference[] {
  return [
    ...both(before.listing, after.listing, (a, b) => compareListings(a, b, names)),
    ...both(before.images, after.images, compareImages),
    ...both(before.videos, after.videos, compareVideos),
    ...both(before.files, after.files, compareFiles),
    ...both(before.inventory, after.inventory, (a, b) => compareInventories(a, b, names)),
    ...both(before.variation_images, after.variation_images, () => compareVariationImages(before, after)),
    ...both(before.attributes, after.attributes, (a, b) => compareAttributes(a, b, names)),
    ...both(before.questions, after.questions, compareQuestions),
    ...both(before.translations, after.translations, compareTranslations),
  ];
}

function both<Part>(
  before: Part | undefined,
  after: Part | undefined,
  compare: (before: Part, after: Part) => FieldDifference[],
): FieldDifference[] {
  return before === undefined || after === undefined ? [] : compare(before, after);
}

function compareListings(
  before: MarketplaceListing,
  after: MarketplaceListing,
  names: IdNames,
): FieldDifference[] {
  return ['state' as const, ...COMPARED].flatMap((field) =>
    !isKnown(before[field]) || !isKnown(after[field]) || isSameValue(before[field], after[field])
      ? []
      : [
          {
            ref: field === 'state' ? { part: field } : { part: 'fields', field },
            before: nameId(names, field, before[field]),
            after: nameId(names, field, after[field]),
            kind: 'set',
          },
        ],
  );
}

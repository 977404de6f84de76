import type { MarketplaceListing } from '../../ports/marketplace_listing.js';
import { compareAttributes } from './compare_attributes.js';
import { compareInventories } from './compare_inventory.js';
import { compareFiles, compareImages, compareVariationImages, compareVideos } from './compare_media.js';
import { compareQuestions, compareTranslations } from './compare_words.js';
import { isSameValue, nameId, type FieldDifference, type IdNames } from './difference.js';
import type { ListingSnapshot } from './snapshot.js';

export type { FieldDifference, IdNames } from './difference.js';

/** Fields of the product that a request and a read have in the same form. */
const OF_LISTING = [
  'title',
  'description',
  'listing_type',
  'taxonomy_id',
  'who_made',
  'when_made',
  'is_supply',
  'tags',
  'materials',
  'styles',
  'is_customizable',
  'is_taxable',
  'should_auto_renew',
  'item_weight',
  'item_weight_unit',
  'item_length',
  'item_width',
  'item_height',
  'item_dimensions_unit',
  'featured_rank',
] as const satisfies readonly (keyof MarketplaceListing)[];

/** Fields that a request has for each shop. */
const OF_SHOP = [
  'shipping_profile_id',
  'return_policy_id',
  'shop_section_id',
  'production_partner_ids',
] as const satisfies readonly (keyof MarketplaceListing)[];

/**
 * The differences between two snapshots of a listing, in the parts that both have. What the marketplace changes by itself (ids of products
 * and values, times, addresses of pictures) is no difference. Price and stock are told of the inventory, which alone has them for each
 * offering.
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
  const compare = (field: (typeof OF_LISTING | typeof OF_SHOP)[number] | 'state', path: string) =>
    isSameValue(before[field], after[field])
      ? []
      : [
          {
            field: path,
            before: nameId(names, field, before[field]),
            after: nameId(names, field, after[field]),
          },
        ];
  return [
    ...compare('state', 'state'),
    ...OF_LISTING.flatMap((field) => compare(field, `listing.${field}`)),
    ...OF_SHOP.flatMap((field) => compare(field, `shops[].${field}`)),
  ];
}

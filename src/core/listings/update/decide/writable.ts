import type { ListingChanges, MarketplaceListing } from '../../../ports/marketplace_listing.js';

/** Fields that a write sets; what else a read tells cannot be written. */
export const WRITABLE = [
  'title',
  'description',
  'taxonomy_id',
  'who_made',
  'when_made',
  'is_supply',
  'shipping_profile_id',
  'return_policy_id',
  'shop_section_id',
  'production_partner_ids',
  'tags',
  'materials',
  'is_taxable',
  'should_auto_renew',
  'item_weight',
  'item_weight_unit',
  'item_length',
  'item_width',
  'item_height',
  'item_dimensions_unit',
  'featured_rank',
] as const satisfies readonly (keyof MarketplaceListing & keyof ListingChanges)[];

/** The marketplace takes these three together. */
export const MADE = ['who_made', 'when_made', 'is_supply'] as const;

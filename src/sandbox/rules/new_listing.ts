import type { Listing, ListingFields } from '../store/listings.js';

const FOUR_MONTHS_MS = 120 * 24 * 60 * 60 * 1000;

/** A listing runs for four months from its activation or renewal. */
export function toEndingAt(from_ms: number): number {
  return from_ms + FOUR_MONTHS_MS;
}

/** Defaults of fields that a creation omits. */
export const LISTING_DEFAULTS: Omit<
  ListingFields,
  | 'title'
  | 'description'
  | 'taxonomy_id'
  | 'price_amount'
  | 'quantity'
  | 'who_made'
  | 'when_made'
  | 'listing_type'
> = {
  tags: [],
  materials: [],
  styles: [],
  has_variations: false,
  is_supply: false,
  shipping_profile_id: null,
  return_policy_id: null,
  shop_section_id: null,
  processing_min: null,
  processing_max: null,
  readiness_state_id: null,
  production_partner_ids: [],
  item_weight: null,
  item_weight_unit: null,
  item_length: null,
  item_width: null,
  item_height: null,
  item_dimensions_unit: null,
  is_customizable: false,
  is_taxable: true,
  should_auto_renew: false,
  featured_rank: null,
  num_favorers: 0,
  views: 0,
  ecgt: {},
};

export function isOfferable(listing: Listing): boolean {
  return listing.inventory.products.some(({ offering }) => offering.is_enabled && offering.quantity > 0);
}

import { GPSR_FIELDS } from '../rules/choices.js';
import type { Listing } from '../store/listings.js';
import type { Shop } from '../store/shops.js';
import { encodeEntities, toMoney, toSeconds, toSlug } from './text.js';

const ECGT_FIELDS = [
  'ecgt_garan_brand',
  'ecgt_garan_years',
  'ecgt_garan_model',
  'ecgt_garan_guarantee_details',
  'ecgt_other_commercial_guarantee_details',
  'ecgt_after_sales_service_info',
  'ecgt_software_update_details',
] as const;

type ListingContext = {
  shop: Shop;
  origin: string;
  has_personalization: boolean;
  file_names: readonly string[];
  /** Whether answers have the fields for product safety. */
  with_gpsr: boolean;
  /** Only shop-scoped and single-listing calls return the processing profile. */
  with_readiness: boolean;
};

/** A ShopListing on the wire: every field of the published schema, text with HTML entities. */
export function toListing(listing: Listing, context: ListingContext): Record<string, unknown> {
  const { fields } = listing;
  const created = toSeconds(listing.created_at);
  const updated = toSeconds(listing.updated_at);
  const isPhysicalAndActive = fields.listing_type !== 'download' && listing.state === 'active';
  return {
    listing_id: listing.listing_id,
    user_id: context.shop.user_id,
    shop_id: listing.shop_id,
    title: encodeEntities(fields.title),
    description: encodeEntities(fields.description),
    state: listing.state,
    creation_timestamp: created,
    created_timestamp: created,
    ending_timestamp: toSeconds(listing.ending_at),
    original_creation_timestamp: created,
    last_modified_timestamp: updated,
    updated_timestamp: updated,
    state_timestamp: toSeconds(listing.state_at),
    quantity: fields.quantity,
    shop_section_id: fields.shop_section_id,
    featured_rank: fields.featured_rank ?? -1,
    url: toListingUrl(listing, context.origin),
    num_favorers: fields.num_favorers,
    non_taxable: !fields.is_taxable,
    is_taxable: fields.is_taxable,
    is_customizable: fields.is_customizable,
    is_personalizable: context.has_personalization,
    listing_type: fields.listing_type,
    tags: fields.tags,
    materials: fields.materials,
    shipping_profile_id: fields.shipping_profile_id,
    return_policy_id: fields.return_policy_id,
    processing_min: fields.processing_min,
    processing_max: fields.processing_max,
    who_made: fields.who_made,
    when_made: fields.when_made,
    is_supply: fields.is_supply,
    item_weight: fields.item_weight,
    item_weight_unit: fields.item_weight_unit,
    item_length: fields.item_length,
    item_width: fields.item_width,
    item_height: fields.item_height,
    item_dimensions_unit: fields.item_dimensions_unit,
    is_private: false,
    style: fields.styles,
    file_data: context.file_names.join(', '),
    has_variations: fields.has_variations,
    should_auto_renew: fields.should_auto_renew,
    language: context.shop.data.language,
    price: toMoney(fields.price_amount, context.shop.data.currency_code),
    converted_price: null,
    taxonomy_id: fields.taxonomy_id,
    readiness_state_id: context.with_readiness && isPhysicalAndActive ? fields.readiness_state_id : null,
    suggested_title: null,
    ...toGuarantee(listing),
    ...(context.with_gpsr && toProductSafety(listing)),
  };
}

function toListingUrl(listing: Listing, origin: string): string {
  return `${origin}/listing/${listing.listing_id}/${toSlug(listing.fields.title)}`;
}

function toProductSafety({ fields: { gpsr = {} } }: Listing): Record<string, unknown> {
  return Object.fromEntries(
    GPSR_FIELDS.map((name) => {
      const value = gpsr[name] ?? null;
      return [name, name.endsWith('_id') && value !== null ? Number(value) : value && encodeEntities(value)];
    }),
  );
}

function toGuarantee(listing: Listing): Record<string, unknown> {
  const { ecgt } = listing.fields;
  const given = Object.fromEntries(ECGT_FIELDS.map((name) => [name, ecgt[name] ?? null]));
  const isComplete = ECGT_FIELDS.slice(0, 4).every((name) => ecgt[name] !== undefined);
  return { ...given, ecgt_commercial_guarantee_enabled: isComplete };
}

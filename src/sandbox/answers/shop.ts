import type { Call } from '../requests/call.js';
import type { Database } from '../store/database.js';
import { countListings } from '../store/listings.js';
import { listSections, listShippingProfiles } from '../store/shop_settings.js';
import type {
  ProductionPartner,
  ReadinessState,
  ReturnPolicy,
  Section,
  ShippingProfile,
} from '../store/shop_settings.js';
import type { Shop } from '../store/shops.js';
import { isEuShop } from '../store/shops.js';
import { toMoney, toSeconds } from './text.js';

/** A Shop on the wire: every field of the published schema. */
export function toShop(
  { db, origin, settings }: Pick<Call, 'db' | 'origin' | 'settings'>,
  shop: Shop,
): Record<string, unknown> {
  const { data } = shop;
  const created = toSeconds(shop.created_at);
  const updated = toSeconds(shop.updated_at);
  const shipsFrom = listShippingProfiles(db, shop.shop_id)[0]?.data.origin_country_iso ?? data.country_iso;
  return {
    shop_id: shop.shop_id,
    user_id: shop.user_id,
    shop_name: shop.shop_name,
    create_date: created,
    created_timestamp: created,
    title: data.title,
    announcement: data.announcement,
    currency_code: data.currency_code,
    is_vacation: settings.vacation_shop_ids.includes(shop.shop_id),
    vacation_message: null,
    sale_message: data.sale_message,
    digital_sale_message: data.digital_sale_message,
    update_date: updated,
    updated_timestamp: updated,
    listing_active_count: countListings(db, `shop_id = ? AND state = 'active'`, shop.shop_id),
    digital_listing_count: countListings(
      db,
      `shop_id = ? AND state = 'active' AND fields ->> '$.listing_type' = 'download'`,
      shop.shop_id,
    ),
    login_name: data.login_name,
    accepts_custom_requests: true,
    policy_welcome: null,
    policy_payment: null,
    policy_shipping: null,
    policy_refunds: null,
    policy_additional: data.policy_additional,
    policy_seller_info: null,
    policy_update_date: created,
    policy_has_private_receipt_info: false,
    has_unstructured_policies: false,
    policy_privacy: null,
    vacation_autoreply: null,
    url: `${origin}/shop/${shop.shop_name}`,
    image_url_760x100: null,
    num_favorers: data.num_favorers,
    languages: [data.language],
    icon_url_fullxfull: null,
    is_using_structured_policies: true,
    has_onboarded_structured_policies: true,
    include_dispute_form_link: isEuShop(shop),
    is_direct_checkout_onboarded: true,
    is_etsy_payments_onboarded: true,
    is_calculated_eligible: data.country_iso === 'US',
    is_opted_in_to_buyer_promise: false,
    is_shop_us_based: data.country_iso === 'US',
    transaction_sold_count: data.transaction_sold_count,
    shipping_from_country_iso: shipsFrom,
    shop_location_country_iso: data.country_iso,
    review_count: data.review_count,
    review_average: data.review_average,
  };
}

export function toUser(shop: Shop): Record<string, unknown> {
  return {
    user_id: shop.user_id,
    primary_email: null,
    first_name: shop.data.first_name,
    last_name: shop.data.last_name,
    image_url_75x75: null,
  };
}

function toSection(db: Database, shop: Shop, section: Section): Record<string, unknown> {
  return {
    shop_section_id: section.shop_section_id,
    title: section.title,
    rank: section.rank,
    user_id: shop.user_id,
    active_listing_count: countListings(
      db,
      `shop_id = ? AND state = 'active' AND fields ->> '$.shop_section_id' = ?`,
      shop.shop_id,
      section.shop_section_id,
    ),
  };
}

export function toSections(db: Database, shop: Shop): Record<string, unknown>[] {
  return listSections(db, shop.shop_id).map((section) => toSection(db, shop, section));
}

export function toShippingProfile(shop: Shop, profile: ShippingProfile): Record<string, unknown> {
  const { shipping_profile_id, data } = profile;
  const { currency_code } = shop.data;
  return {
    shipping_profile_id,
    title: data.title,
    user_id: shop.user_id,
    origin_country_iso: data.origin_country_iso,
    is_deleted: false,
    shipping_profile_destinations: data.destinations.map((entry) => ({
      shipping_profile_destination_id: entry.id,
      shipping_profile_id,
      origin_country_iso: data.origin_country_iso,
      destination_country_iso: entry.country_iso,
      destination_region: entry.region,
      primary_cost: toMoney(entry.primary_amount, currency_code),
      secondary_cost: toMoney(entry.secondary_amount, currency_code),
      shipping_carrier_id: null,
      mail_class: null,
      min_delivery_days: entry.min_delivery_days,
      max_delivery_days: entry.max_delivery_days,
    })),
    shipping_profile_upgrades: data.upgrades.map((upgrade, index) => ({
      shipping_profile_id,
      upgrade_id: upgrade.id,
      upgrade_name: upgrade.name,
      type: upgrade.type,
      rank: index + 1,
      language: shop.data.language,
      price: toMoney(upgrade.amount, currency_code),
      secondary_price: toMoney(upgrade.secondary_amount, currency_code),
      shipping_carrier_id: null,
      mail_class: null,
      min_delivery_days: 1,
      max_delivery_days: 2,
    })),
    origin_postal_code: data.origin_postal_code,
    profile_type: 'manual',
    domestic_handling_fee: 0,
    international_handling_fee: 0,
  };
}

export function toReadinessState(state: ReadinessState): Record<string, unknown> {
  const { shop_id, readiness_state_id, readiness_state, min_days, max_days } = state;
  const days = min_days === max_days ? String(min_days) : `${min_days} - ${max_days}`;
  return {
    shop_id,
    readiness_state_id,
    readiness_state,
    min_processing_days: min_days,
    max_processing_days: max_days,
    processing_days_display_label: `${days} ${max_days === 1 ? 'day' : 'days'}`,
  };
}

export function toReturnPolicy(policy: ReturnPolicy): Record<string, unknown> {
  const { return_policy_id, shop_id, accepts_returns, accepts_exchanges, return_deadline } = policy;
  return { return_policy_id, shop_id, accepts_returns, accepts_exchanges, return_deadline };
}

export function toProductionPartner(partner: ProductionPartner): Record<string, unknown> {
  const { production_partner_id, partner_name, location } = partner;
  return { production_partner_id, partner_name, location };
}

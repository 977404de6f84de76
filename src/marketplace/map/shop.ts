import type {
  ProcessingProfile,
  ProductionPartner,
  ReturnPolicy,
  ShippingProfile,
  ShopSection,
  StoreDetails,
} from '../../../schemas/store.js';
import { toDecimal } from './money.js';
import { toNumberOrNull, toStringOrNull, type Reader, type Wire } from './read.js';
import { decodeEntities } from './text.js';

export function toShop(read: Reader, wire: Wire): StoreDetails & { user_id: number } {
  return {
    user_id: read.number(wire, 'user_id'),
    shop_id: String(read.number(wire, 'shop_id')),
    shop_name: read.string(wire, 'shop_name'),
    currency_code: read.string(wire, 'currency_code'),
    shipping_from_country_iso: toStringOrNull(wire['shipping_from_country_iso']),
    listing_active_count: toNumberOrNull(wire['listing_active_count']) ?? 0,
    review_average: toNumberOrNull(wire['review_average']),
    review_count: toNumberOrNull(wire['review_count']),
    is_vacation: wire['is_vacation'] === true,
    url: toStringOrNull(wire['url']) ?? '',
  };
}

export function toShippingProfile(read: Reader, wire: Wire): ShippingProfile {
  const destinations = read.list(wire, 'shipping_profile_destinations');
  const home = destinations.find(
    (destination) =>
      destination['destination_country_iso'] != null &&
      destination['destination_country_iso'] === wire['origin_country_iso'],
  );
  const money = toDecimal((home ?? destinations[0])?.['primary_cost']);
  return {
    shipping_profile_id: read.number(wire, 'shipping_profile_id'),
    title: decodeEntities(toStringOrNull(wire['title']) ?? ''),
    min_processing_days: toNumberOrNull(wire['min_processing_days']),
    max_processing_days: toNumberOrNull(wire['max_processing_days']),
    primary_cost: money?.cost ?? null,
    currency_code: money?.currency_code ?? null,
  };
}

export function toShopSection(read: Reader, wire: Wire): ShopSection {
  return {
    shop_section_id: read.number(wire, 'shop_section_id'),
    title: decodeEntities(read.string(wire, 'title')),
    rank: toNumberOrNull(wire['rank']) ?? 0,
    active_listing_count: toNumberOrNull(wire['active_listing_count']) ?? 0,
  };
}

export function toReturnPolicy(read: Reader, wire: Wire): ReturnPolicy {
  return {
    return_policy_id: read.number(wire, 'return_policy_id'),
    accepts_returns: wire['accepts_returns'] === true,
    accepts_exchanges: wire['accepts_exchanges'] === true,
    return_deadline: toNumberOrNull(wire['return_deadline']),
  };
}

export function toProcessingProfile(read: Reader, wire: Wire): ProcessingProfile {
  return {
    readiness_state_id: read.number(wire, 'readiness_state_id'),
    readiness_state: read.string(wire, 'readiness_state'),
    min_processing_days: toNumberOrNull(wire['min_processing_days']) ?? 0,
    max_processing_days: toNumberOrNull(wire['max_processing_days']) ?? 0,
    processing_days_display_label: toStringOrNull(wire['processing_days_display_label']) ?? '',
  };
}

export function toProductionPartner(read: Reader, wire: Wire): ProductionPartner {
  return {
    production_partner_id: read.number(wire, 'production_partner_id'),
    partner_name: decodeEntities(read.string(wire, 'partner_name')),
    location: decodeEntities(toStringOrNull(wire['location']) ?? ''),
  };
}

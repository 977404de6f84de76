import type { z } from 'zod/v3';
import type { ShippingProfile, ShopDetails } from '../../../schemas/shop.js';
import type { shop, WireShippingProfile } from './wire.js';
import { decodeEntities } from './entities.js';
import { toDecimal } from './money.js';

export function toShop({ shop_id, ...wire }: z.output<typeof shop>): ShopDetails & { user_id: number } {
  return { ...wire, shop_id: String(shop_id) };
}

/** The cost is that of the home country if the profile names it, otherwise of its first destination. */
export function toShippingProfile(wire: WireShippingProfile): ShippingProfile {
  const { shipping_profile_destinations: destinations, origin_country_iso } = wire;
  const isHome = (destination: (typeof destinations)[number]): boolean =>
    origin_country_iso !== null && destination.destination_country_iso === origin_country_iso;
  const cost = (destinations.find(isHome) ?? destinations[0])?.primary_cost;
  return {
    shipping_profile_id: wire.shipping_profile_id,
    title: decodeEntities(wire.title ?? ''),
    min_processing_days: wire.min_processing_days,
    max_processing_days: wire.max_processing_days,
    primary_cost: cost ? toDecimal(cost) : null,
    currency_code: cost?.currency_code ?? null,
  };
}

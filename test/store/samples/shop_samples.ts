import type { ConnectedShop } from '../../../src/core/ports/index.js';
import { START } from '../world.js';

export const SECTION = { shop_section_id: 7, title: 'Bowls', rank: 1, active_listing_count: 3 };

export type SavedShop = Omit<ConnectedShop, 'is_reconnect_required'>;

/** A shop as saved when it is connected. */
export function buildShop(account_id: string, shop_id: number): SavedShop {
  return {
    account_id,
    shop_id,
    user_id: 900,
    details: {
      shop_id: String(shop_id),
      shop_name: 'Söderholz 🪵',
      currency_code: 'EUR',
      shipping_from_country_iso: 'SE',
      listing_active_count: 12,
      review_average: 4.9,
      review_count: null,
      is_vacation: false,
      url: 'https://example.com/shop',
    },
    lists: {
      shipping_profiles: [],
      shop_sections: [SECTION],
      return_policies: [
        { return_policy_id: 1, accepts_returns: true, accepts_exchanges: false, return_deadline: 30 },
      ],
      processing_profiles: [],
      production_partners: [{ production_partner_id: 3, partner_name: 'Mill', location: 'Lund' }],
    },
    last_synced_at: START,
  };
}

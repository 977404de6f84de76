import { buildRefusal } from '../requests/refusal.js';
import { INVENTED } from '../requests/messages.js';
import type { Database } from '../store/database.js';
import { seedShopSettings } from '../store/seed.js';
import { listShippingProfiles } from '../store/shop_settings.js';
import { findShop, insertShop } from '../store/shops.js';
import type { Shop } from '../store/shops.js';
import { SHOP_SETTINGS } from '../world/shop_settings.js';
import { SANDBOX_SHOPS } from '../world/shops.js';
import { parseId } from './requests.js';
import type { JsonObject } from './requests.js';

/**
 * Sets up a shop that only fills the search like the first connectable shop, under ids of its own, so that
 * listings can be created in it. Body: `{shop_id, shop_name?}`; with a name, a shop that does not exist yet
 * is opened. A shop that is already set up stays unchanged.
 */
export function equipShop(db: Database, body: JsonObject): Record<string, unknown> {
  const shop_id = parseId(body, 'shop_id');
  const shop = findShop(db, shop_id) ?? openShop(db, shop_id, body.shop_name);
  const model = SHOP_SETTINGS[SANDBOX_SHOPS[0]?.shop_id ?? 0];
  if (!shop || !model) throw buildRefusal(404, INVENTED.shop_not_found);
  if (listShippingProfiles(db, shop_id).length === 0) {
    // Different from shop to shop, and far from the ids that the seed has or that are assigned later.
    const first = (shop_id % 1_000_000) * 100;
    seedShopSettings(db, shop_id, {
      sections: model.sections.map((section, index) => ({ ...section, shop_section_id: first + index })),
      shipping_profiles: model.shipping_profiles.map((profile, index) => ({
        ...profile,
        shipping_profile_id: first + index,
      })),
      readiness_states: model.readiness_states.map((state, index) => ({
        ...state,
        readiness_state_id: first + index,
      })),
      return_policies: model.return_policies.map((policy, index) => ({
        ...policy,
        return_policy_id: first + index,
      })),
      production_partners: model.production_partners.map((partner, index) => ({
        ...partner,
        production_partner_id: first + index,
      })),
    });
  }
  return { shop_id, user_id: shop.user_id };
}

/** A shop like the first connectable one, with a user of its own. */
function openShop(db: Database, shop_id: number, shop_name: unknown): Shop | undefined {
  const model = findShop(db, SANDBOX_SHOPS[0]?.shop_id ?? 0);
  if (!model || typeof shop_name !== 'string') return undefined;
  const shop = { ...model, shop_id, shop_name, user_id: FIRST_OPENED_USER + shop_id };
  insertShop(db, shop);
  return shop;
}

/** Above the ids of all users in the seed. */
const FIRST_OPENED_USER = 1_000_000_000;

import { toProductionPartner, toShippingProfile, toShop } from '../answers/shop.js';
import { ok, toList } from '../requests/call.js';
import type { Route } from '../requests/call.js';
import { getPathId, parsePage, requireFields } from '../requests/fields.js';
import { VERBATIM } from '../requests/messages.js';
import { getOwnShop, getShop } from '../requests/ownership.js';
import { buildRefusal } from '../requests/refusal.js';
import { findShippingProfile, listProductionPartners, listShippingProfiles } from '../store/shop-settings.js';
import { isEuShop, listShops, saveShop } from '../store/shops.js';

const WRITABLE = [
  'title',
  'announcement',
  'sale_message',
  'digital_sale_message',
  'policy_additional',
] as const;

export const SHOP_ROUTES: readonly Route[] = [
  {
    operation: 'findShops',
    method: 'GET',
    path: '/shops',
    scopes: [],
    run: (call) => {
      requireFields(call.query, ['shop_name']);
      const { limit, offset } = parsePage(call.query);
      const wanted = (call.query.get('shop_name') ?? '').toLowerCase();
      const found = listShops(call.db).filter((shop) => shop.shop_name.toLowerCase().includes(wanted));
      const page = found.slice(offset, offset + limit);
      return toList(
        page.map((shop) => toShop(call, shop)),
        found.length,
      );
    },
  },
  {
    operation: 'getShop',
    method: 'GET',
    path: '/shops/:shop_id',
    scopes: [],
    run: (call) => ok(toShop(call, getShop(call))),
  },
  {
    operation: 'updateShop',
    method: 'PUT',
    path: '/shops/:shop_id',
    scopes: ['shops_r', 'shops_w'],
    body: 'form',
    run: (call) => {
      const shop = getOwnShop(call);
      if (call.fields.has('policy_additional') && !isEuShop(shop)) {
        throw buildRefusal(400, 'policy_additional can be set by shops in the EU only.');
      }
      const given = Object.fromEntries(
        [...call.fields].filter(([name]) => WRITABLE.some((field) => field === name)),
      );
      const changed = { ...shop, updated_at: call.now_ms, data: { ...shop.data, ...given } };
      saveShop(call.db, changed);
      return ok(toShop(call, changed));
    },
  },
  {
    operation: 'getShopShippingProfiles',
    method: 'GET',
    path: '/shops/:shop_id/shipping-profiles',
    scopes: ['shops_r'],
    run: (call) => {
      const shop = getOwnShop(call);
      return toList(
        listShippingProfiles(call.db, shop.shop_id).map((profile) => toShippingProfile(shop, profile)),
      );
    },
  },
  {
    operation: 'getShopShippingProfile',
    method: 'GET',
    path: '/shops/:shop_id/shipping-profiles/:shipping_profile_id',
    scopes: ['shops_r'],
    run: (call) => {
      const shop = getOwnShop(call);
      const profile = findShippingProfile(call.db, shop.shop_id, getPathId(call, 'shipping_profile_id'));
      if (!profile) throw buildRefusal(404, VERBATIM.not_found);
      return ok(toShippingProfile(shop, profile));
    },
  },
  {
    operation: 'getShopProductionPartners',
    method: 'GET',
    path: '/shops/:shop_id/production-partners',
    scopes: ['shops_r'],
    run: (call) => toList(listProductionPartners(call.db, getOwnShop(call).shop_id).map(toProductionPartner)),
  },
];

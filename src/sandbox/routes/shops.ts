import {
  toProductionPartner,
  toReadinessState,
  toReturnPolicy,
  toSections,
  toShippingProfile,
  toShop,
} from '../answers/shop.js';
import { ok, toList } from '../requests/call.js';
import type { Route } from '../requests/call.js';
import { parsePage } from '../requests/fields.js';
import { getOwnShop, getShop } from '../requests/ownership.js';
import {
  listProductionPartners,
  listReadinessStates,
  listReturnPolicies,
  listShippingProfiles,
} from '../store/shop_settings.js';

export const SHOP_ROUTES: readonly Route[] = [
  {
    operation: 'getShop',
    method: 'GET',
    path: '/shops/:shop_id',
    scopes: [],
    run: (call) => ok(toShop(call, getShop(call))),
  },
  {
    operation: 'getShopSections',
    method: 'GET',
    path: '/shops/:shop_id/sections',
    scopes: [],
    run: (call) => toList(toSections(call.db, getShop(call))),
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
    operation: 'getShopReadinessStateDefinitions',
    method: 'GET',
    path: '/shops/:shop_id/readiness-state-definitions',
    scopes: ['shops_r'],
    run: (call) => {
      const { limit, offset } = parsePage(call.query);
      const states = listReadinessStates(call.db, getOwnShop(call).shop_id);
      return toList(states.slice(offset, offset + limit).map(toReadinessState), states.length);
    },
  },
  {
    operation: 'getShopReturnPolicies',
    method: 'GET',
    path: '/shops/:shop_id/policies/return',
    scopes: [],
    run: (call) => toList(listReturnPolicies(call.db, getShop(call).shop_id).map(toReturnPolicy)),
  },
  {
    operation: 'getShopProductionPartners',
    method: 'GET',
    path: '/shops/:shop_id/production-partners',
    scopes: ['shops_r'],
    run: (call) => toList(listProductionPartners(call.db, getOwnShop(call).shop_id).map(toProductionPartner)),
  },
];

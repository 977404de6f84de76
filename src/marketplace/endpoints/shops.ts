import type { ShopCalls } from '../../core/ports/shop_calls.js';
import type { Call } from '../http/call.js';
import { decodeEntities } from '../map/entities.js';
import { toShippingProfile, toShop } from '../map/shop.js';
import { OPERATIONS } from './operations.js';
import { listAllPages } from './pages.js';
import * as wire from '../map/wire.js';

/** Shop details, and the five lists that a listing takes its ids from. */
export function createShops(
  call: Call,
): Pick<
  ShopCalls,
  | 'getShop'
  | 'listShippingProfiles'
  | 'listShopSections'
  | 'listReturnPolicies'
  | 'listProcessingProfiles'
  | 'listProductionPartners'
> {
  return {
    getShop: ({ shop_id }, options) =>
      call(
        OPERATIONS.getShop,
        { path: { shop_id } },
        (body) => toShop(wire.parseWire(wire.shop, body)),
        options,
      ),
    listShippingProfiles: (shop, options) =>
      call(
        OPERATIONS.getShopShippingProfiles,
        { shop, path: { shop_id: shop.shop_id } },
        (body) =>
          wire
            .parseWire(wire.listOf(wire.shippingProfile), body)
            .results.filter(({ is_deleted }) => !is_deleted)
            .map(toShippingProfile),
        options,
      ),
    listShopSections: ({ shop_id }, options) =>
      call(
        OPERATIONS.getShopSections,
        { path: { shop_id } },
        (body) =>
          wire
            .parseWire(wire.listOf(wire.shopSection), body)
            .results.map((section) => ({ ...section, title: decodeEntities(section.title) })),
        options,
      ),
    listReturnPolicies: ({ shop_id }, options) =>
      call(
        OPERATIONS.getShopReturnPolicies,
        { path: { shop_id } },
        (body) => wire.parseWire(wire.listOf(wire.returnPolicy), body).results,
        options,
      ),
    listProcessingProfiles: (shop, options) =>
      listAllPages(
        call,
        OPERATIONS.getShopReadinessStateDefinitions,
        { shop, path: { shop_id: shop.shop_id } },
        (body) => wire.parseWire(wire.listOf(wire.processingProfile), body),
        options,
      ),
    listProductionPartners: (shop, options) =>
      call(
        OPERATIONS.getShopProductionPartners,
        { shop, path: { shop_id: shop.shop_id } },
        (body) =>
          wire.parseWire(wire.listOf(wire.productionPartner), body).results.map((partner) => ({
            ...partner,
            partner_name: decodeEntities(partner.partner_name),
            location: decodeEntities(partner.location),
          })),
        options,
      ),
  };
}

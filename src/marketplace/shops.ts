import type { Marketplace, ShopRef, CallOptions } from '../core/ports/index.js';
import type { Send } from './call.js';
import type { OperationId } from './operations.js';
import { createReader, type Reader, type Wire } from './map/read.js';
import {
  toProcessingProfile,
  toProductionPartner,
  toReturnPolicy,
  toShippingProfile,
  toShop,
  toShopSection,
} from './map/shop.js';
import { listPages } from './pages.js';

type ShopReads = Pick<
  Marketplace,
  | 'getShop'
  | 'listShippingProfiles'
  | 'listShopSections'
  | 'listReturnPolicies'
  | 'listProcessingProfiles'
  | 'listProductionPartners'
>;

export function createShopReads(send: Send): ShopReads {
  const read = createReader(false);

  /** Lists that come whole. */
  function lister<T>(operation_id: OperationId, toEntry: (reader: Reader, wire: Wire) => T) {
    return async (shop: ShopRef, options?: CallOptions): Promise<T[]> => {
      const body = await send({ operation_id, shop, options });
      return read.results(body).map((wire) => toEntry(read, wire));
    };
  }

  return {
    async getShop(shop, options) {
      return toShop(read, read.object(await send({ operation_id: 'getShop', shop, options })));
    },
    async listShippingProfiles(shop, options) {
      const body = await send({ operation_id: 'getShopShippingProfiles', shop, options });
      const kept = read.results(body).filter((wire) => wire['is_deleted'] !== true);
      return kept.map((wire) => toShippingProfile(read, wire));
    },
    listShopSections: lister('getShopSections', toShopSection),
    listReturnPolicies: lister('getShopReturnPolicies', toReturnPolicy),
    async listProcessingProfiles(shop, options) {
      const wires = await listPages(read, (page) =>
        send({ operation_id: 'getShopReadinessStateDefinitions', shop, query: page, options }),
      );
      return wires.map((wire) => toProcessingProfile(read, wire));
    },
    listProductionPartners: lister('getShopProductionPartners', toProductionPartner),
  };
}

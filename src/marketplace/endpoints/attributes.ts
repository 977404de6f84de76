import type { ShopCalls } from '../../core/ports/shop_calls.js';
import type { ListingAttribute } from '../../core/ports/marketplace_listing.js';
import type { Call } from '../http/call.js';
import { buildFormBody } from '../http/encode.js';
import { decodeEntities } from '../map/entities.js';
import { OPERATIONS } from './operations.js';
import * as wire from '../map/wire.js';

/** Properties of a listing that its category offers as attributes. */
export function createAttributes(
  call: Call,
): Pick<ShopCalls, 'updateAttribute' | 'deleteAttribute' | 'listAttributes'> {
  return {
    updateAttribute: (shop, listing_id, { property_id, ...fields }, options) =>
      call(
        OPERATIONS.updateListingProperty,
        { shop, path: { shop_id: shop.shop_id, listing_id, property_id }, body: buildFormBody(fields) },
        (body) => {
          const stored = wire.propertyValue.safeParse(body);
          return stored.success ? toAttribute(stored.data) : undefined;
        },
        options,
      ),
    deleteAttribute: (shop, listing_id, property_id, options) =>
      call(
        OPERATIONS.deleteListingProperty,
        { shop, path: { shop_id: shop.shop_id, listing_id, property_id } },
        () => undefined,
        options,
      ),
    listAttributes: (shop, listing_id, options) =>
      call(
        OPERATIONS.getListingProperties,
        { shop, path: { shop_id: shop.shop_id, listing_id } },
        (body) => wire.parseWire(wire.listOf(wire.propertyValue), body).results.map(toAttribute),
        options,
      ),
  };
}

function toAttribute({ property_id, value_ids, values, scale_id }: wire.WirePropertyValue): ListingAttribute {
  return {
    property_id,
    value_ids,
    values: values.map(decodeEntities),
    ...(scale_id !== null && { scale_id }),
  };
}

import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import { findSavedOffer } from '../../../../core/listings/requests/saved_offer.js';
import { applyOverrides } from '../../../../core/listings/resolve/split_overrides.js';
import { formatPrices } from '../../../components/price.js';
import { buildVariationTable } from './variation_rows.js';

/** The currencies of the shops, by shop_id; undefined if one is not known. */
export type Currencies = ReadonlyMap<string, string | undefined>;

/** The request as it applies to each of its shops. */
function viewByShop(request: ListingRequest): { shop_id: number; own: ListingRequest }[] {
  return request.shops.map(({ shop_id, overrides }) => ({
    shop_id,
    own: overrides ? applyOverrides(request, shop_id, overrides, '').request : request,
  }));
}

/**
 * `24.50 EUR`, or `From 19.00 EUR` if variations have several prices, in each currency of its shops;
 * undefined if none is given.
 */
export function describePrice(request: ListingRequest, currencies: Currencies): string | undefined {
  return formatPrices(
    viewByShop(request).map(({ shop_id, own }) => ({
      ...findSavedOffer(own, shop_id),
      currency_code: currencies.get(String(shop_id)),
    })),
  );
}

/** The same for each combination, by its values. */
export function describeOfferingPrices(
  request: ListingRequest,
  currencies: Currencies,
): (values: readonly string[]) => string | undefined {
  const shops = viewByShop(request).map(({ shop_id, own }) => ({
    currency_code: currencies.get(String(shop_id)),
    shared: own.shops.find((shop) => shop.shop_id === shop_id)?.price ?? own.listing.price ?? null,
    prices: new Map(buildVariationTable(own)?.rows.map(({ values, price }) => [values.join('\n'), price])),
  }));
  return (values) =>
    formatPrices(
      shops.map(({ currency_code, shared, prices }) => ({
        price: prices.get(values.join('\n')) ?? shared,
        currency_code,
      })),
    );
}

import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import { findSavedOffer } from '../../../../core/listings/requests/saved_offer.js';
import { formatPrices } from '../../../components/price.js';

/** The currencies of the shops, by shop_id; undefined where one is not known. */
export type Currencies = ReadonlyMap<string, string | undefined>;

/** `24.50 EUR`, or `From 19.00 EUR` where variations have several prices, in each currency of its shops; undefined where none is given. */
export function describePrice(request: ListingRequest, currencies: Currencies): string | undefined {
  return formatPrices(
    request.shops.map(({ shop_id }) => ({
      ...findSavedOffer(request, shop_id),
      currency_code: currencies.get(String(shop_id)),
    })),
  );
}

/** The same of one combination. @param own_price undefined where it has the price of the shop or the listing */
export function describeOfferingPrice(
  own_price: number | undefined,
  { listing, shops }: ListingRequest,
  currencies: Currencies,
): string | undefined {
  return formatPrices(
    shops.map(({ shop_id, price }) => ({
      price: own_price ?? price ?? listing.price ?? null,
      currency_code: currencies.get(String(shop_id)),
    })),
  );
}

import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import { formatPrice } from '../../../components/price.js';

/** `24.50 EUR`, or `From 19.00 EUR` where variations have several prices; undefined where none is given. */
export function describePrice(
  request: ListingRequest,
  currency_code: string | undefined,
): string | undefined {
  const prices = listPrices(request);
  const lowest = prices.reduce<number | undefined>(
    (least, price) => (least === undefined || price < least ? price : least),
    undefined,
  );
  if (lowest === undefined) return undefined;
  const isRange = prices.some((price) => price !== lowest);
  return `${isRange ? 'From ' : ''}${formatPrice(lowest, currency_code)}`;
}

/** The prices of all that buyers can choose: a table of variations shows only the first of many. */
function listPrices({ variations, listing }: ListingRequest): number[] {
  const { properties = [], offerings = [] } = variations ?? {};
  const offered = properties.length === 0 ? [] : offerings.filter(({ enabled }) => enabled !== false);
  const prices = offered.flatMap(({ price }) => price ?? listing.price ?? []);
  return prices.length > 0 ? prices : [listing.price ?? []].flat();
}

/** The same in one shop, which may have a price of its own. */
export function describeShopPrice(
  request: ListingRequest,
  shop_price: number | undefined,
  currency_code: string | undefined,
): string | undefined {
  const { listing } = request;
  const own = shop_price === undefined ? listing : { ...listing, price: shop_price };
  return describePrice({ ...request, listing: own }, currency_code);
}

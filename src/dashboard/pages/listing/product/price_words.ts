import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import { formatPrice } from '../../../components/price.js';
import { buildVariationTable } from './variation_rows.js';

/** `24.50 EUR`, or `From 19.00 EUR` where variations have several prices; undefined where none is given. */
export function describePrice(
  request: ListingRequest,
  currency_code: string | undefined,
): string | undefined {
  const rows = buildVariationTable(request)?.rows.filter(({ is_hidden }) => !is_hidden) ?? [];
  const prices = rows.flatMap(({ price }) => price ?? []);
  const lowest = prices.length > 0 ? Math.min(...prices) : request.listing.price;
  if (lowest === undefined) return undefined;
  const isRange = prices.some((price) => price !== lowest);
  return `${isRange ? 'From ' : ''}${formatPrice(lowest, currency_code)}`;
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

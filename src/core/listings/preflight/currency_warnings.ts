import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { ConnectedShop } from '../../ports/index.js';
import { getDecimals } from '../rules/money.js';

/**
 * Warns about an amount used as a price in currencies with and without decimals, such as 22 USD and 22 JPY: one is
 * worth a hundred times the other, so the amount cannot be meant for both.
 * @param shops by position in shops[]
 */
export function listCurrencyWarnings(request: ListingRequest, shops: readonly ConnectedShop[]): Warning[] {
  const offerings = request.variations?.offerings ?? [];
  const ofOfferings = offerings.flatMap(({ price }, index) =>
    price === undefined ? [] : [`variations.offerings[${index}].price`],
  );
  const isListingPriceUsed = offerings.length === 0 || ofOfferings.length < offerings.length;
  const sharing = shops.filter(
    (_, index) => request.shops[index]?.price === undefined || ofOfferings.length > 0,
  );
  const codes = [...new Set(sharing.map(({ details }) => details.currency_code))];
  const without = codes.filter((code) => getDecimals(code) === 0);
  if (without.length === 0 || without.length === codes.length) return [];
  const fields = [
    ...(isListingPriceUsed && request.listing.price !== undefined ? ['listing.price'] : []),
    ...ofOfferings.slice(0, MOST_FIELDS),
  ];
  const params = { currencies: codes, has_offerings: ofOfferings.length > 0 };
  const reason = { code: 'price_of_several_currencies' as const, params };
  return fields.length === 0 ? [] : [{ code: 'price_of_several_currencies', fields, reason }];
}

const MOST_FIELDS = 20;

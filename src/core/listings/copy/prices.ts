import type { ListingChanges } from '../../../../schemas/listing_changes.js';
import type { ListingRequest, ShopTarget } from '../../../../schemas/listing_request.js';
import { cleanForeign, type Issue } from '../../errors.js';
import type { ConnectedShop } from '../../ports/index.js';

/** The prices of a copy. `own_currency`: of the request's prices; undefined where their shop is not connected any more. */
export type PriceFacts = {
  /** The request with the changes applied. */
  request: ListingRequest;
  /** The same where no combination had a price before, so that each price is from the changes. */
  bare: ListingRequest;
  changes: ListingChanges | undefined;
  own_currency: string | undefined;
  targets: readonly ShopTarget[];
  shops: readonly (ConnectedShop | undefined)[];
};

/** A price is never taken over into another currency: a shop with another currency needs its prices given. */
export function checkPrices({ request, bare, changes, own_currency, targets, shops }: PriceFacts): Issue[] {
  const currencies = new Set(shops.flatMap((shop) => shop?.details.currency_code ?? []));
  return targets.flatMap((target, index) => {
    const shop = shops[index];
    if (!shop || shop.details.currency_code === own_currency) return [];
    // A price in `changes` holds for all shops of the call, so these must have one currency.
    const given = currencies.size === 1 ? changes : undefined;
    if (hasAllPrices(request, bare, target, given)) return [];
    const { currency_code, shop_name } = shop.details;
    const whose = own_currency === undefined ? 'of another shop' : `in ${own_currency}`;
    const several =
      currencies.size > 1
        ? '; where shops have several currencies and combinations have prices, copy to each by a call of its own'
        : '';
    const how = hasOfferingPrices(request)
      ? `give the price of each combination in changes.offerings or changes.variations.offerings${several}`
      : 'give one';
    const message = `is required: ${cleanForeign(shop_name)} sells in ${currency_code}, and the listing's prices are ${whose}; ${how}`;
    return [{ path: `shops[${index}].price`, message }];
  });
}

function hasOfferingPrices({ variations }: ListingRequest): boolean {
  return (variations?.offerings ?? []).some(({ price }) => price !== undefined);
}

function hasAllPrices(
  { variations }: ListingRequest,
  bare: ListingRequest,
  { price }: ShopTarget,
  changes: ListingChanges | undefined,
): boolean {
  const offerings = variations?.offerings ?? [];
  const isListingPriceGiven = price !== undefined || typeof changes?.listing?.price === 'number';
  if (offerings.length === 0) return isListingPriceGiven;
  return offerings.every((offering, index) =>
    offering.price === undefined
      ? isListingPriceGiven
      : changes !== undefined && bare.variations?.offerings?.[index]?.price !== undefined,
  );
}

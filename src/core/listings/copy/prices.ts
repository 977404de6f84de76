import type { ListingRequest, ShopTarget } from '../../../../schemas/listing_request.js';
import { cleanForeign, type Issue } from '../../errors.js';
import type { ConnectedShop } from '../../ports/index.js';

export type PriceFacts = {
  /** The listing as it is saved. */
  saved: ListingRequest;
  /** The request with the changes applied. */
  request: ListingRequest;
  /** The same where nothing had a price before, so that each price is from the changes. */
  bare: ListingRequest;
  /** All shops of the account. */
  connected: readonly ConnectedShop[];
  targets: readonly ShopTarget[];
  /** By position in targets; undefined where the shop is not connected. */
  shops: readonly (ConnectedShop | undefined)[];
};

/**
 * Gives each new shop its price, or finds that it has to be given: a number is never taken over into another currency.
 *
 * A price of the call comes first: the shop's own, else that of the changes, which holds for all shops of the call, so that these must
 * have one currency. Without one, the price is that of a shop of the listing that has the same currency: of the first shop, whose
 * prices are those of the request, else of one that has a price of its own. That another shop sells at the number of the request does
 * not tell in which currency it was meant. Prices of single combinations are the first shop's.
 */
export function setPrices(facts: PriceFacts): { targets: ShopTarget[]; issues: Issue[] } {
  const { saved, request, bare, connected, shops } = facts;
  const currencies = new Set(shops.flatMap((shop) => shop?.details.currency_code ?? []));
  const needsPrice = usesListingPrice(request);
  const issues: Issue[] = [];
  const targets = facts.targets.map((target, index) => {
    const shop = shops[index];
    if (!shop) return target;
    const { currency_code } = shop.details;
    const isOfFirst = findCurrency(saved.shops[0], connected) === currency_code;
    const given = isOfFirst || currencies.size === 1 ? bare : undefined;
    const isGiven = bare.listing.price !== undefined;
    const price =
      target.price ?? (isGiven ? given?.listing.price : findKnownPrice(saved, connected, currency_code));
    const isPriced = isOfFirst || ((!needsPrice || price !== undefined) && areOfferingsGiven(request, given));
    if (!isPriced) {
      const message = describeMissing(shop, request, currencies.size > 1);
      issues.push({ path: `shops[${index}].price`, message });
    }
    return needsPrice && price !== undefined ? { ...target, price } : target;
  });
  return { targets, issues };
}

/** A shop's own price where the listing has its prices in this currency; undefined also where the price of the request holds. */
function findKnownPrice(
  { shops: [first, ...others] }: ListingRequest,
  connected: readonly ConnectedShop[],
  currency_code: string,
): number | undefined {
  const isOfCurrency = (target: ShopTarget | undefined) => findCurrency(target, connected) === currency_code;
  if (isOfCurrency(first)) return first?.price;
  return others.find((target) => target.price !== undefined && isOfCurrency(target))?.price;
}

/** Undefined for a shop that is not connected any more. */
function findCurrency(
  target: ShopTarget | undefined,
  connected: readonly ConnectedShop[],
): string | undefined {
  return connected.find(({ shop_id }) => shop_id === target?.shop_id)?.details.currency_code;
}

/** Whether the listing, or one of its combinations, has no price of its own. */
function usesListingPrice({ variations }: ListingRequest): boolean {
  const offerings = variations?.offerings ?? [];
  return offerings.length === 0 || offerings.some(({ price }) => price === undefined);
}

/** @param given the request with the prices of the changes alone; undefined where these are not in the shop's currency */
function areOfferingsGiven({ variations }: ListingRequest, given: ListingRequest | undefined): boolean {
  return (variations?.offerings ?? []).every(
    ({ price }, index) => price === undefined || given?.variations?.offerings?.[index]?.price !== undefined,
  );
}

function describeMissing(
  { details }: ConnectedShop,
  { variations }: ListingRequest,
  areSeveral: boolean,
): string {
  const { shop_name, currency_code } = details;
  const is = `is required: ${cleanForeign(shop_name)} sells in ${currency_code}, and`;
  if ((variations?.offerings ?? []).every(({ price }) => price === undefined)) {
    return `${is} the listing's price in ${currency_code} is not known; give one`;
  }
  const several = areSeveral
    ? '; where shops have several currencies and combinations have prices, copy to each by a call of its own'
    : '';
  return `${is} the listing's prices in ${currency_code} are not known; give the price of each combination in changes.offerings or changes.variations.offerings${several}`;
}

import type { ListingRequest, ShopTarget } from '../../../../../schemas/listing_request.js';
import type { Issue, Path } from '../../../../../schemas/issue.js';
import type { ConnectedShop } from '../../../ports/index.js';

/**
 * The source of a copy to one shop: the listing of the first shop with its currency, or the values the shops share.
 */
export type CopySource = {
  request: ListingRequest;
  /** Whether it is that of the listing's first shop, whose prices are those of the request. */
  is_first: boolean;
  /** Whether that shop has its own values. */
  is_own: boolean;
};

type PricedCopy = {
  target: ShopTarget;
  /** The request of the copy. */
  request: ListingRequest;
  /** The same without former prices, so that each price comes from the call. */
  bare: ListingRequest;
  source: CopySource;
};

type PriceFacts = {
  /** The saved listing. */
  saved: ListingRequest;
  /** All shops of the account. */
  connected: readonly ConnectedShop[];
  targets: readonly PricedCopy[];
  /** By position in targets; undefined if the shop is not connected. */
  shops: readonly (ConnectedShop | undefined)[];
};

/**
 * Gives each new shop its price, or reports that a price is needed: an amount is never reused in another currency.
 *
 * A price of the call comes first: the shop's own, otherwise that of the changes. The latter applies to all shops
 * of the call, so these must share one currency. Without such a price, uses that of a shop of the listing with the
 * same currency: the first shop, whose prices are those of the request, otherwise one with its own price. That
 * another shop sells at the amount in the request does not say in which currency the amount was meant.
 */
export function setPrices(facts: PriceFacts): { targets: ShopTarget[]; issues: Issue[] } {
  const { saved, connected, shops } = facts;
  const currencies = new Set(shops.flatMap((shop) => shop?.details.currency_code ?? []));
  const issues: Issue[] = [];
  const targets = facts.targets.map(({ target, request, bare, source }, index) => {
    const shop = shops[index];
    if (!shop) return target;
    const { currency_code } = shop.details;
    const needsPrice = usesListingPrice(request);
    const isOfFirst = source.is_first;
    const isUsable = isOfFirst || currencies.size === 1;
    const isGiven = bare.listing.price !== undefined;
    const known = source.is_own ? findOwnPrice(saved, source.request) : undefined;
    const price =
      target.price ??
      (isGiven
        ? isUsable
          ? bare.listing.price
          : undefined
        : (findKnownPrice(saved, connected, currency_code) ?? known));
    const isPriced =
      isOfFirst ||
      ((!needsPrice || price !== undefined) &&
        areOfferingsPriced(request, bare, isUsable, { saved, source }));
    if (!isPriced) {
      issues.push(buildUnpriced(shop, request, { at: `shops[${index}].price`, currencies }));
    }
    return needsPrice && price !== undefined && !(isOfFirst && price === known)
      ? { ...target, price }
      : target;
  });
  return { targets, issues };
}

/** The price in which a shop differs from the others. */
function findOwnPrice(saved: ListingRequest, own: ListingRequest): number | undefined {
  return own.listing.price === saved.listing.price ? undefined : own.listing.price;
}

/**
 * A shop's own price if the listing has prices in this currency; undefined also if the price of the request
 * applies.
 */
function findKnownPrice(
  { shops: [first, ...others] }: ListingRequest,
  connected: readonly ConnectedShop[],
  currency_code: string,
): number | undefined {
  const isOfCurrency = (target: ShopTarget | undefined) => findCurrency(target, connected) === currency_code;
  if (isOfCurrency(first)) return first?.price;
  return others.find((target) => target.price !== undefined && isOfCurrency(target))?.price;
}

/** Undefined for a shop that is no longer connected. */
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

/** Whether each combination's price comes from the call, or is the own price of a shop with the same currency. */
function areOfferingsPriced(
  { variations }: ListingRequest,
  bare: ListingRequest,
  isUsable: boolean,
  { saved, source }: { saved: ListingRequest; source: CopySource },
): boolean {
  return (variations?.offerings ?? []).every(({ price }, index) => {
    if (price === undefined) return true;
    if (isUsable && bare.variations?.offerings?.[index]?.price !== undefined) return true;
    return source.is_own && saved.variations?.offerings?.[index]?.price !== price;
  });
}

function buildUnpriced(
  { details }: ConnectedShop,
  { variations }: ListingRequest,
  { at, currencies }: { at: Path; currencies: ReadonlySet<string> },
): Issue {
  const { shop_name, currency_code } = details;
  const isOfListing = (variations?.offerings ?? []).every(({ price }) => price === undefined);
  const of = isOfListing ? 'listing' : 'combinations';
  const hasSeveralCurrencies = currencies.size > 1;
  return {
    code: 'copy_price_unknown',
    at,
    params: { shop_name, currency_code, of, has_several_currencies: hasSeveralCurrencies },
  };
}

import type { ListingRequest, ShopTarget } from '../../../../../schemas/listing_request.js';
import type { Issue, Path } from '../../../../../schemas/issue.js';
import type { ConnectedShop } from '../../../ports/index.js';

/** What is copied to one shop: the listing as the first shop of its currency has it, or as the shops share it. */
export type CopySource = {
  request: ListingRequest;
  /** Whether it is that of the listing's first shop, whose prices are those of the request. */
  is_first: boolean;
  /** Whether that shop has values of its own. */
  is_own: boolean;
};

type PricedCopy = {
  target: ShopTarget;
  /** The request of the copy. */
  request: ListingRequest;
  /** The same where nothing had a price before, so that each price is from the call. */
  bare: ListingRequest;
  source: CopySource;
};

type PriceFacts = {
  /** The listing as it is saved. */
  saved: ListingRequest;
  /** All shops of the account. */
  connected: readonly ConnectedShop[];
  targets: readonly PricedCopy[];
  /** By position in targets; undefined where the shop is not connected. */
  shops: readonly (ConnectedShop | undefined)[];
};

/**
 * Gives each new shop its price, or finds that it has to be given: a number is never taken over into another currency.
 *
 * A price of the call comes first: the shop's own, otherwise that of the changes, which holds for all shops of the call, so that these
 * must have one currency. Without one, the price is that of a shop of the listing that has the same currency: of the first shop, whose
 * prices are those of the request, otherwise of one that has a price of its own. That another shop sells at the number of the request
 * does not tell in which currency it was meant.
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

/** The price that a shop has differently from the others. */
function findOwnPrice(saved: ListingRequest, own: ListingRequest): number | undefined {
  return own.listing.price === saved.listing.price ? undefined : own.listing.price;
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

/** Whether the price of each combination is from the call, or one that a shop of the same currency has differently from the others. */
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

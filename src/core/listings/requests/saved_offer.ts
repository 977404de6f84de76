import type { ListingRequest } from '../../../../schemas/listing_request.js';

/**
 * The lowest price and the total stock on offer, as publishing creates them in one shop. An offering without its
 * own values has the price of the shop or the listing, and the listing's quantity. Null if the request has no
 * value. `has_several_prices`: the price is the lowest of several.
 */
export function findSavedOffer({ listing, shops, variations }: ListingRequest, shop_id: number) {
  const price = shops.find((shop) => shop.shop_id === shop_id)?.price ?? listing.price ?? null;
  const quantity = listing.quantity ?? null;
  const { properties = [], offerings = [] } = variations ?? {};
  if (properties.length === 0) return { price, quantity, has_several_prices: false };
  if (offerings.length === 0) {
    const combinations = properties.reduce((product, { values }) => product * values.length, 1);
    return {
      price,
      quantity: quantity === null ? null : quantity * combinations,
      has_several_prices: false,
    };
  }
  const given = offerings.map((offering) => ({
    price: offering.price ?? price,
    quantity: offering.enabled === false ? 0 : (offering.quantity ?? quantity),
  }));
  const offered = given.filter((one) => one.quantity !== 0);
  const prices = (offered.length > 0 ? offered : given).flatMap((one) => one.price ?? []);
  const quantities = given.flatMap((one) => one.quantity ?? []);
  return {
    price: prices.length > 0 ? Math.min(...prices) : null,
    quantity: quantities.length > 0 ? quantities.reduce((sum, one) => sum + one, 0) : null,
    has_several_prices: new Set(prices).size > 1,
  };
}

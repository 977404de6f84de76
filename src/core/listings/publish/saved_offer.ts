import type { ListingRequest } from '../../../../schemas/listing_request.js';

/** The lowest price and the whole stock of what is offered, as the request says them for one shop. */
export function findSavedOffer({ listing, shops, variations }: ListingRequest, shop_id: number) {
  const own = shops.find((shop) => shop.shop_id === shop_id)?.price;
  const offerings = (variations?.offerings ?? []).filter(({ enabled }) => enabled !== false);
  const prices = offerings.flatMap(({ price }) => price ?? []);
  const quantities = offerings.flatMap(({ quantity }) => quantity ?? []);
  return {
    price: prices.length > 0 ? Math.min(...prices) : (own ?? listing.price ?? null),
    quantity:
      quantities.length > 0
        ? quantities.reduce((sum, quantity) => sum + quantity, 0)
        : (listing.quantity ?? null),
  };
}

import type { ListingRequest, ShopTarget } from '../../../../schemas/listing_request.js';
import type { ListingSnapshot } from '../snapshot/snapshot.js';

/** The request of a managed listing, updated from the shop. Fields that cannot be read from a shop stay. */
export function refreshForm(
  ours: ListingRequest,
  theirs: ListingRequest,
  shop_id: number,
  is_foreign: boolean,
): ListingRequest {
  const [target] = theirs.shops;
  if (!target) throw new Error('a form of a shop names it');
  const { digital_files, state, shops } = ours;
  const { processing_min, processing_max } = ours.listing;
  const isAlone = shops.length === 1;
  return {
    ...theirs,
    ...(state !== undefined && { state }),
    listing: {
      ...theirs.listing,
      ...(processing_min !== undefined && { processing_min }),
      ...(processing_max !== undefined && { processing_max }),
      ...(!isAlone && ours.listing.price !== undefined && { price: ours.listing.price }),
    },
    shops: shops.map((shop) =>
      shop.shop_id === shop_id ? (isAlone ? target : withPrice(target, ours, theirs, is_foreign)) : shop,
    ),
    ...(theirs.listing.listing_type === 'digital' && digital_files && { digital_files }),
  };
}

/** The request with one more shop, or with new values for a shop. @param is_foreign see withPrice */
export function addShop(
  ours: ListingRequest,
  theirs: ListingRequest,
  shop_id: number,
  is_foreign: boolean,
): ListingRequest {
  const [target] = theirs.shops;
  if (!target) throw new Error('a form of a shop names it');
  const own = withPrice(target, ours, theirs, is_foreign);
  const isThere = ours.shops.some((shop) => shop.shop_id === shop_id);
  const shops = isThere
    ? ours.shops.map((shop) => (shop.shop_id === shop_id ? own : shop))
    : [...ours.shops, own];
  return { ...ours, shops };
}

/**
 * Where each combination has a price, the shop's own are kept with what was read of it alone.
 * @param is_foreign whether it may have another currency than the other shops: the same number is another price there, which a shop
 * that joins keeps for itself, and one that has a price of its own goes on to
 */
function withPrice(
  target: ShopTarget,
  ours: ListingRequest,
  theirs: ListingRequest,
  is_foreign: boolean,
): ShopTarget {
  const { price } = theirs.listing;
  if (price === undefined) return target;
  const known = ours.shops.find(({ shop_id }) => shop_id === target.shop_id);
  const isShared = price === ours.listing.price && !(is_foreign && (!known || known.price !== undefined));
  return isShared ? target : { ...target, price };
}

/** Why an import cannot take a listing, in words for a seller; undefined where it can. */
export function findUnfit({ listing }: ListingSnapshot, shop_id: number): string | undefined {
  if (listing.shop_id !== null && listing.shop_id !== shop_id) return 'It is a listing of another shop.';
  if (listing.state === 'removed') return 'It was removed on the marketplace.';
  return undefined;
}

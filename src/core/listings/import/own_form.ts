import type { Fact } from '../../../../schemas/issue.js';
import type { ListingRequest, ShopTarget } from '../../../../schemas/listing_request.js';
import type { OwnChanges } from '../../ports/listing/changes.js';
import type { KeptSnapshot, ListingSnapshot } from '../../ports/listing/snapshot.js';
import { giveToEach, SHARED } from '../listing_fields.js';
import { buildOwnChanges } from '../requests/own_changes.js';
import { compareSnapshots } from '../snapshot/compare.js';
import { takeEdit, isPrice } from '../decide/take_over.js';

/** The request of a saved listing in a single shop, as it was read there; fields that cannot be read from a shop stay. */
export function refreshForm(ours: ListingRequest, theirs: ListingRequest): ListingRequest {
  const { digital_files, state } = ours;
  const { processing_min, processing_max } = ours.listing;
  return {
    ...theirs,
    ...(state !== undefined && { state }),
    listing: {
      ...theirs.listing,
      ...(processing_min !== undefined && { processing_min }),
      ...(processing_max !== undefined && { processing_max }),
    },
    ...(theirs.listing.listing_type === 'digital' && digital_files && { digital_files }),
  };
}

/**
 * The request with one more shop, or with new values for one of its shops.
 * @param isForeign see withPrice
 */
export function addShop(
  ours: ListingRequest,
  theirs: ListingRequest,
  shop_id: number,
  isForeign: boolean,
): ListingRequest {
  const [target] = theirs.shops;
  if (!target) throw new Error('a form of a shop names it');
  const own = withPrice(target, ours, theirs, isForeign);
  const isThere = ours.shops.some((shop) => shop.shop_id === shop_id);
  if (isThere) return { ...ours, shops: ours.shops.map((shop) => (shop.shop_id === shop_id ? own : shop)) };
  // Values that the present shops share are not those of a new one.
  const separate = structuredClone(ours);
  giveToEach(separate, SHARED);
  return { ...separate, shops: [...separate.shops, own] };
}

/**
 * Gives the shop a price of its own where it differs from that of the other shops. Where prices are those of the combinations there
 * is none to give.
 * @param isForeign whether the shop may have another currency than the others. The same number is then another price, so a shop
 * that joins keeps it as its own, as does one that had a price of its own before
 */
function withPrice(
  target: ShopTarget,
  ours: ListingRequest,
  theirs: ListingRequest,
  isForeign: boolean,
): ShopTarget {
  const { price } = theirs.listing;
  if (price === undefined) return target;
  const known = ours.shops.find(({ shop_id }) => shop_id === target.shop_id);
  const isShared = price === ours.listing.price && !(isForeign && (!known || known.price !== undefined));
  return isShared ? target : { ...target, price };
}

/**
 * The values that the shop has of its own once it was read, over the request that the shops share. Its price is in shops[] of that request.
 * @param known the request as `seen` has it
 * @param seen the listing as it was read before: in this shop, or in another one that this shop joins
 */
export function buildReadOwn(
  request: ListingRequest,
  known: ListingRequest,
  seen: KeptSnapshot,
  snapshot: ListingSnapshot,
): OwnChanges['changes'] {
  const view = structuredClone(known);
  for (const difference of compareSnapshots(seen, snapshot)) {
    if (!isPrice(difference)) takeEdit(view, difference);
  }
  return buildOwnChanges(request, view);
}

/** Why a listing cannot be imported; undefined if it can. */
export function findUnfit({ listing }: ListingSnapshot, shop_id: number): Fact | undefined {
  if (listing.shop_id !== null && listing.shop_id !== shop_id)
    return { code: 'import_of_other_shop', params: {} };
  if (listing.state === 'removed') return { code: 'import_removed', params: {} };
  return undefined;
}

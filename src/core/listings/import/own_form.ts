import type { Fact } from '../../../../schemas/issue.js';
import type { ListingRequest, ShopTarget } from '../../../../schemas/listing_request.js';
import type { OwnChanges } from '../../ports/listing/changes.js';
import type { KeptSnapshot, ListingSnapshot } from '../../ports/listing/snapshot.js';
import { giveToEach, SHARED } from '../listing_fields.js';
import { buildOwnChanges } from '../requests/own_changes.js';
import { compareSnapshots } from '../snapshot/compare.js';
import { acceptEdit, isPrice } from '../decide/accept_edits.js';

/**
 * Replaces the request of a saved listing in a single shop with the values read there. Keeps fields that cannot be
 * read from a shop.
 */
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
 * Adds a shop to the request, or replaces the values of one of its shops.
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
  // A new shop does not get the values that the present shops share.
  const separate = structuredClone(ours);
  giveToEach(separate, SHARED);
  return { ...separate, shops: [...separate.shops, own] };
}

/**
 * Gives the shop its own price if it differs from that of the other shops. If combinations have the prices, there
 * is none to give.
 * @param isForeign whether the shop's currency may differ from the others'. The same amount is then a different
 * price, so a joining shop keeps it as its own, as does a shop that already had its own price
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
 * The shop's own values once it was read, relative to the request the shops share. Its price is in shops[] of that
 * request.
 * @param known the request that matches `seen`
 * @param seen the listing as read earlier: in this shop, or in another one that this shop joins
 */
export function buildReadOwn(
  request: ListingRequest,
  known: ListingRequest,
  seen: KeptSnapshot,
  snapshot: ListingSnapshot,
): OwnChanges['changes'] {
  const view = structuredClone(known);
  for (const difference of compareSnapshots(seen, snapshot)) {
    if (!isPrice(difference)) acceptEdit(view, difference);
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

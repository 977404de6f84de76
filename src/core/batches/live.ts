import type { BatchEdit } from '../../../schemas/batch.js';
import type { ListingRequest, Offering } from '../../../schemas/listing_request.js';
import { toSource } from '../listings/rules/html.js';
import { toOfferingKey } from '../listings/rules/variation_rules.js';
import { isSameValue } from '../listings/snapshot/difference.js';
import { hasVariations } from '../listings/snapshot/read.js';
import type { ListingSnapshot, SnapshotPart } from '../ports/listing/snapshot.js';
import { toOwnVariations } from '../listings/snapshot/to_variations.js';
import { listAllOfferings } from '../listings/resolve/changes/patch_offerings.js';

/** The parts of a listing that edits are computed from. The change then need not read again the parts that come with them. */
export function listEditedParts(edits: readonly BatchEdit[]): SnapshotPart[] {
  return listPartsFor(edits.map(({ field }) => field === 'price' || field === 'quantity'));
}

/** @param areOfInventory for each edit, whether it is about the inventory */
export function listPartsFor(areOfInventory: readonly boolean[]): SnapshotPart[] {
  if (!areOfInventory.includes(true)) return ['listing'];
  return areOfInventory.includes(false) ? ['listing', 'translations', 'inventory'] : ['listing', 'inventory'];
}

const OF_LISTING = ['title', 'tags', 'materials'] as const;

/**
 * A shop's request updated with the shop's current values, so that an edit builds on them even if the listing was edited on
 * the marketplace. Values that a request cannot express stay as saved.
 */
export function withLive(
  saved: ListingRequest,
  shop_id: number,
  { listing, inventory }: Partial<ListingSnapshot>,
): ListingRequest {
  const request = structuredClone(saved);
  if (listing) {
    for (const field of OF_LISTING) {
      const value = listing[field];
      if (value !== undefined && value !== null && !isSameValue(value, request.listing[field] ?? [])) {
        Object.assign(request.listing, { [field]: value });
      }
    }
    if (toSource(listing.description) !== toSource(saved.listing.description)) {
      request.listing.description = toSource(listing.description);
    }
  }
  if (listing && inventory) setSelling(request, shop_id, inventory);
  return request;
}

function setSelling(request: ListingRequest, shop_id: number, inventory: ListingSnapshot['inventory']): void {
  const target = request.shops.find((one) => one.shop_id === shop_id);
  if (!target) return;
  const [only] = inventory.products;
  if (only && !hasVariations(inventory)) {
    request.listing.quantity = only.quantity;
    if ((target.price ?? request.listing.price) !== only.price) target.price = only.price;
    return;
  }
  const own = toOwnVariations({ inventory, images: [], variation_images: [] }, false);
  if (!own || !request.variations?.properties) return;
  const keys = request.variations.properties.map(({ name }) => toOfferingKey(name));
  const toKey = (offering: Offering) => JSON.stringify(keys.map((key) => offering[key]));
  const live = new Map((own.offerings ?? []).map((offering) => [toKey(offering), offering]));
  const shared = target.price ?? request.listing.price;
  request.variations.offerings = listAllOfferings(request).map((offering) => {
    const is = live.get(toKey(offering));
    if (!is) return offering;
    const price = is.price === (offering.price ?? shared) ? {} : { price: is.price };
    const quantity =
      is.quantity === undefined || isSame(offering, request, is) ? {} : { quantity: is.quantity };
    return { ...offering, ...price, ...quantity };
  });
}

/** Whether the saved stock of a combination equals the shop's. */
function isSame(offering: Offering, { listing }: ListingRequest, is: Offering): boolean {
  return (offering.quantity ?? listing.quantity) === is.quantity;
}

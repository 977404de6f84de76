import type { ListingSnapshot, SnapshotPart } from '../../ports/listing/snapshot.js';
import type { Marketplace } from '../../ports/marketplace.js';
import type { CallOptions } from '../../ports/marketplace_call.js';
import type { ShopRef } from '../../ports/records.js';
import type { Inventory, ListingDetails, MarketplaceListing } from '../../ports/marketplace_listing.js';

/** All parts that can be read. */
export const SNAPSHOT_PARTS = [
  'listing',
  'images',
  'videos',
  'translations',
  'questions',
  'inventory',
  'attributes',
  'variation_images',
  'files',
] as const satisfies readonly SnapshotPart[];

/** Parts that one call returns together with the listing. */
const DETAILS: readonly SnapshotPart[] = ['listing', 'images', 'videos', 'translations', 'questions'];

/**
 * Reads parts of a listing with as few calls as possible: photos of variations only if the inventory, when read
 * too, has variations; files only if the listing, when read too, is digital; and the listing together with its
 * inventory if no other details are requested. The result includes further parts that a call returns. Photos and
 * files are ordered by rank. Throws the marketplace's errors.
 */
export async function readSnapshot<Part extends SnapshotPart>(
  marketplace: Marketplace,
  shop: ShopRef,
  listing_id: number,
  parts: readonly Part[],
  options?: CallOptions,
): Promise<Pick<ListingSnapshot, Part> & Partial<ListingSnapshot>> {
  const wanted = new Set<SnapshotPart>(parts);
  const [found, attributes] = await Promise.all([
    readDetailsAndInventory(),
    wanted.has('attributes') ? marketplace.listAttributes(shop, listing_id, options) : undefined,
  ]);
  const [variation_images, files] = await Promise.all([
    wanted.has('variation_images') ? readVariationImages(found.inventory) : undefined,
    wanted.has('files') ? readFiles(found.listing) : undefined,
  ]);
  const snapshot: Partial<ListingSnapshot> = {
    ...found,
    ...(attributes && { attributes }),
    ...(variation_images && { variation_images }),
    ...(files && { files }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each part that was asked for has been read
  return snapshot as Pick<ListingSnapshot, Part> & Partial<ListingSnapshot>;

  async function readDetailsAndInventory(): Promise<Partial<ListingDetails & { inventory: Inventory }>> {
    const details = DETAILS.filter((part) => wanted.has(part));
    if (wanted.has('inventory') && details.length === 1 && wanted.has('listing')) {
      return marketplace.getInventoryWithListing(shop, listing_id, options);
    }
    const [found, inventory] = await Promise.all([
      details.length > 0 ? marketplace.getListingDetails(shop, listing_id, options) : undefined,
      wanted.has('inventory') ? marketplace.getInventory(shop, listing_id, options) : undefined,
    ]);
    return {
      ...found,
      ...(found && { images: found.images.toSorted((a, b) => a.rank - b.rank) }),
      ...(inventory && { inventory }),
    };
  }

  async function readVariationImages(inventory: Inventory | undefined) {
    if (inventory && !hasVariations(inventory)) return [];
    return marketplace.listVariationImages(shop, listing_id, options);
  }

  async function readFiles(listing: MarketplaceListing | undefined) {
    if (listing?.listing_type === 'physical') return [];
    const files = await marketplace.listFiles(shop, listing_id, options);
    return files.toSorted((a, b) => a.rank - b.rank);
  }
}

export function hasVariations({ products }: Inventory): boolean {
  return products.some(({ property_values }) => property_values.length > 0);
}

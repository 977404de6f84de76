import {
  MarketplaceError,
  type BatchRecord,
  type Inventory,
  type Ports,
  type Publication,
  type ShopRef,
} from '../ports/index.js';

/** The most that one marketplace call reads. */
const MOST = 100;
/** A plan may wait for hours until the marketplace lets further calls through. */
const FRESH_MS = 60_000;

/**
 * Reads the inventory of a listing of a plan, together with those of the places after `index` in the same shop. Undefined if
 * that call was refused, for which one unknown listing is enough.
 */
export type ReadInventory = (
  index: number,
  shop: ShopRef,
  listing_id: number,
  signal: AbortSignal,
) => Promise<Inventory | undefined>;

export function createInventoriesAhead(
  { store, marketplace, clock }: Pick<Ports, 'store' | 'marketplace' | 'clock'>,
  { account_id, spec }: BatchRecord,
): ReadInventory {
  /** By listing id; an entry without an inventory must be read individually. */
  const known = new Map<number, { inventory?: Inventory | undefined; read_ms: number }>();
  return async (index, shop, listing_id, signal) => {
    const found = known.get(listing_id);
    if (found && clock.monotonic() - found.read_ms < FRESH_MS) return found.inventory;
    const next = new Set([listing_id]);
    for (const { listing_pk } of spec.places.slice(index)) {
      if (next.size === MOST) break;
      const id = findListingId(await store.listings.listPublications(account_id, listing_pk), shop);
      if (id !== undefined) next.add(id);
    }
    const read_ms = clock.monotonic();
    const inventories = await marketplace
      .listInventoriesById(shop, [...next], { signal })
      .catch((cause: unknown) => {
        if (!(cause instanceof MarketplaceError)) throw cause;
        return undefined;
      });
    for (const id of next) known.set(id, { inventory: inventories?.get(id), read_ms });
    return inventories?.get(listing_id);
  };
}

function findListingId(publications: readonly Publication[], { shop_id }: ShopRef): number | undefined {
  return publications.find((one) => one.shop_id === shop_id)?.listing_id ?? undefined;
}

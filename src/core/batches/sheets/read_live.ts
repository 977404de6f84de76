import pLimit from 'p-limit';
import { within } from '../../async/within.js';
import {
  MarketplaceError,
  type ConnectedShop,
  type Inventory,
  type MarketplaceListing,
  type Ports,
  type ShopRef,
} from '../../ports/index.js';

const LISTINGS = 100;
/** Each inventory may have hundreds of products. */
const INVENTORIES = 25;
const SIDE_BY_SIDE = 4;
/** After this time, the rest of a large export gets the last known values. */
const PATIENCE_MS = 40_000;

type Place = { shop: ConnectedShop; listing_id: number };
export type LiveListing = { listing: MarketplaceListing; inventory: Inventory };

/** Reads listings with their inventories, many per call, as far as that works. By listing id. */
export async function readLive(
  { marketplace, clock }: Pick<Ports, 'marketplace' | 'clock'>,
  places: readonly Place[],
): Promise<Map<number, LiveListing>> {
  const found = new Map<number, LiveListing>();
  const shops = new Map<number, Place[]>();
  for (const place of places.filter(({ shop }) => !shop.is_reconnect_required)) {
    shops.set(place.shop.shop_id, [...(shops.get(place.shop.shop_id) ?? []), place]);
  }
  await within(clock, PATIENCE_MS, async (signal) => {
    await pLimit(SIDE_BY_SIDE).map([...shops.values()], async (own) => {
      for (const some of chunk(own, LISTINGS)) {
        if (signal.aborted) return;
        await readSome(some, signal).catch((cause: unknown) => {
          if (!signal.aborted && !(cause instanceof MarketplaceError)) throw cause;
        });
      }
    });
  });
  return found;

  async function readSome(some: readonly Place[], signal: AbortSignal): Promise<void> {
    const [first] = some;
    if (!first) return;
    const { account_id, shop_id } = first.shop;
    const shop = { account_id, shop_id };
    const ids = some.map(({ listing_id }) => listing_id);
    const listings = await marketplace.listListingsById(shop, ids, { signal });
    // Those that are not on sale may be missing.
    const known_ids = new Set(listings.map(({ listing_id }) => listing_id));
    await pLimit(SIDE_BY_SIDE).map(
      ids.filter((listing_id) => !known_ids.has(listing_id)),
      (listing_id) => readOne(shop, listing_id, signal),
    );
    // One unknown listing makes the marketplace refuse the call for all of them.
    for (const known of chunk(listings, INVENTORIES)) {
      const inventories = await marketplace.listInventoriesById(
        shop,
        known.map(({ listing_id }) => listing_id),
        { signal },
      );
      for (const listing of known) {
        const inventory = inventories.get(listing.listing_id);
        if (inventory) found.set(listing.listing_id, { listing, inventory });
      }
    }
  }

  async function readOne(shop: ShopRef, listing_id: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    try {
      found.set(listing_id, await marketplace.getInventoryWithListing(shop, listing_id, { signal }));
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
    }
  }
}

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

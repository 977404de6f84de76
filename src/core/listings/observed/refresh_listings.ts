import type { Ports } from '../../ports/index.js';
import {
  MarketplaceError,
  type CallOptions,
  type Inventory,
  type ListingState,
  type ManagedListing,
  type MarketplaceListing,
  type SeenListing,
  type ShopRef,
} from '../../ports/index.js';
import { GONE, isRefused, toSighting } from './sighting.js';

const BATCH = 100;
/** Listings whose inventories one call reads: each may have hundreds of products. */
const INVENTORIES = 25;
/** The marketplace returns no pages beyond this offset. */
const MAX_OFFSET = 12_000;
const LISTED = ['draft', 'inactive', 'expired', 'sold_out', 'active'] as const;
type Listed = Exclude<ListingState, 'removed'>;

export type RefreshRequest = {
  shop: ShopRef;
  listings: readonly ManagedListing[];
  /** Whether to request listings once more by id that were gone when last seen and are in no list. */
  has_gone: boolean;
  /** Called after each marketplace call, to keep the claim. */
  renew(): Promise<void>;
};

/**
 * Re-reads managed listings of one shop and saves the sightings. Returns the number of calls made. Throws
 * MarketplaceError.
 */
export type RefreshListings = (request: RefreshRequest, options: CallOptions) => Promise<number>;

/**
 * Reads the listings in batches by id first. The marketplace may omit those that are not on sale, so missing ones
 * are searched for in the shop's lists, state by state. Only those in no list are read one by one: they are
 * removed, or gone.
 */
export function createRefreshListings({
  store,
  marketplace,
  clock,
}: Pick<Ports, 'store' | 'marketplace' | 'clock'>): RefreshListings {
  return async ({ shop, listings, has_gone, renew }, given) => {
    const options: CallOptions = { ...given, lane: 'background' };
    let calls = 0;
    const missing = new Map(listings.map(({ listing_id, state }) => [listing_id, state]));
    const varied = new Set(listings.flatMap(({ listing_id, is_varied }) => (is_varied ? [listing_id] : [])));

    for (let start = 0; start < listings.length; start += BATCH) {
      const ids = listings.slice(start, start + BATCH).map(({ listing_id }) => listing_id);
      await read(() => marketplace.listListingsById(shop, ids, options));
    }
    if (!has_gone) {
      for (const [listing_id, state] of missing) if (isGone(state)) missing.delete(listing_id);
    }
    for (const state of sortByMost([...missing.values()])) await readState(state);
    for (const listing_id of missing.keys()) await readOne(listing_id);
    return calls;

    /** Saves the sightings of one call, and removes their listings from `missing`. */
    async function read(call: () => Promise<readonly MarketplaceListing[]>): Promise<void> {
      const asked_ms = clock.monotonic();
      const found = await call();
      calls += 1;
      await renew();
      const seen = found.filter(({ listing_id }) => missing.has(listing_id));
      const inventories = await readInventories(seen.map(({ listing_id }) => listing_id));
      const sightings = seen.map((listing) => {
        const { listing_id } = listing;
        return { listing_id, ...toSighting(listing, inventories.get(listing_id)) };
      });
      await keep(sightings, asked_ms);
    }

    /**
     * For listings with variations. If one of them is refused, for example because it is gone by now, all are, and
     * their prices stay unknown.
     */
    async function readInventories(listing_ids: readonly number[]): Promise<Map<number, Inventory>> {
      const ids = listing_ids.filter((listing_id) => varied.has(listing_id));
      const found = new Map<number, Inventory>();
      for (let start = 0; start < ids.length; start += INVENTORIES) {
        const inventories = await marketplace
          .listInventoriesById(shop, ids.slice(start, start + INVENTORIES), options)
          .catch((cause: unknown) => {
            if (!isRefused(cause)) throw cause;
            return new Map<number, Inventory>();
          });
        for (const [listing_id, inventory] of inventories) found.set(listing_id, inventory);
        calls += 1;
        await renew();
      }
      return found;
    }

    async function readState(state: Listed): Promise<void> {
      for (let offset = 0; missing.size > 0 && offset <= MAX_OFFSET; offset += BATCH) {
        let total = 0;
        await read(async () => {
          const { count, results } = await marketplace.listShopListings(
            shop,
            { state, limit: BATCH, offset },
            options,
          );
          total = results.length === 0 ? 0 : count;
          return results;
        });
        if (offset + BATCH >= total) return;
      }
    }

    async function readOne(listing_id: number): Promise<void> {
      const asked_ms = clock.monotonic();
      const seen = await marketplace
        .getListing(shop, listing_id, options)
        .then((listing) => toSighting(listing))
        .catch((cause: unknown) => {
          if (cause instanceof MarketplaceError && cause.failure === 'not_found') return GONE;
          throw cause;
        });
      calls += 1;
      await renew();
      await keep([{ listing_id, ...seen }], asked_ms);
    }

    async function keep(
      sightings: readonly (SeenListing & { listing_id: number })[],
      asked_ms: number,
    ): Promise<void> {
      for (const { listing_id } of sightings) missing.delete(listing_id);
      if (sightings.length === 0) return;
      await store.listings.saveSightings(shop, sightings, clock.monotonic() - asked_ms);
    }
  };
}

/**
 * Whether the listing is removed or gone. Only the seller can bring it back, and a batch then includes it again.
 */
function isGone(state: ManagedListing['state']): boolean {
  return state === 'removed' || state === 'gone';
}

/** States ordered by how many of the listings were last seen in them. */
function sortByMost(states: readonly ManagedListing['state'][]): Listed[] {
  const count = (state: Listed) => states.filter((known) => known === state).length;
  return [...LISTED].sort((a, b) => count(b) - count(a));
}

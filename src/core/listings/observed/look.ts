import type { Ports } from '../../ports/index.js';
import {
  MarketplaceError,
  type CallOptions,
  type ListingState,
  type ManagedListing,
  type MarketplaceListing,
  type SeenListing,
  type ShopRef,
} from '../../ports/index.js';
import { GONE, toSighting } from './sighting.js';

const BATCH = 100;
/** The marketplace answers no pages beyond this offset. */
const MAX_OFFSET = 12_000;
const LISTED = ['draft', 'inactive', 'expired', 'sold_out', 'active'] as const;
type Listed = Exclude<ListingState, 'removed'>;

export type Look = {
  shop: ShopRef;
  listings: readonly ManagedListing[];
  /** Whether to ask once more, by id, for listings that were gone when last seen and are in no list. */
  has_gone: boolean;
  /** Called after each call of the marketplace, to keep the claim. */
  renew(): Promise<void>;
};

/** Reads managed listings of one shop again and saves the sightings; answers how many calls that took. Throws MarketplaceError. */
export type LookAtListings = (look: Look, options: CallOptions) => Promise<number>;

/**
 * Reads the listings in batches by id first. The marketplace may leave out those that are not on sale, so missing ones are looked
 * for in the shop's lists, state by state, and only those in no list are read one by one: they are removed, or gone.
 */
export function createLookAtListings({
  store,
  marketplace,
  clock,
}: Pick<Ports, 'store' | 'marketplace' | 'clock'>): LookAtListings {
  return async ({ shop, listings, has_gone, renew }, given) => {
    const options: CallOptions = { ...given, lane: 'background' };
    let calls = 0;
    const missing = new Map(listings.map(({ listing_id, state }) => [listing_id, state]));

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

    /** Saves the sightings of one call, and takes their listings off `missing`. */
    async function read(call: () => Promise<readonly MarketplaceListing[]>): Promise<void> {
      const asked_ms = clock.monotonic();
      const found = await call();
      const seen = found.filter(({ listing_id }) => missing.has(listing_id));
      await keep(
        seen.map((listing) => ({ listing_id: listing.listing_id, ...toSighting(listing) })),
        asked_ms,
      );
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
        .then(toSighting, (cause: unknown) => {
          if (cause instanceof MarketplaceError && cause.failure === 'not_found') return GONE;
          throw cause;
        });
      await keep([{ listing_id, ...seen }], asked_ms);
    }

    async function keep(
      sightings: readonly (SeenListing & { listing_id: number })[],
      asked_ms: number,
    ): Promise<void> {
      calls += 1;
      for (const { listing_id } of sightings) missing.delete(listing_id);
      if (sightings.length > 0) {
        await store.listings.saveSightings(shop, sightings, clock.monotonic() - asked_ms);
      }
      await renew();
    }
  };
}

/** Whether the listing was removed or gone. Only the seller can bring it back, and then a batch has it again. */
function isGone(state: ManagedListing['state']): boolean {
  return state === 'removed' || state === 'gone';
}

/** States in the order of how many of the listings were last seen in them. */
function sortByMost(states: readonly ManagedListing['state'][]): Listed[] {
  const count = (state: Listed) => states.filter((known) => known === state).length;
  return [...LISTED].sort((a, b) => count(b) - count(a));
}

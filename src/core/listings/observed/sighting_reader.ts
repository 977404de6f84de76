import pLimit from 'p-limit';
import type { Ports } from '../../ports/index.js';
import {
  MarketplaceError,
  type CallOptions,
  type ConnectedShop,
  type Publication,
  type SeenListing,
  type ShopRef,
  type Sighting,
} from '../../ports/index.js';
import type { Shops } from '../../shops/shops.js';
import { within } from '../../async/within.js';
import { GONE, isRefused, REFUSED_INVENTORY, toSighting } from './sighting.js';

/** A sighting older than this is refreshed when a person opens the listing. */
const FRESH_MS = 60_000;
/** A person waits no longer than this, and then sees the last sighting. */
const PATIENCE_MS = 4_000;
const SIDE_BY_SIDE = 8;

/** One of our listings in one of its shops. `is_varied`: also read the prices of its variations. */
type Place = ShopRef & { listing_id: number; is_varied?: boolean };

export type SightingReader = {
  /**
   * Re-reads a listing in shops whose last sighting is older than `max_age_ms` (a minute by default), as far as
   * possible within four seconds. Logs and ignores failures of the marketplace. `is_varied`: includes the prices of
   * its variations, and also re-reads fresh sightings that lack them.
   */
  refresh(
    account_id: string,
    listing_pk: number,
    options?: { max_age_ms?: number; is_varied?: boolean },
  ): Promise<void>;
  /**
   * By shop id: the listing at this moment. Throws MarketplaceError. @param isAwaited whether a person waits for it
   */
  readNow(places: readonly Place[], isAwaited: boolean): Promise<Map<number, SeenListing>>;
};

export function createSightingReader({
  store,
  marketplace,
  shops,
  clock,
  log,
}: Pick<Ports, 'store' | 'marketplace' | 'clock' | 'log'> & { shops: Shops }): SightingReader {
  /** Reads that a person waits for take precedence over the work of jobs. */
  async function read(
    place: Place,
    { isAwaited = true, signal }: { isAwaited?: boolean; signal?: AbortSignal } = {},
  ): Promise<SeenListing> {
    const { listing_id, is_varied = false, ...shop } = place;
    const asked_ms = clock.monotonic();
    const options: CallOptions = { ...(isAwaited && { lane: 'interactive' }), ...(signal && { signal }) };
    const seen =
      (is_varied ? await readWithPrices(shop, listing_id, options) : undefined) ??
      (await marketplace
        .getListing(shop, listing_id, options)
        .then((listing) => toSighting(listing, is_varied ? REFUSED_INVENTORY : undefined))
        .catch((cause: unknown) => {
          if (cause instanceof MarketplaceError && cause.failure === 'not_found') return GONE;
          throw cause;
        }));
    await store.listings.saveSightings(shop, [{ listing_id, ...seen }], clock.monotonic() - asked_ms);
    return seen;
  }

  /** Undefined if the marketplace has no inventory for it: reading the listing shows why. */
  async function readWithPrices(
    shop: ShopRef,
    listing_id: number,
    options: CallOptions,
  ): Promise<SeenListing | undefined> {
    try {
      const { listing, inventory } = await marketplace.getInventoryWithListing(shop, listing_id, options);
      return toSighting(listing, inventory);
    } catch (cause) {
      if (!isRefused(cause)) throw cause;
      return undefined;
    }
  }

  return {
    async refresh(account_id, listing_pk, { max_age_ms = FRESH_MS, is_varied = false } = {}) {
      const [publications, sightings, connected] = await Promise.all([
        store.listings.listPublications(account_id, listing_pk),
        store.listings.listSightings(account_id, listing_pk),
        shops.listConnected(account_id),
      ]);
      const places = listPlaces(account_id, publications, connected)
        .filter(({ shop_id }) => {
          const seen = sightings.find((sighting) => sighting.shop_id === shop_id);
          const needsPrices = is_varied && seen?.shown?.prices === undefined && seen?.state !== 'gone';
          return needsPrices || !isFresh(seen, max_age_ms);
        })
        .map((place) => ({ ...place, is_varied }));
      if (places.length === 0) return;
      await within(clock, PATIENCE_MS, (over) =>
        pLimit(SIDE_BY_SIDE).map(places, (place) =>
          read(place, { signal: over }).catch((cause: unknown) => {
            if (over.aborted) return;
            const error = cause instanceof MarketplaceError ? cause.failure : cause;
            log.warn('a listing could not be read again', { listing_pk, shop_id: place.shop_id, error });
          }),
        ),
      );
    },
    async readNow(places, isAwaited) {
      const seen = await pLimit(SIDE_BY_SIDE).map(
        places,
        async (place) => [place.shop_id, await read(place, { isAwaited })] as const,
      );
      return new Map(seen);
    },
  };

  /** A time in the future proves nothing: a clock was set. */
  function isFresh(seen: Pick<Sighting, 'seen_at'> | undefined, max_age_ms: number): boolean {
    if (!seen || seen.seen_at === null) return false;
    const age_ms = clock.now().getTime() - Date.parse(seen.seen_at);
    return age_ms >= 0 && age_ms <= max_age_ms;
  }
}

function listPlaces(
  account_id: string,
  publications: readonly Publication[],
  shops: readonly ConnectedShop[],
): Place[] {
  const readable = new Set(
    shops.flatMap(({ shop_id, is_reconnect_required }) => (is_reconnect_required ? [] : [shop_id])),
  );
  return publications.flatMap(({ shop_id, listing_id }) =>
    listing_id !== null && readable.has(shop_id) ? [{ account_id, shop_id, listing_id }] : [],
  );
}

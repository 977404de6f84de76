import pLimit from 'p-limit';
import type { Ports } from '../../ports/index.js';
import {
  MarketplaceError,
  type ConnectedShop,
  type Publication,
  type SeenListing,
  type ShopRef,
  type Sighting,
} from '../../ports/index.js';
import type { Shops } from '../../shops/shops.js';
import { GONE, toSighting } from './sighting.js';

/** A sighting older than this is read again when a person opens the listing. */
const FRESH_MS = 60_000;
/** A person waits no longer than this, and is shown the last sighting then. */
const PATIENCE_MS = 4_000;
const SIDE_BY_SIDE = 8;

/** One of our listings in one of its shops. */
type Place = ShopRef & { listing_id: number };

export type SightingReader = {
  /**
   * Reads a listing again in those of its shops whose last sighting is older than `max_age_ms` (a minute by default), as far as that
   * is done within four seconds. Failures of the marketplace are logged and passed over.
   */
  refresh(account_id: string, listing_pk: number, options?: { max_age_ms?: number }): Promise<void>;
  /** By shop id: the listing as it is at this moment. Throws MarketplaceError. */
  readNow(places: readonly Place[]): Promise<Map<number, SeenListing>>;
};

export function createSightingReader({
  store,
  marketplace,
  shops,
  clock,
  log,
}: Pick<Ports, 'store' | 'marketplace' | 'clock' | 'log'> & { shops: Shops }): SightingReader {
  /** A person waits for it, so it goes before background work. */
  async function read({ listing_id, ...shop }: Place, signal?: AbortSignal): Promise<SeenListing> {
    const asked_ms = clock.monotonic();
    const options = { lane: 'interactive', ...(signal && { signal }) } as const;
    const seen = await marketplace
      .getListing(shop, listing_id, options)
      .then(toSighting, (cause: unknown) => {
        if (cause instanceof MarketplaceError && cause.failure === 'not_found') return GONE;
        throw cause;
      });
    await store.listings.saveSightings(shop, [{ listing_id, ...seen }], clock.monotonic() - asked_ms);
    return seen;
  }

  return {
    async refresh(account_id, listing_pk, { max_age_ms = FRESH_MS } = {}) {
      const [publications, sightings, connected] = await Promise.all([
        store.listings.listPublications(account_id, listing_pk),
        store.listings.listSightings(account_id, listing_pk),
        shops.listConnected(account_id),
      ]);
      const places = listPlaces(account_id, publications, connected).filter(
        ({ shop_id }) =>
          !isFresh(
            sightings.find((seen) => seen.shop_id === shop_id),
            max_age_ms,
          ),
      );
      if (places.length === 0) return;
      const over = new AbortController();
      const reading = pLimit(SIDE_BY_SIDE).map(places, (place) =>
        read(place, over.signal).catch((cause: unknown) => {
          if (over.signal.aborted) return;
          const error = cause instanceof MarketplaceError ? cause.failure : cause;
          log.warn('a listing could not be read again', { listing_pk, shop_id: place.shop_id, error });
        }),
      );
      const patience = new AbortController();
      const slept = clock.sleep(PATIENCE_MS, patience.signal).catch(() => undefined);
      await Promise.race([reading, slept]);
      patience.abort('over');
      over.abort('over');
    },
    async readNow(places) {
      const seen = await pLimit(SIDE_BY_SIDE).map(
        places,
        async (place) => [place.shop_id, await read(place)] as const,
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

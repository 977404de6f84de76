import pLimit from 'p-limit';
import {
  type Ports,
  ClaimLostError,
  MarketplaceError,
  type RefreshClaim,
  type ShopRef,
} from '../../ports/index.js';
import type { RefreshListings } from './refresh_listings.js';

/** Shops refreshed at the same time; the client keeps the marketplace's limits. */
const SIDE_BY_SIDE = 2;
/** How long a claim lasts. It is renewed between calls, so it exceeds one call with all its waiting. */
const CLAIM_MS = 5 * 60_000;
/** Changes reported within this time, in milliseconds, are read together. */
export const BURST_MS = 3_000;
/** Another process may have claimed a refresh that is due, so it is not tried again at once. */
const LEAST_WAIT_MS = 1_000;

export type RefreshSchedule = {
  /**
   * Reads the managed listings of every shop that is due and that no other process reads. Returns when the next
   * shop is due.
   */
  refreshDue(signal: AbortSignal): Promise<Date | undefined>;
  /** Has these listings of a shop, or all of them if undefined, read again soon. Ignores unknown listings. */
  markChanged(shop_id: number, listing_ids: readonly number[] | undefined): Promise<void>;
};

export function createRefreshSchedule(
  { store, marketplace, clock, log }: Pick<Ports, 'store' | 'marketplace' | 'clock' | 'log'>,
  refreshListings: RefreshListings,
): RefreshSchedule {
  return {
    async refreshDue(signal) {
      const schedule = await store.refreshes.listRefreshes();
      const due = schedule.filter(({ due_in_ms }) => due_in_ms === 0);
      await pLimit(SIDE_BY_SIDE).map(due, async ({ account_id, shop_id, keystring }) => {
        const shops = schedule.filter((other) => other.keystring === keystring).length;
        if (!signal.aborted) await refresh({ account_id, shop_id }, shops, signal);
      });
      const waits_ms = (await store.refreshes.listRefreshes()).map(({ due_in_ms }) => due_in_ms);
      if (waits_ms.length === 0) return undefined;
      return new Date(clock.now().getTime() + Math.max(LEAST_WAIT_MS, Math.min(...waits_ms)));
    },
    markChanged: (shop_id, listing_ids) => store.refreshes.markStale(shop_id, listing_ids, BURST_MS),
  };

  /** @param shops the number of shops that share the daily limit of the shop's application */
  async function refresh(shop: ShopRef, shops: number, signal: AbortSignal): Promise<void> {
    const claimed = await store.refreshes.claimRefresh(shop, CLAIM_MS);
    if (!claimed) return;
    const { is_whole, ...claim } = claimed;
    try {
      const listings = await store.refreshes.listManaged(shop, { is_stale: !is_whole });
      const renew = () => store.refreshes.renewRefresh(claim, CLAIM_MS);
      const calls = await refreshListings({ shop, listings, has_gone: !is_whole, renew }, { signal });
      const day_limit = await marketplace.getDayLimit(shop);
      const next = is_whole ? { whole_in_ms: getNextRefresh({ calls, shops, day_limit }) } : {};
      await store.refreshes.finishRefresh(claim, next);
    } catch (cause) {
      if (!(cause instanceof ClaimLostError)) await giveBack(claim, cause, signal);
    }
  }

  /**
   * Ends the claim after an error. Another process can claim an interrupted refresh at once; its sightings are kept.
   */
  async function giveBack(claim: RefreshClaim, cause: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return store.refreshes.finishRefresh(claim, { pause_ms: 0 });
    const isForeign = cause instanceof MarketplaceError;
    const fields = { shop_id: claim.shop_id, error: isForeign ? cause.failure : cause };
    log[isForeign ? 'warn' : 'error']('the listings of a shop could not be read again', fields);
    const asked_ms = isForeign ? (cause.retry_after_seconds ?? 0) * 1000 : 0;
    return store.refreshes.finishRefresh(claim, { pause_ms: Math.max(AFTER_FAILURE_MS, asked_ms) });
  }
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** A displayed sighting may be at most six hours old; waiting for a slot and the refresh itself take the rest. */
const EVERY_MS = 5.5 * HOUR_MS;
/** The share of an application's daily calls that refreshing listings may use, over all shops. */
const DAY_SHARE = 0.25;

/** The time between a failed refresh and the next one. */
const AFTER_FAILURE_MS = 5 * 60_000;

/**
 * Milliseconds until all listings of a shop are read again. Exceeds the usual time only if all shops together would
 * use too many of the application's daily calls.
 */
function getNextRefresh(last: {
  /** Calls the last refresh made. */
  calls: number;
  shops: number;
  /** The application's daily calls, if known. */
  day_limit: number | undefined;
}): number {
  const { calls, shops, day_limit } = last;
  const affordable_ms = day_limit === undefined ? 0 : (shops * calls * DAY_MS) / (day_limit * DAY_SHARE);
  return Math.round(Math.max(EVERY_MS, affordable_ms));
}

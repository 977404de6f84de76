import type { ShopRef } from '../records.js';
import type { SeenState } from '../records.js';

/**
 * The claim on a check of a shop, which reads its managed listings again. One process has it at a time; a
 * process that lost it cannot write.
 */
export type RefreshClaim = ShopRef & { fence: number };

/**
 * A listing in a shop that this service manages; `state`: by the last sighting, null without one.
 * `is_varied`: it has variations.
 */
export type ManagedListing = { listing_id: number; state: SeenState | null; is_varied: boolean };

/**
 * The schedule of checks: which shops' listings are read again, when, and by which process. Times are by the
 * database's clock.
 */
export type RefreshStore = {
  /**
   * Shops with managed listings and working tokens. `due_in_ms`: 0 for at once. `keystring`: the application
   * that the shop's tokens were issued to; null: the installation's own.
   */
  listRefreshes(): Promise<(ShopRef & { keystring: string | null; due_in_ms: number })[]>;
  /**
   * Claims a shop that is due, for `for_ms`; undefined if another running process has it. `is_whole`: read
   * all of its listings, not only those that may have changed.
   */
  claimRefresh(shop: ShopRef, for_ms: number): Promise<(RefreshClaim & { is_whole: boolean }) | undefined>;
  /** Throws ClaimLostError. */
  renewRefresh(claim: RefreshClaim, for_ms: number): Promise<void>;
  /**
   * Releases the claim; does nothing if it was lost. `whole_in_ms`: the time until all of the shop is read
   * again; if left out, that time stays unchanged. `pause_ms`: the pause after a failed check.
   */
  finishRefresh(claim: RefreshClaim, next: { whole_in_ms?: number; pause_ms?: number }): Promise<void>;
  /**
   * The shop's managed listings, ordered by id. `is_stale`: only those that may have changed since their last
   * sighting.
   */
  listManaged(shop: ShopRef, options: { is_stale: boolean }): Promise<ManagedListing[]>;
  /**
   * Marks listings as possibly changed, for every account that manages them; they are read again in
   * `pause_ms`, since changes come in bursts.
   * @param listing_ids undefined: all listings of the shop
   */
  markStale(shop_id: number, listing_ids: readonly number[] | undefined, pause_ms: number): Promise<void>;
};

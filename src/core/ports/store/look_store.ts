import type { ShopRef } from '../records.js';
import type { SeenState } from '../records.js';

/** The right to read the managed listings of a shop again, which one process has at a time. What is written with a lost one is refused. */
export type LookClaim = ShopRef & { fence: number };

/** A listing of ours in a shop, and what it was when it was last seen there. */
export type ManagedListing = { listing_id: number; state: SeenState | null };

/** Which shops' listings are read again, when, and by which process. All times are the database's own. */
export type LookStore = {
  /**
   * Shops with managed listings that can be read, and in how many milliseconds each is due: 0 for at once. `keystring`: of the
   * application that its tokens were given to; null: the installation's own.
   */
  listLooks(): Promise<(ShopRef & { keystring: string | null; due_in_ms: number })[]>;
  /**
   * Takes a shop that is due and that no living process has; for so long, unless it is renewed. `is_whole`: all of its listings are
   * to be read, not only those that may have changed.
   */
  claimLook(shop: ShopRef, for_ms: number): Promise<(LookClaim & { is_whole: boolean }) | undefined>;
  /** Throws ClaimLostError. */
  renewLook(claim: LookClaim, for_ms: number): Promise<void>;
  /**
   * Gives the shop back. `whole_in_ms`: all of it is read again after that long; left out, when it would have been anyway.
   * `pause_ms`: nothing of it sooner than that, after a look that failed. Nothing happens when the claim was lost.
   */
  finishLook(claim: LookClaim, next: { whole_in_ms?: number; pause_ms?: number }): Promise<void>;
  /** Those on the marketplace, by id. `is_stale`: only what may have changed since it was seen. */
  listManaged(shop: ShopRef, options: { is_stale: boolean }): Promise<ManagedListing[]>;
  /**
   * What may have changed is read again soon, for every account that manages it: so long from now, since changes come in bursts.
   * @param listing_ids left out: all listings of the shop
   */
  markStale(shop_id: number, listing_ids: readonly number[] | undefined, pause_ms: number): Promise<void>;
};

import type { EventMoney } from '../../../../schemas/event.js';
import type { OrderChange } from '../receipt.js';
import type { ShopRef } from '../records.js';
import type { Page } from '../records.js';

/** An account's watch over the orders of one of its shops, from connecting the shop until disconnecting it. */
export type OrderWatch = {
  account_id: string;
  shop_id: number;
  /** Changes before this make no events. */
  since: string;
  /**
   * All changes up to this time have been recorded, in epoch seconds of the marketplace's time; null before
   * the first poll.
   */
  heard_until_s: number | null;
  shop_name: string;
  currency_code: string;
};

/** The changes of one order that an account received as events. */
export type RecordedOrder = { receipt_id: number; created_at_s: number; changes: readonly OrderChange[] };

/**
 * The part of an order that is stored for the seller. Nothing about the buyer: no name, no address, no
 * messages.
 */
export type OrderSummary = {
  /** In epoch seconds of the marketplace's time. */
  updated_at_s: number;
  total: EventMoney | null;
  /** The earliest ship-by date of its items; left out of orders recorded before this field existed. */
  ship_by_s?: number | null;
  items: {
    listing_id: number | null;
    title: string;
    quantity: number;
    sku: string | null;
    variations: { name: string; value: string }[];
  }[];
};

export type KeptOrder = RecordedOrder & { shop_id: number; summary: OrderSummary };

/** A page of recorded orders, newest first. `is_to_send`: only those that are paid, and neither shipped nor canceled;
 * oldest first. */
export type OrderQuery = {
  shop_id?: number | undefined;
  is_to_send?: boolean;
  limit: number;
  offset: number;
};

/**
 * The claim on polling the orders of a shop. One process has it at a time; `fence`: writes with a lost claim
 * are refused.
 */
export type PollClaim = { shop_id: number; fence: number };

export type PollState = {
  /** Pause before this poll. */
  interval_ms: number;
  /** When to check shipped orders for delivery again; null for at once. */
  next_transit_at: string | null;
};

/**
 * A marketplace message that names an order. `told`: the change that it claims, which must be verified by
 * reading the order.
 */
export type OrderHint = { webhook_id: string; shop_id: number; receipt_id: number; told: OrderChange };

/** The claim on a hint; `attempt`: how often it was claimed, which serves as the fence. */
type HintClaim = Pick<OrderHint, 'webhook_id'> & { attempt: number };

/** `age_ms`: the time since it was received. */
export type ClaimedHint = OrderHint & HintClaim & { age_ms: number };

/**
 * Recorded orders, and the schedule of polls. A poll is by shop, not by account: two accounts may have the
 * same shop.
 */
export type OrderStore = {
  /** Watches of connected shops whose tokens work and cover orders. */
  listWatches(shop_id: number): Promise<OrderWatch[]>;
  listRecorded(shop: ShopRef, receipt_ids: readonly number[]): Promise<RecordedOrder[]>;
  /** Adds changes to the recorded ones; never removes any. */
  saveRecorded(shop: ShopRef, orders: readonly (RecordedOrder & { summary: OrderSummary })[]): Promise<void>;
  /** Orders of connected shops. */
  listOrders(account_id: string, query: OrderQuery): Promise<Page<KeptOrder>>;
  /**
   * Sets `heard_until_s` of the watches. It moves back only from a value later than `latest_s`, which a wrong
   * clock must have set. Throws ClaimLostError if another process has claimed the shop.
   */
  saveHeardUntil(
    claim: PollClaim,
    watches: readonly OrderWatch[],
    heard_until_s: number,
    latest_s: number,
  ): Promise<void>;
  /** Creation times of a shop's orders that were shipped, not yet delivered and not canceled; ascending. */
  listInTransit(shop_id: number, created_from_s: number): Promise<number[]>;
  /** Maps these marketplace listings to our listings. */
  listListingPks(shop: ShopRef, listing_ids: readonly number[]): Promise<Map<number, number>>;

  /**
   * Shops that have a watch and working tokens. `due_in_ms`: 0 for at once. `account_id`: the first account
   * that watches it; `keystring`: the application that its tokens were issued to, null for the installation's
   * own.
   */
  listPolls(): Promise<(ShopRef & { keystring: string | null; due_in_ms: number })[]>;
  /**
   * Connected shops whose orders cannot be read: the tokens are no longer valid, or lack the scope.
   * @param account_id left out: of all accounts
   */
  listUnwatchable(
    account_id?: string,
  ): Promise<{ account_id: string; shop_id: number; reason: 'reconnect' | 'scope' }[]>;
  /** Claims a shop that is due, for `for_ms`; undefined if another running process has it. */
  claimPoll(shop_id: number, for_ms: number): Promise<(PollClaim & { state: PollState }) | undefined>;
  /** Throws ClaimLostError. */
  renewPoll(claim: PollClaim, for_ms: number): Promise<void>;
  /** Releases the claim; the next poll is after the pause. Does nothing if the claim was lost. */
  finishPoll(claim: PollClaim, pause_ms: number, state: PollState): Promise<void>;

  /** False if the message arrived before. */
  saveHint(hint: OrderHint): Promise<boolean>;
  /** Claims the hint that has been due the longest; it is due again after `for_ms` unless it is finished. */
  claimHint(for_ms: number): Promise<ClaimedHint | undefined>;
  /** Does nothing if the hint was claimed again in the meantime; the same for finishHint. */
  postponeHint(hint: HintClaim, pause_ms: number): Promise<void>;
  finishHint(hint: HintClaim): Promise<void>;
  /** Milliseconds until the next hint is due; undefined without hints. */
  findNextHint(): Promise<number | undefined>;
  /**
   * Deletes hints that were finished `age_ms` ago; they are kept for a while, since a message may arrive
   * again.
   */
  sweepHints(age_ms: number): Promise<number>;
};

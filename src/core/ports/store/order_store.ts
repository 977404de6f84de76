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
  /** All changes up to this have been recorded, in epoch seconds of the marketplace's time; null before the first look. */
  heard_until_s: number | null;
  shop_name: string;
  currency_code: string;
};

/** The changes of one order that an account has been told as events. */
export type HeardOrder = { receipt_id: number; created_at_s: number; changes: readonly OrderChange[] };

/** The part of an order that is kept for the seller. Nothing of the buyer: no name, no address, no messages. */
export type OrderSummary = {
  /** In epoch seconds of the marketplace's time. */
  updated_at_s: number;
  total: EventMoney | null;
  items: {
    listing_id: number | null;
    title: string;
    quantity: number;
    sku: string | null;
    variations: { name: string; value: string }[];
  }[];
};

export type KeptOrder = HeardOrder & { shop_id: number; summary: OrderSummary };

/** A page of recorded orders. `is_to_send`: only those that are paid, and neither shipped nor canceled. */
export type OrderQuery = {
  shop_id?: number | undefined;
  is_to_send?: boolean;
  limit: number;
  offset: number;
};

/** The claim on looking at the orders of a shop. One process has it at a time; `fence`: writes with a lost one are refused. */
export type PollClaim = { shop_id: number; fence: number };

export type PollState = {
  /** Pause before this look. */
  interval_ms: number;
  /** When shipped orders are to be checked for delivery again; null for at once. */
  next_transit_at: string | null;
};

/** A message of the marketplace that names an order. `told`: the change that it claims, which has to be verified by reading the order. */
export type OrderHint = { webhook_id: string; shop_id: number; receipt_id: number; told: OrderChange };

/** The claim on a hint; `attempt`: how often it was claimed, which serves as the fence. */
type HintClaim = Pick<OrderHint, 'webhook_id'> & { attempt: number };

/** `age_ms`: since it was received. */
export type ClaimedHint = OrderHint & HintClaim & { age_ms: number };

/** Orders that were recorded, and the schedule of looks at shops. A look is by shop, not by account: two accounts may have the same shop. */
export type OrderStore = {
  /** Watches of connected shops whose tokens are alive and cover orders. */
  listWatches(shop_id: number): Promise<OrderWatch[]>;
  listHeard(shop: ShopRef, receipt_ids: readonly number[]): Promise<HeardOrder[]>;
  /** Adds changes to the recorded ones; none is ever removed. */
  saveHeard(shop: ShopRef, orders: readonly (HeardOrder & { summary: OrderSummary })[]): Promise<void>;
  /** Orders of connected shops, the newest first. */
  listOrders(account_id: string, query: OrderQuery): Promise<Page<KeptOrder>>;
  /**
   * Sets `heard_until_s` of the watches. It goes back only from a value later than `latest_s`, which a wrong clock must have set.
   * Throws ClaimLostError when another process has claimed the shop.
   */
  saveHeardUntil(
    claim: PollClaim,
    watches: readonly OrderWatch[],
    heard_until_s: number,
    latest_s: number,
  ): Promise<void>;
  /** Creation times of a shop's orders that were shipped, not yet delivered and not canceled; ascending. */
  listInTransit(shop_id: number, created_from_s: number): Promise<number[]>;
  /** Which of our listings these marketplace listings are. */
  listListingPks(shop: ShopRef, listing_ids: readonly number[]): Promise<Map<number, number>>;

  /**
   * Shops that have a watch and living tokens. `due_in_ms`: 0 for at once. `account_id`: the first account that watches it;
   * `keystring`: the application that its tokens were given to, null for the installation's own.
   */
  listPolls(): Promise<(ShopRef & { keystring: string | null; due_in_ms: number })[]>;
  /**
   * Connected shops whose orders cannot be read: the tokens are over, or lack the scope.
   * @param account_id left out: of all accounts
   */
  listUnwatchable(
    account_id?: string,
  ): Promise<{ account_id: string; shop_id: number; reason: 'reconnect' | 'scope' }[]>;
  /** Claims a shop that is due, for `for_ms`; undefined when another running process has it. */
  claimPoll(shop_id: number, for_ms: number): Promise<(PollClaim & { state: PollState }) | undefined>;
  /** Throws ClaimLostError. */
  renewPoll(claim: PollClaim, for_ms: number): Promise<void>;
  /** Releases the claim; the next look is after the pause. Nothing happens when the claim was lost. */
  finishPoll(claim: PollClaim, pause_ms: number, state: PollState): Promise<void>;

  /** False when the message has come before. */
  saveHint(hint: OrderHint): Promise<boolean>;
  /** Claims the hint that has been due for longest; it is due again after `for_ms` unless it is finished. */
  claimHint(for_ms: number): Promise<ClaimedHint | undefined>;
  /** Nothing happens when the hint was claimed again meanwhile; the same for finishHint. */
  postponeHint(hint: HintClaim, pause_ms: number): Promise<void>;
  finishHint(hint: HintClaim): Promise<void>;
  /** Milliseconds until the next hint is due; undefined without hints. */
  findNextHint(): Promise<number | undefined>;
  /** Deletes hints that were finished `age_ms` ago; they are kept for a while, since a message may come again. */
  sweepHints(age_ms: number): Promise<number>;
};

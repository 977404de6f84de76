import type { EventMoney } from '../../../../schemas/event.js';
import type { OrderChange } from '../../orders/changes.js';
import type { ShopRef } from '../records.js';
import type { Page } from '../records.js';

/** An account that hears of the orders of a shop of its own: from the time it connected the shop until it lets go of it. */
export type OrderWatch = {
  account_id: string;
  shop_id: number;
  /** What happened before is history, and no event. */
  since: string;
  /** The newest change that has been heard, in epoch seconds of the marketplace's time, and all before it; null before the first look. */
  heard_until_s: number | null;
  shop_name: string;
  currency_code: string;
};

/** What an account has heard of one order. */
export type HeardOrder = { receipt_id: number; created_at_s: number; changes: readonly OrderChange[] };

/** What of an order its seller sees again later. Nothing of the buyer: no name, no address, no words. */
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

/** `summary`: null of an order that was heard of before summaries were kept. */
export type KeptOrder = HeardOrder & { shop_id: number; summary: OrderSummary | null };

/** The right to look at one shop, which one process has at a time. `fence`: what is written with a lost one is refused. */
export type PollClaim = { shop_id: number; fence: number };

export type PollState = {
  /** Pause before this look. */
  interval_ms: number;
  /** When orders on their way are to be looked at again; null for at once. */
  next_transit_at: string | null;
};

/** A message of the marketplace that names an order. `told` is what it says of it, which has to be looked up. */
export type OrderHint = { webhook_id: string; shop_id: number; receipt_id: number; told: OrderChange };

/** A hint that was taken so many times, which is the fence of the last one. */
type HintClaim = Pick<OrderHint, 'webhook_id'> & { attempt: number };

/** `age_ms`: since it was received. */
export type ClaimedHint = OrderHint & HintClaim & { age_ms: number };

/** What has been heard of orders, and who looks next. Shops, not accounts, are looked at: two accounts may have the same. */
export type OrderStore = {
  /** Watches of connected shops whose tokens are alive and cover orders. */
  listWatches(shop_id: number): Promise<OrderWatch[]>;
  listHeard(shop: ShopRef, receipt_ids: readonly number[]): Promise<HeardOrder[]>;
  /** Adds to what was heard; nothing is ever unheard. */
  saveHeard(shop: ShopRef, orders: readonly (HeardOrder & { summary: OrderSummary })[]): Promise<void>;
  /** Of connected shops, the newest first. */
  listOrders(
    account_id: string,
    page: { shop_id?: number | undefined; limit: number; offset: number },
  ): Promise<Page<KeptOrder>>;
  /**
   * Goes back only from what is later than `latest_s`, where no clock that was right can have put it. Throws ClaimLostError when
   * another process has taken the shop over.
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
   * Shops that have a watch and living tokens, and in how many milliseconds to look at each: 0 for at once. `account_id`: the
   * first that is asked for; `keystring`: of the application that its tokens were given to, null for the installation's own.
   */
  listPolls(): Promise<(ShopRef & { keystring: string | null; due_in_ms: number })[]>;
  /** Shops that are connected but cannot be looked at, and why. */
  listUnwatchable(): Promise<{ account_id: string; shop_id: number; reason: 'reconnect' | 'scope' }[]>;
  /** Takes a shop that is due and that no living process has; for so long, unless it is renewed. */
  claimPoll(shop_id: number, for_ms: number): Promise<(PollClaim & { state: PollState }) | undefined>;
  /** Throws ClaimLostError. */
  renewPoll(claim: PollClaim, for_ms: number): Promise<void>;
  /** Gives the shop back, to be looked at again after the pause. Nothing happens when the claim was lost. */
  finishPoll(claim: PollClaim, pause_ms: number, state: PollState): Promise<void>;

  /** False when the message has come before. */
  saveHint(hint: OrderHint): Promise<boolean>;
  /** Takes the hint that has been due for longest; it is due again after `for_ms` unless it is finished. */
  claimHint(for_ms: number): Promise<ClaimedHint | undefined>;
  /** Nothing happens when it was taken again meanwhile; nor in finishHint. */
  postponeHint(hint: HintClaim, pause_ms: number): Promise<void>;
  finishHint(hint: HintClaim): Promise<void>;
  /** In how many milliseconds the next one is due. */
  findNextHint(): Promise<number | undefined>;
  /** Those that were finished so long ago: they are kept for a while, since a message may come again. */
  sweepHints(age_ms: number): Promise<number>;
};

import pLimit from 'p-limit';
import type { Ports } from '../ports/index.js';
import {
  ClaimLostError,
  MarketplaceError,
  type PollClaim,
  type PollState,
  type ShopRef,
} from '../ports/index.js';
import { POLL_CLAIM_MS, type PollShop } from './poll_shop.js';
import { getNextInterval, getPauseAfterFailure, UNWATCHED_MS } from './pace.js';

/** Shops polled in parallel; the client keeps the marketplace's limits. */
const SIDE_BY_SIDE = 4;
/** Another process may have claimed a poll that is already due, so it is not tried again at once. */
const LEAST_WAIT_MS = 1_000;

export type Polls = {
  /** Polls every shop that is due and that no other process is polling; returns when the next one is due. */
  pollDue(signal: AbortSignal): Promise<Date | undefined>;
};

/** @param least_ms the shortest pause between two polls of one shop */
export function createPolls(
  { store, marketplace, clock, log }: Ports,
  { pollShop, least_ms }: { pollShop: PollShop; least_ms: number },
): Polls {
  /** Logged once, not at every poll. */
  const logged = new Set<string>();

  return {
    async pollDue(signal) {
      await logUnwatchable();
      const polls = await store.orders.listPolls();
      const due = polls.filter(({ due_in_ms }) => due_in_ms === 0);
      await pLimit(SIDE_BY_SIDE).map(due, async (shop) => {
        const shops = polls.filter(({ keystring }) => keystring === shop.keystring).length;
        if (!signal.aborted) await poll(shop, shops, signal);
      });
      const waits_ms = (await store.orders.listPolls()).map(({ due_in_ms }) => due_in_ms);
      if (waits_ms.length === 0) return undefined;
      return new Date(clock.now().getTime() + Math.max(LEAST_WAIT_MS, Math.min(...waits_ms)));
    },
  };

  /** @param shops the number of shops that share the daily limit of the shop's application */
  async function poll(shop: ShopRef, shops: number, signal: AbortSignal): Promise<void> {
    const claimed = await store.orders.claimPoll(shop.shop_id, POLL_CLAIM_MS);
    if (!claimed) return;
    const { state, ...claim } = claimed;
    const after = await pollClaimed(claim, state, { ...shop, shops }, signal);
    if (!after) return;
    const { pause_ms, ...seen } = after;
    await store.orders.finishPoll(claim, pause_ms, seen);
  }

  /** Never throws; undefined if another process has claimed the shop. */
  async function pollClaimed(
    claim: PollClaim,
    state: PollState,
    { shops, ...shop }: ShopRef & { shops: number },
    signal: AbortSignal,
  ): Promise<(PollState & { pause_ms: number }) | undefined> {
    const before_ms = state.interval_ms;
    try {
      const seen = await pollShop(claim, state, { signal });
      if (!seen) return { ...state, pause_ms: UNWATCHED_MS };
      const { news, next_transit_at } = seen;
      if (news > 0) log.info('new order events found', { shop_id: claim.shop_id, events: news });
      const day_limit = await marketplace.getDayLimit(shop);
      const interval_ms = getNextInterval({ before_ms, has_news: news > 0, least_ms, shops, day_limit });
      return { interval_ms, next_transit_at, pause_ms: interval_ms };
    } catch (cause) {
      if (cause instanceof ClaimLostError) return undefined;
      // Stopped in the middle: the next process resumes from here.
      if (signal.aborted) return { ...state, pause_ms: 0 };
      const isForeign = cause instanceof MarketplaceError;
      const fields = { shop_id: claim.shop_id, error: isForeign ? cause.failure : cause };
      log[isForeign ? 'warn' : 'error']('the orders of a shop could not be polled', fields);
      const retry_after_s = isForeign ? cause.retry_after_seconds : undefined;
      const interval_ms = getPauseAfterFailure(before_ms, least_ms, retry_after_s);
      return { ...state, interval_ms, pause_ms: interval_ms };
    }
  }

  async function logUnwatchable(): Promise<void> {
    const unwatchable = await store.orders.listUnwatchable();
    const now = new Set(unwatchable.map(toKey));
    for (const shop of unwatchable) {
      if (logged.has(toKey(shop))) continue;
      logged.add(toKey(shop));
      const { shop_id, reason } = shop;
      log.warn('no order events for a shop: its owner has to connect it again', { shop_id, reason });
    }
    for (const key of logged) if (!now.has(key)) logged.delete(key);
  }
}

function toKey({
  account_id,
  shop_id,
  reason,
}: {
  account_id: string;
  shop_id: number;
  reason: string;
}): string {
  return `${account_id}/${shop_id}/${reason}`;
}

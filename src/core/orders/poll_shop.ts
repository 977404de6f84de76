import type { Ports, CallOptions, OrderWatch, PollClaim, PollState, ReceiptPage } from '../ports/index.js';
import { askAsOne } from './ask_as_one.js';
import type { RecordChanges } from './record_changes.js';
import { findDelivered, walkReceipts } from './pages.js';

const DAY_S = 24 * 60 * 60;
const MINUTE_MS = 60_000;
/**
 * The first poll also reads orders created up to this many seconds before the watch, so that their earlier
 * changes are known.
 */
const FIRST_POLL_S = 60 * DAY_S;
/** Changes may show late in the marketplace's list, so each poll reads this many seconds again. */
const OVERLAP_S = 10 * 60;
/** Seconds to read again when `heard_until_s` is in the future: a clock was wrong, for an unknown time. */
const DOUBT_S = DAY_S;
/** A shipped order is not checked for delivery after this time: it was most likely sent without tracking. */
const MAX_TRANSIT_S = 120 * DAY_S;
/** Shipped orders whose creation times are farther apart than this, in seconds, are read in separate ranges. */
const TRANSIT_GAP_S = 2 * DAY_S;
/** Pause before shipped orders are checked again, for each call that a check took. */
const TRANSIT_PAUSE_MS = 15 * MINUTE_MS;
const MAX_TRANSIT_PAUSE_MS = 6 * 60 * MINUTE_MS;
/** Duration of a claim, in ms: longer than a page takes, with all its waiting. It is renewed after each page. */
export const POLL_CLAIM_MS = 5 * MINUTE_MS;

type PollResult = { news: number; next_transit_at: string };

/**
 * Reads the changes of a shop's orders since the last poll. Undefined if no account has working tokens for it
 * anymore.
 */
export type PollShop = (
  claim: PollClaim,
  state: PollState,
  options: CallOptions,
) => Promise<PollResult | undefined>;

export function createPollShop(ports: Ports, recordChanges: RecordChanges): PollShop {
  const { store, marketplace, clock, log } = ports;
  const getCeiling = createCeiling(ports);
  return (claim, state, options) =>
    askAsOne(
      () => store.orders.listWatches(claim.shop_id),
      (shop, watches) => pollAs(shop, watches, claim, state, options),
    );

  async function pollAs(
    shop: OrderWatch,
    watches: readonly OrderWatch[],
    claim: PollClaim,
    { next_transit_at }: PollState,
    options: CallOptions,
  ): Promise<PollResult> {
    const started_ms = clock.now().getTime();
    const fresh = watches.filter(({ heard_until_s }) => heard_until_s === null);
    if (fresh.length > 0) await pollFirst(shop, fresh, claim, options);
    let news = await readChanges(shop, watches, claim, options);
    const rest_ms = next_transit_at === null ? 0 : Date.parse(next_transit_at) - started_ms;
    // A rest longer than the longest pause means that the clock was set back.
    if (next_transit_at !== null && rest_ms > 0 && rest_ms <= MAX_TRANSIT_PAUSE_MS)
      return { news, next_transit_at };
    const transit = await readTransit(shop, watches, claim, options);
    news += transit.news;
    const pause_ms = Math.min(Math.max(1, transit.calls) * TRANSIT_PAUSE_MS, MAX_TRANSIT_PAUSE_MS);
    return { news, next_transit_at: new Date(clock.now().getTime() + pause_ms).toISOString() };
  }

  /**
   * Reads delivered orders first: an order delivered in between is recorded as shipped, and the next poll
   * records its delivery.
   */
  async function pollFirst(
    shop: OrderWatch,
    watches: readonly OrderWatch[],
    claim: PollClaim,
    options: CallOptions,
  ): Promise<void> {
    const since_s = Math.min(...watches.map(({ since }) => Math.floor(Date.parse(since) / 1000)));
    const range = { created_from_s: since_s - FIRST_POLL_S };
    const delivered = await findDelivered(marketplace, shop, range, options, () => renew(claim));
    let newest_s = range.created_from_s;
    for await (const page of walkReceipts(marketplace, shop, range, options)) {
      await recordPage(watches, page, delivered);
      newest_s = Math.max(newest_s, findNewest(page, Math.min(since_s, getCeiling())) ?? 0);
      await renew(claim);
    }
    await commit(claim, watches, newest_s);
  }

  async function readChanges(
    shop: OrderWatch,
    watches: readonly OrderWatch[],
    claim: PollClaim,
    options: CallOptions,
  ): Promise<number> {
    let news = 0;
    const recorded_s = listStart(watches);
    const latest_s = getCeiling();
    const isDoubtful = recorded_s > latest_s + OVERLAP_S;
    const range = { changed_from_s: isDoubtful ? latest_s - DOUBT_S : recorded_s - OVERLAP_S };
    const isFirst = watches.some(({ heard_until_s }) => heard_until_s === null);
    // readTransit checks orders that did not change since then for delivery.
    const unknown_from_s = isFirst || isDoubtful ? range.changed_from_s : recorded_s + 1;
    for await (const page of walkReceipts(marketplace, shop, range, options)) {
      const delivered = await findDeliveredOf(shop, page, unknown_from_s, claim, options);
      news += await recordPage(watches, page, delivered);
      await commit(claim, watches, findNewest(page, getCeiling()) ?? range.changed_from_s);
      await renew(claim);
    }
    return news;
  }

  /**
   * A delivery may not count as a change of the order, so this checks shipped orders for it by their creation
   * times.
   */
  async function readTransit(
    shop: OrderWatch,
    watches: readonly OrderWatch[],
    claim: PollClaim,
    options: CallOptions,
  ): Promise<{ news: number; calls: number }> {
    const oldest_s = Math.floor(clock.now().getTime() / 1000) - MAX_TRANSIT_S;
    const created = await store.orders.listInTransit(shop.shop_id, oldest_s);
    let news = 0;
    let calls = 0;
    for (const { from, to } of groupNear(created)) {
      const walk = { created_from_s: from, created_to_s: to, was_delivered: true } as const;
      for await (const page of walkReceipts(marketplace, shop, walk, options)) {
        calls += 1;
        news += await recordPage(watches, page, new Set(page.receipts.map(({ receipt_id }) => receipt_id)));
        await renew(claim);
      }
    }
    return { news, calls };
  }

  /**
   * The delivered orders of a page, from that change on. Reads the page again with the filter; makes no call
   * if there can be none.
   */
  async function findDeliveredOf(
    shop: OrderWatch,
    { receipts }: ReceiptPage,
    from_s: number,
    claim: PollClaim,
    options: CallOptions,
  ): Promise<Set<number>> {
    const changed = receipts
      .filter(({ is_shipped, updated_at_s }) => is_shipped && updated_at_s >= from_s)
      .map(({ updated_at_s }) => updated_at_s);
    if (changed.length === 0) return new Set();
    const range = { changed_from_s: Math.min(...changed), changed_to_s: Math.max(...changed) };
    return findDelivered(marketplace, shop, range, options, () => renew(claim));
  }

  async function recordPage(
    watches: readonly OrderWatch[],
    { receipts, unreadable }: ReceiptPage,
    delivered: ReadonlySet<number>,
  ): Promise<number> {
    if (unreadable > 0) {
      log.warn('orders that cannot be read were passed over', { shop_id: watches[0]?.shop_id, unreadable });
    }
    if (receipts.length === 0) return 0;
    return recordChanges(
      watches,
      receipts.map((receipt) => ({ receipt, is_delivered: delivered.has(receipt.receipt_id) })),
    );
  }

  async function commit(
    claim: PollClaim,
    watches: readonly OrderWatch[],
    heard_until_s: number,
  ): Promise<void> {
    const latest_s = getCeiling() + OVERLAP_S;
    await store.orders.saveHeardUntil(claim, watches, heard_until_s, latest_s);
  }

  async function renew(claim: PollClaim): Promise<void> {
    await store.orders.renewPoll(claim, POLL_CLAIM_MS);
  }
}

function listStart(watches: readonly OrderWatch[]): number {
  return Math.min(
    ...watches.map(({ heard_until_s, since }) => heard_until_s ?? Math.floor(Date.parse(since) / 1000)),
  );
}

/** The newest change of a page that is no newer than the ceiling; undefined if there is none. */
function findNewest({ receipts, last_at_s }: ReceiptPage, ceiling_s: number): number | undefined {
  const moments = [...receipts.map(({ updated_at_s }) => updated_at_s), last_at_s ?? Infinity];
  const possible = moments.filter((moment) => moment <= ceiling_s);
  return possible.length === 0 ? undefined : Math.max(...possible);
}

/** Splits ascending times into ranges without long gaps. */
function groupNear(moments: readonly number[]): { from: number; to: number }[] {
  const groups: { from: number; to: number }[] = [];
  for (const moment of moments) {
    const last = groups.at(-1);
    if (last && moment - last.to <= TRANSIT_GAP_S) last.to = moment;
    else groups.push({ from: moment, to: moment });
  }
  return groups;
}

/** After this time without a contradiction, in ms, a clock that jumped ahead is believed. */
const DOUBT_MS = 60 * 60 * 1000;

/**
 * The upper bound of the marketplace's current time, in epoch seconds: the earlier of our clock and the
 * marketplace's clock by its last answer, and no later than the lowest bound of the last hour plus the time
 * since. It may be too early; it is too late only if both clocks have been ahead for an hour. Call it after
 * an answer.
 */
function createCeiling({ clock, marketplace }: Pick<Ports, 'clock' | 'marketplace'>): () => number {
  /**
   * Bounds minus the monotonic time when they were read: the lowest of the last hour, and the lowest ones
   * after it.
   */
  const lowest: { base_ms: number; at_ms: number }[] = [];
  return () => {
    const skew_ms = marketplace.getClockSkew();
    const at_ms = clock.monotonic();
    const base_ms = clock.now().getTime() + Math.min(0, skew_ms) - at_ms;
    while ((lowest.at(-1)?.base_ms ?? -Infinity) >= base_ms) lowest.pop();
    lowest.push({ base_ms, at_ms });
    while ((lowest[0]?.at_ms ?? at_ms) < at_ms - DOUBT_MS) lowest.shift();
    return Math.floor((at_ms + (lowest[0]?.base_ms ?? base_ms)) / 1000);
  };
}

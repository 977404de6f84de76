import type { Ports } from '../ports/index.js';
import type { OrderChange } from '../ports/receipt.js';
import type { Events } from '../webhooks/events.js';
import type { OrderWatch } from '../ports/index.js';
import { listChanges, listNews, toOrderEvent, type Hearing } from './changes.js';
import { toOrderSummary } from './list.js';
import { buildOrderData } from './payload.js';
import type { Looks } from '../listings/observed/looks.js';
import type { Settings } from '../settings.js';

const DAY_S = 24 * 60 * 60;

/**
 * Records events for the changes of orders that were just read, for each account that watches their shop;
 * returns the number of new changes. Saves the event before it marks the change as recorded: if the process
 * dies in between, the change is found again, and the event is already known.
 */
export type Hear = (watches: readonly OrderWatch[], hearings: readonly Hearing[]) => Promise<number>;

export function createHear(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  events: Pick<Events, 'record'>,
  { retention }: Pick<Settings, 'retention'>,
  /** A sale lowers the stock and may sell out the listing, so the listing must be read again. */
  changed: Looks['markChanged'],
): Hear {
  return async (watches, hearings) => {
    let news = 0;
    for (const watch of watches) news += await hearFor(watch, hearings);
    return news;
  };

  async function hearFor(watch: OrderWatch, hearings: readonly Hearing[]): Promise<number> {
    const receipt_ids = hearings.map(({ receipt }) => receipt.receipt_id);
    const known = await store.orders.listHeard(watch, receipt_ids);
    const heard = new Map(known.map(({ receipt_id, changes }) => [receipt_id, changes]));
    const changed: Parameters<typeof store.orders.saveHeard>[1][number][] = [];
    let recorded = 0;
    for (const hearing of hearings) {
      const { receipt_id, created_at_s } = hearing.receipt;
      const before = heard.get(receipt_id);
      recorded += await recordNews(watch, hearing, before);
      const changes = listChanges(hearing);
      if (before && changes.every((change) => before.includes(change))) continue;
      changed.push({ receipt_id, created_at_s, changes, summary: toOrderSummary(hearing.receipt) });
    }
    if (changed.length === 0) return recorded;
    await store.orders.saveHeard(watch, changed);
    return recorded;
  }

  async function recordNews(
    watch: OrderWatch,
    hearing: Hearing,
    before: readonly OrderChange[] | undefined,
  ): Promise<number> {
    const since_s = Math.max(Math.floor(Date.parse(watch.since) / 1000), getForgotten());
    const news = listNews(hearing, before, since_s);
    if (news.length === 0) return 0;
    const { account_id, shop_id } = watch;
    const { receipt_id, transactions } = hearing.receipt;
    const listing_ids = transactions.flatMap(({ listing_id }) => listing_id ?? []);
    const listing_pks = await store.orders.listListingPks(watch, listing_ids);
    if (news.some((change) => change === 'paid' || change === 'canceled')) {
      const areKnown = transactions.length > 0 && listing_ids.length === transactions.length;
      await changed(shop_id, areKnown ? listing_ids : undefined);
    }
    const subject = `etsy:${shop_id}:${receipt_id}`;
    const isDelivered = hearing.is_delivered || before?.includes('delivered') === true;
    let recorded = 0;
    for (const change of news) {
      const outcome = await events.record({
        account_id,
        event_type: toOrderEvent(change),
        data: buildOrderData(watch, { ...hearing, is_delivered: isDelivered }, change, listing_pks),
        subject,
        change_key: `${subject}:${change}`,
      });
      if (outcome === 'recorded') recorded += 1;
    }
    return recorded;
  }

  /**
   * Orders created before this (epoch seconds) make no events, since their recorded changes may already be
   * deleted; includes a day of margin.
   */
  function getForgotten(): number {
    return Math.floor(clock.now().getTime() / 1000) - (retention.orders_days - 1) * DAY_S;
  }
}

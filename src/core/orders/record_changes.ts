import type { Ports } from '../ports/index.js';
import type { OrderChange } from '../ports/receipt.js';
import type { Events } from '../webhooks/events.js';
import type { OrderWatch } from '../ports/index.js';
import { listChanges, listNews, toOrderEvent, type OrderReading } from './changes.js';
import { toOrderSummary } from './list.js';
import { buildOrderData } from './payload.js';
import type { RefreshSchedule } from '../listings/observed/refresh_schedule.js';
import type { Settings } from '../settings.js';

const DAY_S = 24 * 60 * 60;

/**
 * Records events for the changes of orders that were just read, for each account that watches their shop;
 * returns the number of new changes. Saves the event before it marks the change as recorded: if the process
 * dies in between, the change is found again, and the event is already known.
 */
export type RecordChanges = (
  watches: readonly OrderWatch[],
  readings: readonly OrderReading[],
) => Promise<number>;

export function createRecordChanges(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  events: Pick<Events, 'record'>,
  { retention }: Pick<Settings, 'retention'>,
  /** A sale lowers the stock and may sell out the listing, so the listing must be read again. */
  changed: RefreshSchedule['markChanged'],
): RecordChanges {
  return async (watches, readings) => {
    let news = 0;
    for (const watch of watches) news += await recordFor(watch, readings);
    return news;
  };

  async function recordFor(watch: OrderWatch, readings: readonly OrderReading[]): Promise<number> {
    const receipt_ids = readings.map(({ receipt }) => receipt.receipt_id);
    const known = await store.orders.listRecorded(watch, receipt_ids);
    const changes_by_id = new Map(known.map(({ receipt_id, changes }) => [receipt_id, changes]));
    const changed: Parameters<typeof store.orders.saveRecorded>[1][number][] = [];
    let recorded = 0;
    for (const reading of readings) {
      const { receipt_id, created_at_s } = reading.receipt;
      const before = changes_by_id.get(receipt_id);
      recorded += await recordNews(watch, reading, before);
      const changes = listChanges(reading);
      if (before && changes.every((change) => before.includes(change))) continue;
      changed.push({ receipt_id, created_at_s, changes, summary: toOrderSummary(reading.receipt) });
    }
    if (changed.length === 0) return recorded;
    await store.orders.saveRecorded(watch, changed);
    return recorded;
  }

  async function recordNews(
    watch: OrderWatch,
    reading: OrderReading,
    before: readonly OrderChange[] | undefined,
  ): Promise<number> {
    const since_s = Math.max(Math.floor(Date.parse(watch.since) / 1000), getForgotten());
    const news = listNews(reading, before, since_s);
    if (news.length === 0) return 0;
    const { account_id, shop_id } = watch;
    const { receipt_id, transactions } = reading.receipt;
    const listing_ids = transactions.flatMap(({ listing_id }) => listing_id ?? []);
    const listing_pks = await store.orders.listListingPks(watch, listing_ids);
    if (news.some((change) => change === 'paid' || change === 'canceled')) {
      const areKnown = transactions.length > 0 && listing_ids.length === transactions.length;
      await changed(shop_id, areKnown ? listing_ids : undefined);
    }
    const subject = `etsy:${shop_id}:${receipt_id}`;
    const isDelivered = reading.is_delivered || before?.includes('delivered') === true;
    let recorded = 0;
    for (const change of news) {
      const outcome = await events.record({
        account_id,
        event_type: toOrderEvent(change),
        data: buildOrderData(watch, { ...reading, is_delivered: isDelivered }, change, listing_pks),
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

import type { OrderEvent } from '../../../schemas/endpoint.js';
import { type Receipt, ORDER_CHANGES, type OrderChange } from '../ports/receipt.js';

export function toOrderEvent(change: OrderChange): OrderEvent {
  return `order.${change}`;
}

/**
 * An order that was just read. `told`: the change that the marketplace's message claimed, if a message named
 * the order.
 */
export type OrderReading = { receipt: Receipt; is_delivered: boolean; told?: OrderChange | undefined };

/** All changes of the order up to now. */
export function listChanges({ receipt, is_delivered }: OrderReading): OrderChange[] {
  const has: Record<OrderChange, boolean> = {
    paid: receipt.is_paid,
    shipped: receipt.is_shipped,
    delivered: is_delivered,
    canceled: receipt.is_canceled,
  };
  return ORDER_CHANGES.filter((change) => has[change]);
}

/**
 * The changes that are new to an account. `recorded`: its recorded changes of the order; undefined if it has no
 * record of the order. Then changes from before the watch began make no events. The time of such a change
 * comes from the marketplace's message, from the change's own time, or follows from the order being younger
 * than the watch.
 */
export function listNews(
  reading: OrderReading,
  recorded: readonly OrderChange[] | undefined,
  since_s: number,
): OrderChange[] {
  const changes = listChanges(reading);
  if (recorded) return changes.filter((change) => !recorded.includes(change));
  if (reading.receipt.created_at_s >= since_s) return changes;
  const at = listMoments(reading.receipt);
  return changes.filter((change) => change === reading.told || (at[change] ?? 0) >= since_s);
}

/**
 * When each change happened, in epoch seconds; null if the order does not say. Canceling an order also
 * refunds it.
 */
function listMoments(receipt: Receipt): Record<OrderChange, number | null> {
  return {
    paid: receipt.paid_at_s,
    shipped: receipt.shipped_at_s,
    delivered: null,
    canceled: receipt.refunded_at_s,
  };
}

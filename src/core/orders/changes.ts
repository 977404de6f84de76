import type { OrderEvent } from '../../../schemas/endpoint.js';
import { type Receipt, ORDER_CHANGES, type OrderChange } from '../ports/receipt.js';

export function toOrderEvent(change: OrderChange): OrderEvent {
  return `order.${change}`;
}

/** An order as it was just read. `told`: the change that the marketplace's message claimed, if there was one. */
export type Hearing = { receipt: Receipt; is_delivered: boolean; told?: OrderChange | undefined };

/** All changes of the order up to now. */
export function listChanges({ receipt, is_delivered }: Hearing): OrderChange[] {
  const has: Record<OrderChange, boolean> = {
    paid: receipt.is_paid,
    shipped: receipt.is_shipped,
    delivered: is_delivered,
    canceled: receipt.is_canceled,
  };
  return ORDER_CHANGES.filter((change) => has[change]);
}

/**
 * The changes that are new to an account, given those that it was told before (undefined: it does not know the order).
 * For an unknown order, changes from before the watch began make no events. When a change happened is told by the
 * marketplace's message, by the change's own time, or by the order's being younger than the watch.
 */
export function listNews(
  hearing: Hearing,
  heard: readonly OrderChange[] | undefined,
  since_s: number,
): OrderChange[] {
  const changes = listChanges(hearing);
  if (heard) return changes.filter((change) => !heard.includes(change));
  if (hearing.receipt.created_at_s >= since_s) return changes;
  const at = listMoments(hearing.receipt);
  return changes.filter((change) => change === hearing.told || (at[change] ?? 0) >= since_s);
}

/** When each change happened, in epoch seconds; null where the order does not say. A canceled order is refunded as it is canceled. */
function listMoments(receipt: Receipt): Record<OrderChange, number | null> {
  return {
    paid: receipt.paid_at_s,
    shipped: receipt.shipped_at_s,
    delivered: null,
    canceled: receipt.refunded_at_s,
  };
}

import { NEVER_MS, type PlannedOrder } from '../plan.js';
import type { World } from '../world/world.js';

/** An order, and its changes so far, in order. */
export type Order = { shop_id: number; receipt_id: number; changes: { change: string; at_ms: number }[] };

/** Makes the planned changes of an order. */
export async function liveOrder(
  { schedule, marketplace, template, journal }: World,
  planned: PlannedOrder,
  orders: Order[],
): Promise<void> {
  if (planned.at_ms >= NEVER_MS) return;
  await schedule.pause(planned.at_ms);
  const { shop_id } = template.targets[planned.shop] ?? { shop_id: 0 };
  let order: Order | undefined;
  for (const { after_ms, change } of planned.changes) {
    await schedule.pause(after_ms);
    const body = order
      ? { shop_id, receipt_id: order.receipt_id, [`is_${change}`]: true }
      : { shop_id, is_paid: true };
    const { receipt_id } = await marketplace.control<{ receipt_id: number }>('POST', '/receipts', body);
    if (!order) {
      order = { shop_id, receipt_id, changes: [] };
      orders.push(order);
    }
    order.changes.push({ change, at_ms: schedule.now() });
    journal.note('order', `${receipt_id} ${change}`);
  }
}

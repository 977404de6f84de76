import type { SandboxPorts } from '../ports.js';
import type { Database } from '../store/database.js';
import { getTotal, insertReceipt, saveReceipt } from '../store/receipts.js';
import type { Receipt, ReceiptFlags } from '../store/receipts.js';
import { takeId } from '../store/sequences.js';
import { announceChanges } from '../store/webhook_messages.js';

const NOTHING: ReceiptFlags = { is_paid: false, is_shipped: false, is_delivered: false, is_canceled: false };

type World = { db: Database; ports: SandboxPorts; now_ms: number };

/** A buyer's order; `flags` says what has already happened to it when it becomes readable. */
export function placeOrder(
  world: World,
  { shop_id, data }: Pick<Receipt, 'shop_id' | 'data'>,
  flags: Partial<ReceiptFlags>,
): Receipt {
  const { db, now_ms } = world;
  const placed = { shop_id, created_at: now_ms, updated_at: now_ms, ...NOTHING, data };
  const receipt = { ...placed, receipt_id: insertReceipt(db, placed) };
  return changeOrder(world, receipt, flags);
}

/**
 * Changes an order together with everything that belongs to the change (a time of payment, a parcel for a
 * shipped order, a refund for a canceled one), and sends the subscriber a message.
 */
export function changeOrder(
  { db, ports, now_ms }: World,
  before: Receipt,
  flags: Partial<ReceiptFlags>,
): Receipt {
  const after: Receipt = { ...before, ...flags, updated_at: now_ms, data: { ...before.data } };
  if (after.is_paid && !before.is_paid) after.data.paid_at = now_ms;
  if (after.is_shipped && !before.is_shipped) {
    const receipt_shipping_id = takeId(db, 'shipment');
    after.data.shipments = [
      ...before.data.shipments,
      { receipt_shipping_id, notified_at: now_ms, ...PARCEL },
    ];
  }
  if (after.is_canceled && !before.is_canceled && after.is_paid) {
    const refund = { amount: getTotal(before).grand, at: now_ms, reason: 'The order was canceled.' };
    after.data.refunds = [...(before.data.refunds ?? []), refund];
  }
  saveReceipt(db, after);
  announceChanges(db, before, after, now_ms, ports.randomText);
  return after;
}

const PARCEL = { carrier_name: 'usps', tracking_code: '9400100000000000000000' };

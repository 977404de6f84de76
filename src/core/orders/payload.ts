import type { OrderEventData } from '../../../schemas/event.js';
import type { OrderWatch, Receipt, ReceiptTransaction } from '../ports/index.js';
import type { OrderChange } from '../ports/receipt.js';
import { listChanges, type OrderReading } from './changes.js';

/** Events after which the seller has nothing to make, pack or send: they carry no buyer data. */
const WITHOUT_BUYER: ReadonlySet<OrderChange> = new Set(['delivered', 'canceled']);

/** The body of an event. `listing_pks`: our listings, keyed by the marketplace's ids. */
export function buildOrderData(
  { shop_id, shop_name, currency_code }: OrderWatch,
  reading: OrderReading,
  change: OrderChange,
  listing_pks: ReadonlyMap<number, number>,
): OrderEventData {
  const { receipt } = reading;
  const changes = listChanges(reading);
  return {
    shop: { shop_id: String(shop_id), shop_name, currency_code },
    order: {
      receipt_id: receipt.receipt_id,
      status: receipt.status,
      is_paid: changes.includes('paid'),
      is_shipped: changes.includes('shipped'),
      is_delivered: changes.includes('delivered'),
      is_canceled: changes.includes('canceled'),
      created_at: toIso(receipt.created_at_s),
      updated_at: toIso(receipt.updated_at_s),
      totals: receipt.totals,
      items: receipt.transactions.map((transaction) => toItem(transaction, listing_pks)),
      shipments: receipt.shipments.map(({ notified_at_s, ...shipment }) => ({
        ...shipment,
        notified_at: toIsoOrNull(notified_at_s),
      })),
      refunds: receipt.refunds.map(({ created_at_s, ...refund }) => ({
        ...refund,
        created_at: toIsoOrNull(created_at_s),
      })),
      fulfillment: WITHOUT_BUYER.has(change) ? null : toFulfillment(receipt),
    },
  };
}

function toItem(
  { expected_ship_at_s, ...transaction }: ReceiptTransaction,
  listing_pks: ReadonlyMap<number, number>,
): OrderEventData['order']['items'][number] {
  const { listing_id } = transaction;
  return {
    ...transaction,
    listing_pk: (listing_id === null ? undefined : listing_pks.get(listing_id)) ?? null,
    expected_ship_at: toIsoOrNull(expected_ship_at_s),
  };
}

function toFulfillment(receipt: Receipt): OrderEventData['order']['fulfillment'] {
  const { address, message_from_buyer, is_gift, gift_message, gift_sender } = receipt;
  return { address, message_from_buyer, is_gift, gift_message, gift_sender };
}

function toIso(epoch_s: number): string {
  return new Date(epoch_s * 1000).toISOString();
}

function toIsoOrNull(epoch_s: number | null): string | null {
  return epoch_s === null ? null : toIso(epoch_s);
}

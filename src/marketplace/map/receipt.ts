import type { EventMoney } from '../../../schemas/event.js';
import type { Receipt, ReceiptTransaction } from '../../core/ports/index.js';
import { UnreadableError, type WireMoney } from './wire.js';
import type { WireReceipt, WireTransaction } from './wire_receipt.js';
import { decodeEntities } from './entities.js';
import { toDecimal } from './money.js';

/** The property that held a buyer's text before personalization had questions. */
const OLD_PERSONALIZATION = 54;

/** Throws UnreadableError for a receipt without its timestamps, which nothing could be ordered by. */
export function toReceipt(wire: WireReceipt): Receipt {
  const status = wire.status.trim().toLowerCase();
  return {
    receipt_id: wire.receipt_id,
    status,
    is_paid: wire.is_paid,
    is_shipped: wire.is_shipped,
    is_canceled: status === 'canceled' || status === 'cancelled',
    created_at_s: requireMoment(wire.created_timestamp ?? wire.create_timestamp, 'created_timestamp'),
    updated_at_s: requireMoment(wire.updated_timestamp ?? wire.update_timestamp, 'updated_timestamp'),
    paid_at_s: findFirst(wire.transactions.map(({ paid_timestamp }) => paid_timestamp)),
    shipped_at_s: findFirst([
      ...wire.transactions.map(({ shipped_timestamp }) => shipped_timestamp),
      ...wire.shipments.map(({ shipment_notification_timestamp: at }) => at),
    ]),
    refunded_at_s: findLast(wire.refunds.map(({ created_timestamp }) => created_timestamp)),
    address: {
      name: decodeEntities(wire.name),
      first_line: toText(wire.first_line),
      second_line: toText(wire.second_line),
      city: toText(wire.city),
      state: toText(wire.state),
      zip: toText(wire.zip),
      country_iso: wire.country_iso,
      formatted_address: toText(wire.formatted_address),
    },
    message_from_buyer: toText(wire.message_from_buyer),
    is_gift: wire.is_gift,
    gift_message: toText(wire.gift_message),
    gift_sender: toText(wire.gift_sender),
    totals: {
      grand_total: toMoney(wire.grandtotal),
      subtotal: toMoney(wire.subtotal),
      items: toMoney(wire.total_price),
      shipping: toMoney(wire.total_shipping_cost),
      tax: toMoney(wire.total_tax_cost),
      vat: toMoney(wire.total_vat_cost),
      discount: toMoney(wire.discount_amt),
      gift_wrap: toMoney(wire.gift_wrap_price),
    },
    shipments: wire.shipments.map((shipment) => ({
      receipt_shipping_id: shipment.receipt_shipping_id,
      carrier_name: toText(shipment.carrier_name),
      tracking_code: toText(shipment.tracking_code),
      notified_at_s: shipment.shipment_notification_timestamp,
    })),
    refunds: wire.refunds.map(({ amount, created_timestamp, reason }) => ({
      amount: toMoney(amount),
      created_at_s: created_timestamp,
      reason: toText(reason),
    })),
    transactions: wire.transactions.map(toTransaction),
  };
}

function toTransaction(wire: WireTransaction): ReceiptTransaction {
  return {
    transaction_id: wire.transaction_id,
    listing_id: wire.listing_id,
    product_id: wire.product_id,
    title: decodeEntities(wire.title),
    sku: toText(wire.sku),
    quantity: wire.quantity,
    price: toMoney(wire.price),
    is_digital: wire.is_digital,
    variations: wire.variations
      .filter((entry) => !isAnswer(entry))
      .map(({ property_id, formatted_name, formatted_value }) => ({
        property_id,
        name: decodeEntities(formatted_name),
        value: decodeEntities(formatted_value),
      })),
    personalization: wire.variations.filter(isAnswer).map((entry) => ({
      question_id: entry.question_id,
      question: decodeEntities(entry.formatted_name),
      answer: decodeEntities(entry.formatted_value),
    })),
    shipping_method: toText(wire.shipping_method),
    shipping_upgrade: toText(wire.shipping_upgrade),
    expected_ship_at_s: wire.expected_ship_date,
  };
}

function isAnswer({ question_id, property_id }: WireTransaction['variations'][number]): boolean {
  return question_id !== null || property_id === OLD_PERSONALIZATION;
}

function toMoney(wire: WireMoney | null): EventMoney | null {
  return wire && { ...wire, decimal: toDecimal(wire) };
}

/** The marketplace's empty text means none. */
function toText(text: string | null): string | null {
  return text === null || text === '' ? null : decodeEntities(text);
}

function requireMoment(moment: number | null, name: string): number {
  if (moment === null) throw new UnreadableError(`an answer without a usable ${name}`);
  return moment;
}

function findFirst(moments: readonly (number | null)[]): number | null {
  const known = moments.filter((moment) => moment !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function findLast(moments: readonly (number | null)[]): number | null {
  const known = moments.filter((moment) => moment !== null);
  return known.length === 0 ? null : Math.max(...known);
}

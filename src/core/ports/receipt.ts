import type { EventMoney } from '../../../schemas/event.js';

/**
 * Changes of an order that make events, in the order of the events. Each makes at most one event per order: a
 * second package makes no second order.shipped, and a refund without a cancellation makes no order.canceled.
 */
export const ORDER_CHANGES = ['paid', 'shipped', 'delivered', 'canceled'] as const;
export type OrderChange = (typeof ORDER_CHANGES)[number];

/** An order as the marketplace returns it. Times are epoch seconds, texts entity-decoded. */
export type Receipt = {
  receipt_id: number;
  /**
   * The marketplace's own status, in lower case: paid, completed, open, payment processing, canceled, fully
   * refunded, partially refunded.
   */
  status: string;
  is_paid: boolean;
  is_shipped: boolean;
  is_canceled: boolean;
  created_at_s: number;
  updated_at_s: number;
  /**
   * When the payment and the first shipment were reported, and when the newest refund was made; null if the
   * marketplace does not say.
   */
  paid_at_s: number | null;
  shipped_at_s: number | null;
  refunded_at_s: number | null;
  address: ReceiptAddress;
  message_from_buyer: string | null;
  is_gift: boolean;
  gift_message: string | null;
  gift_sender: string | null;
  totals: Record<ReceiptTotal, EventMoney | null>;
  shipments: ReceiptShipment[];
  refunds: { amount: EventMoney | null; created_at_s: number | null; reason: string | null }[];
  transactions: ReceiptTransaction[];
};

type ReceiptTotal =
  'grand_total' | 'subtotal' | 'items' | 'shipping' | 'tax' | 'vat' | 'discount' | 'gift_wrap';

type ReceiptAddress = {
  name: string;
  first_line: string | null;
  second_line: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
  country_iso: string | null;
  formatted_address: string | null;
};

type ReceiptShipment = {
  receipt_shipping_id: number | null;
  carrier_name: string | null;
  tracking_code: string | null;
  notified_at_s: number | null;
};

export type ReceiptTransaction = {
  transaction_id: number;
  listing_id: number | null;
  product_id: number | null;
  title: string;
  sku: string | null;
  quantity: number;
  price: EventMoney | null;
  is_digital: boolean;
  variations: { property_id: number | null; name: string; value: string }[];
  personalization: { question_id: number | null; question: string; answer: string }[];
  shipping_method: string | null;
  shipping_upgrade: string | null;
  expected_ship_at_s: number | null;
};

/**
 * Selects orders of a shop. A range includes both ends. Sorted by change if `changed_from_s` is set,
 * otherwise by creation.
 */
export type ReceiptFilter = {
  changed_from_s?: number | undefined;
  changed_to_s?: number | undefined;
  created_from_s?: number | undefined;
  created_to_s?: number | undefined;
  /** Delivered orders only. Nothing in a receipt says that it was delivered: only this filter does. */
  was_delivered?: true | undefined;
  /** At most 12,000: the marketplace returns nothing beyond. */
  offset: number;
};

export type ReceiptPage = {
  receipts: Receipt[];
  /** Receipts of the page that could not be read. */
  unreadable: number;
  /**
   * The time of the page's last receipt: of its change or its creation, whichever the list is sorted by; null
   * for an empty page.
   */
  last_at_s: number | null;
  is_last: boolean;
};

import { z } from 'zod/v3';
import {
  flag,
  id,
  money,
  optionalCount,
  optionalId,
  optionalText,
  orEmpty,
  orNull,
  words,
  type WireMoney,
} from './wire.js';

/* An order as the marketplace sends it. Almost no field is required: even for an order that lacks one, an
   event has to be created and sent. */

const optionalMoney: z.ZodType<WireMoney | null, z.ZodTypeDef, unknown> = orNull(money);

/** Timestamps of an order. Each has two names; the older one is the fallback. */
export const receiptMoments = z.object({
  created_timestamp: optionalCount,
  create_timestamp: optionalCount,
  updated_timestamp: optionalCount,
  update_timestamp: optionalCount,
});

const variation = z.object({
  property_id: optionalId,
  formatted_name: words,
  formatted_value: words,
  question_id: optionalId,
});

const transaction = z.object({
  transaction_id: id,
  listing_id: optionalId,
  product_id: optionalId,
  title: words,
  sku: optionalText,
  quantity: z.number().int().nonnegative(),
  price: optionalMoney,
  is_digital: flag,
  variations: orEmpty(variation),
  paid_timestamp: optionalCount,
  shipped_timestamp: optionalCount,
  shipping_method: optionalText,
  shipping_upgrade: optionalText,
  expected_ship_date: optionalCount,
});
export type WireTransaction = z.output<typeof transaction>;

export const receipt = receiptMoments.extend({
  receipt_id: id,
  status: words,
  is_paid: flag,
  is_shipped: flag,
  name: words,
  first_line: optionalText,
  second_line: optionalText,
  city: optionalText,
  state: optionalText,
  zip: optionalText,
  country_iso: optionalText,
  formatted_address: optionalText,
  message_from_buyer: optionalText,
  is_gift: flag,
  gift_message: optionalText,
  gift_sender: optionalText,
  grandtotal: optionalMoney,
  subtotal: optionalMoney,
  total_price: optionalMoney,
  total_shipping_cost: optionalMoney,
  total_tax_cost: optionalMoney,
  total_vat_cost: optionalMoney,
  discount_amt: optionalMoney,
  gift_wrap_price: optionalMoney,
  shipments: orEmpty(
    z.object({
      receipt_shipping_id: optionalId,
      shipment_notification_timestamp: optionalCount,
      carrier_name: optionalText,
      tracking_code: optionalText,
    }),
  ),
  transactions: orEmpty(transaction),
  refunds: orEmpty(
    z.object({ amount: optionalMoney, created_timestamp: optionalCount, reason: optionalText }),
  ),
});
export type WireReceipt = z.output<typeof receipt>;

import { z } from 'zod/v3';
import { batchCounts } from './batch.js';
import { orderEvent } from './endpoint.js';

const moment = z.string().describe('ISO 8601, UTC');
const optionalText = z.string().nullable();

const eventMoney = z.object({
  amount: z.number().int().describe('In the smallest unit of the currency'),
  divisor: z.number().int().describe('100 for cents; the sum is amount / divisor'),
  currency_code: z.string(),
  decimal: z.string().describe('The sum as a decimal: "24.50"'),
});
export type EventMoney = z.infer<typeof eventMoney>;

const item = z.object({
  transaction_id: z.number().int().describe("The marketplace's id of this line of the order"),
  listing_id: z.number().int().nullable().describe("The marketplace's listing; null if it is gone"),
  listing_pk: z
    .number()
    .int()
    .nullable()
    .describe("This service's listing that was published as it; null if it was created elsewhere"),
  product_id: z.number().int().nullable(),
  title: z.string(),
  sku: optionalText,
  quantity: z.number().int(),
  price: eventMoney.nullable().describe('Per item'),
  is_digital: z.boolean(),
  variations: z.array(
    z.object({
      property_id: z.number().int().nullable(),
      name: z.string().describe('Such as Size'),
      value: z.string().describe('Such as Large'),
    }),
  ),
  personalization: z
    .array(
      z.object({
        question_id: z
          .number()
          .int()
          .nullable()
          .describe('Null if the listing predates personalization questions'),
        question: z.string(),
        answer: z.string().describe("The buyer's text, or the URL of a file that the buyer sent"),
      }),
    )
    .describe("The buyer's answers"),
  shipping_method: optionalText,
  shipping_upgrade: optionalText,
  expected_ship_at: moment.nullable(),
});

const shipment = z.object({
  receipt_shipping_id: z.number().int().nullable(),
  carrier_name: optionalText,
  tracking_code: optionalText,
  notified_at: moment.nullable().describe('When the marketplace notified the buyer'),
});

const fulfillment = z.object({
  address: z.object({
    name: z.string(),
    first_line: optionalText,
    second_line: optionalText,
    city: optionalText,
    state: optionalText,
    zip: optionalText,
    country_iso: optionalText,
    formatted_address: optionalText,
  }),
  message_from_buyer: optionalText,
  is_gift: z.boolean(),
  gift_message: optionalText,
  gift_sender: optionalText,
});

const totals = z.object({
  grand_total: eventMoney.nullable().describe('What the buyer paid'),
  subtotal: eventMoney.nullable().describe('Items less coupons, without tax and shipping'),
  items: eventMoney.nullable().describe('Prices times quantities'),
  shipping: eventMoney.nullable(),
  tax: eventMoney.nullable(),
  vat: eventMoney.nullable(),
  discount: eventMoney.nullable(),
  gift_wrap: eventMoney.nullable(),
});

const order = z.object({
  receipt_id: z.number().int().describe("The marketplace's number of the order"),
  status: z.string().describe("The marketplace's term: paid, completed, canceled, partially refunded, ..."),
  is_paid: z.boolean(),
  is_shipped: z.boolean(),
  is_delivered: z.boolean(),
  is_canceled: z.boolean(),
  created_at: moment,
  updated_at: moment,
  totals,
  items: z.array(item),
  shipments: z.array(shipment),
  refunds: z.array(
    z.object({ amount: eventMoney.nullable(), created_at: moment.nullable(), reason: optionalText }),
  ),
  fulfillment: fulfillment
    .nullable()
    .describe(
      "The buyer's name, address and messages: what is needed to make and send the order. Null in order.canceled and order.delivered, which need none of it. Mail addresses and user ids of buyers are never sent.",
    ),
});

/**
 * The body of an order event, as receivers get it. The order is as it was when the change was recorded, which can be later
 * than the change.
 */
export const orderEventBody = z.object({
  id: z.string().describe('The same in every attempt, and in the header webhook-id: process it once'),
  type: orderEvent,
  created_at: moment.describe('When this service learned of the change; ISO 8601, UTC'),
  data: z.object({
    shop: z.object({ shop_id: z.string(), shop_name: z.string(), currency_code: z.string() }),
    order,
  }),
});
export type OrderEventBody = z.infer<typeof orderEventBody>;
export type OrderEventData = OrderEventBody['data'];

/** The body of `batch.finished`, which is sent once for each started batch. */
export const batchEventBody = z.object({
  id: z.string().describe('The same in every attempt, and in the header webhook-id: process it once'),
  type: z.literal('batch.finished'),
  created_at: moment,
  data: z.object({
    batch: z.object({
      batch_id: z.string().describe('batches_list returns its items'),
      undoes: z.string().nullable().describe('The batch that it undoes'),
      status: z.enum(['completed', 'canceled', 'failed']),
      counts: batchCounts,
      started_at: moment.nullable(),
    }),
  }),
});
export type BatchEventBody = z.infer<typeof batchEventBody>;
export type BatchEventData = BatchEventBody['data'];

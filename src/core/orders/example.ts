import type { OrderEvent } from '../../../schemas/endpoint.js';
import type { OrderEventBody, OrderEventData } from '../../../schemas/event.js';

/** One order through all its changes, for the documentation's examples. */
const PLACED: OrderEventData['order'] = {
  receipt_id: 3_720_000_001,
  status: 'paid',
  is_paid: true,
  is_shipped: false,
  is_delivered: false,
  is_canceled: false,
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:05.000Z',
  totals: {
    grand_total: toMoney(5_495),
    subtotal: toMoney(4_900),
    items: toMoney(4_900),
    shipping: toMoney(595),
    tax: toMoney(0),
    vat: toMoney(0),
    discount: toMoney(0),
    gift_wrap: toMoney(0),
  },
  items: [
    {
      transaction_id: 4_650_000_001,
      listing_id: 1_512_300_000_001,
      listing_pk: 42,
      product_id: 21_800_000_001,
      title: 'Stoneware mug',
      sku: 'MUG-L',
      quantity: 2,
      price: toMoney(2_450),
      is_digital: false,
      variations: [{ property_id: 513, name: 'Size', value: 'Large' }],
      personalization: [{ question_id: 1_650_000_001, question: 'Personalization', answer: 'For Robin' }],
      shipping_method: null,
      shipping_upgrade: null,
      expected_ship_at: '2026-11-23T10:00:00.000Z',
    },
  ],
  shipments: [],
  refunds: [],
  fulfillment: {
    address: {
      name: 'Robin Sample',
      first_line: '1 Example Street',
      second_line: null,
      city: 'Springfield',
      state: null,
      zip: '12345',
      country_iso: 'US',
      formatted_address: 'Robin Sample\n1 Example Street\n12345 Springfield\nUS',
    },
    message_from_buyer: 'Thank you!',
    is_gift: false,
    gift_message: null,
    gift_sender: null,
  },
};

const SHIPPED: OrderEventData['order'] = {
  ...PLACED,
  status: 'completed',
  is_shipped: true,
  updated_at: '2026-11-21T09:30:00.000Z',
  shipments: [
    {
      receipt_shipping_id: 1_510_000_001,
      carrier_name: 'usps',
      tracking_code: '9400100000000000000000',
      notified_at: '2026-11-21T09:30:00.000Z',
    },
  ],
};

const CANCELED: OrderEventData['order'] = {
  ...PLACED,
  status: 'canceled',
  is_canceled: true,
  updated_at: '2026-11-20T12:00:00.000Z',
  refunds: [
    { amount: toMoney(5_495), created_at: '2026-11-20T12:00:00.000Z', reason: 'The order was canceled.' },
  ],
  fulfillment: null,
};

const DELIVERED = { ...SHIPPED, is_delivered: true, fulfillment: null };

export const ORDER_EXAMPLES: Record<OrderEvent, OrderEventBody> = {
  'order.paid': toBody('order.paid', PLACED, '2026-11-20T10:00:07.000Z'),
  'order.shipped': toBody('order.shipped', SHIPPED, '2026-11-21T09:30:04.000Z'),
  'order.delivered': toBody('order.delivered', DELIVERED, '2026-11-24T15:12:30.000Z'),
  'order.canceled': toBody('order.canceled', CANCELED, '2026-11-20T12:00:03.000Z'),
};

function toBody(type: OrderEvent, order: OrderEventData['order'], created_at: string): OrderEventBody {
  const shop = { shop_id: '48213377', shop_name: 'ClayAndOak', currency_code: 'USD' };
  return { id: 'evt_p0XyuLezcl12DJ2RL5iDfh', type, created_at, data: { shop, order } };
}

function toMoney(amount: number) {
  return { amount, divisor: 100, currency_code: 'USD', decimal: (amount / 100).toFixed(2) };
}

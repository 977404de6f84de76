import { afterEach, describe, expect, it } from 'vitest';
import { buildRig, SHOP, type Rig } from './rig.js';
import { buildWireReceipt } from './samples.js';
import { startScriptedServer, type ScriptedServer } from './scripted_server.js';

let server: ScriptedServer;
let rig: Rig;

afterEach(async () => {
  await rig.client.close();
  await server.close();
});

async function open(json: unknown) {
  server = await startScriptedServer(() => ({ status: 200, json }));
  rig = buildRig(server.url, { call_timeout_ms: 2_000 });
  return rig.client;
}

const usd = (amount: number, decimal: string) => ({ amount, divisor: 100, currency_code: 'USD', decimal });

describe('an order from the marketplace', () => {
  it('is converted: text decoded, money unchanged and as a decimal, empty text as null', async () => {
    const client = await open(buildWireReceipt());
    expect(await client.getReceipt(SHOP, 3_720_000_001)).toEqual({
      receipt_id: 3_720_000_001,
      status: 'completed',
      is_paid: true,
      is_shipped: true,
      is_canceled: false,
      created_at_s: 1_790_000_000,
      updated_at_s: 1_790_009_000,
      paid_at_s: 1_790_000_060,
      shipped_at_s: 1_790_009_000,
      refunded_at_s: 1_790_008_000,
      address: {
        name: 'Anna Weiß & Co',
        first_line: 'Lindenweg 4',
        second_line: null,
        city: 'Leipzig',
        state: null,
        zip: '04109',
        country_iso: 'DE',
        formatted_address: 'Anna\nLindenweg 4',
      },
      message_from_buyer: "It's a gift",
      is_gift: true,
      gift_message: null,
      gift_sender: 'Otto',
      totals: {
        grand_total: usd(5_595, '55.95'),
        subtotal: usd(5_000, '50.00'),
        items: usd(5_000, '50.00'),
        shipping: usd(595, '5.95'),
        tax: usd(0, '0.00'),
        vat: null,
        discount: usd(0, '0.00'),
        gift_wrap: { amount: 300, divisor: 1, currency_code: 'JPY', decimal: '300' },
      },
      shipments: [
        {
          receipt_shipping_id: 9,
          carrier_name: 'dhl-germany',
          tracking_code: '00340',
          notified_at_s: 1_790_009_000,
        },
      ],
      refunds: [{ amount: usd(500, '5.00'), created_at_s: 1_790_008_000, reason: 'chip' }],
      transactions: [
        {
          transaction_id: 4_650_000_001,
          listing_id: 1_500_000_000_001,
          product_id: 21_800_000_001,
          title: 'Salt & Pepper Mug',
          sku: 'MUG-L',
          quantity: 2,
          price: usd(2_500, '25.00'),
          is_digital: false,
          variations: [{ property_id: 513, name: 'Size', value: 'Large' }],
          personalization: [{ question_id: 7, question: 'Name', answer: 'Zoë' }],
          shipping_method: null,
          shipping_upgrade: 'Express',
          expected_ship_at_s: 1_790_100_000,
        },
      ],
    });
  });

  it.each(['Canceled', 'canceled', 'cancelled'])('that is "%s" is canceled', async (status) => {
    const client = await open(buildWireReceipt({ status }));
    expect((await client.getReceipt(SHOP, 1)).is_canceled).toBe(true);
  });

  it('with only its number and times is an order, with the times under their older names too', async () => {
    const client = await open({ receipt_id: 5, create_timestamp: 10, update_timestamp: 20 });
    expect(await client.getReceipt(SHOP, 5)).toMatchObject({
      receipt_id: 5,
      status: '',
      is_paid: false,
      is_canceled: false,
      created_at_s: 10,
      updated_at_s: 20,
      paid_at_s: null,
      shipped_at_s: null,
      refunded_at_s: null,
      transactions: [],
    });
  });

  it('without times cannot be used', async () => {
    const client = await open({ receipt_id: 5 });
    await expect(client.getReceipt(SHOP, 5)).rejects.toMatchObject({ failure: 'unavailable' });
  });
});

describe('a page of orders', () => {
  it('leaves out unreadable ones and says how many', async () => {
    const bad = { receipt_id: 'x', updated_timestamp: 9 };
    const client = await open({ count: 2, results: [buildWireReceipt(), bad] });
    const page = await client.listReceipts(SHOP, { changed_from_s: 1, offset: 0 });
    expect(page).toMatchObject({ unreadable: 1, last_at_s: 9, is_last: true });
    expect(page.receipts.map(({ receipt_id }) => receipt_id)).toEqual([3_720_000_001]);
    expect(server.seen[0]?.query).toEqual({
      min_last_modified: '1',
      sort_on: 'updated',
      sort_order: 'asc',
      limit: '100',
      offset: '0',
    });
  });

  it('is not the last one if it is full', async () => {
    const results = Array.from({ length: 100 }, (_, n) =>
      buildWireReceipt({ receipt_id: n, created_timestamp: n }),
    );
    const client = await open({ count: 250, results });
    const filter = { created_from_s: 5, created_to_s: 6, was_delivered: true, offset: 200 } as const;
    expect(await client.listReceipts(SHOP, filter)).toMatchObject({ is_last: false, last_at_s: 99 });
    expect(server.seen[0]?.query).toEqual({
      min_created: '5',
      max_created: '6',
      was_delivered: 'true',
      sort_on: 'created',
      sort_order: 'asc',
      limit: '100',
      offset: '200',
    });
  });
});

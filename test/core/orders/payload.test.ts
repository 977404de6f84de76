import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { ORDER_EXAMPLES } from '../../../src/core/orders/example.js';
import { EVENTS } from '../../../src/transports/events.js';
import { CLAY, openOrderRig, subscribe } from './rig.js';

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
const validators = new Map(EVENTS.map(({ type, body }) => [type, ajv.compile(close(body))]));

/** The schema without additional properties: everything that is sent is documented. */
function close(schema: object): object {
  if (Array.isArray(schema)) return schema.map((part: unknown) => (isObject(part) ? close(part) : part));
  const parts = Object.entries(schema).map(([name, part]): [string, unknown] => [
    name,
    isObject(part) ? close(part) : part,
  ]);
  const closed: Record<string, unknown> = Object.fromEntries(parts);
  return closed['type'] === 'object' ? { ...closed, additionalProperties: false } : closed;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function findProblems(body: { type: string }) {
  const validate = validators.get(body.type);
  if (!validate) throw new Error(`there is no event ${body.type}`);
  return validate(body) ? [] : validate.errors;
}

it("sends every event of an order's life exactly as the schema describes it", async () => {
  const rig = await openOrderRig();
  await rig.connect(rig.account_id, CLAY);
  const { core, poll } = rig.openProcess();
  await subscribe(rig, rig.account_id, core);
  await poll();
  const sent = await rig.order({ message_from_buyer: 'Mit "Liebe" & Sorgfalt', gift_message: 'Für Oma' });
  const lost = await rig.order();
  await poll();
  await rig.change(sent, { is_shipped: true });
  await rig.change(lost, { is_canceled: true });
  await poll();
  await rig.change(sent, { is_delivered: true });
  await poll();

  const events = await rig.listEvents();
  expect(events.map(({ body }) => findProblems(body))).toEqual(events.map(() => []));
  const result = events.filter(({ receipt_id }) => receipt_id === sent);
  expect(result.map(({ body }) => body.data.order.fulfillment?.message_from_buyer ?? null)).toEqual([
    'Mit "Liebe" & Sorgfalt',
    'Mit "Liebe" & Sorgfalt',
    null,
  ]);
  expect(result[0]?.body.data).toMatchObject({
    shop: { shop_id: String(CLAY.shop_id), shop_name: 'ClayAndOak', currency_code: 'USD' },
    order: {
      receipt_id: sent,
      status: 'paid',
      items: [
        {
          quantity: 1,
          listing_pk: null,
          price: { divisor: 100, decimal: expect.stringMatching(/^\d+\.\d\d$/) },
        },
      ],
      fulfillment: {
        is_gift: true,
        gift_message: 'Für Oma',
        address: { city: 'Springfield', country_iso: 'US' },
      },
    },
  });
  expect(result[1]?.body.data.order.shipments).toHaveLength(1);
  const canceled = events.find(({ type }) => type === 'order.canceled')?.body.data.order;
  expect(canceled).toMatchObject({ receipt_id: lost, is_paid: true, is_canceled: true, fulfillment: null });
  expect(canceled?.refunds[0]?.amount).toEqual(canceled?.totals.grand_total);
  // Events of canceled and delivered orders contain no data of the buyer.
  expect(JSON.stringify(events.filter(({ body }) => !body.data.order.fulfillment))).not.toContain(
    'Springfield',
  );
});

it.each(Object.values(ORDER_EXAMPLES))('documents a valid example of $type', (body) => {
  expect(findProblems(body)).toEqual([]);
});

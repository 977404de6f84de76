import type { ListingJobResult } from '../../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildMug, startService, TARGETS, type TestService } from '../../../service.js';
import { connectShop, FERN, MAPLE } from './connect_shop.js';

/*
 * The price of a copy is that of a shop with the same currency. ClayAndOak and MapleKilnStudio sell in USD,
 * the others in EUR.
 */

let service: TestService;
let fern: object;
let maple: object;
beforeAll(async () => {
  service = await startService();
  fern = await connectShop(service, FERN.shop_id);
  maple = await connectShop(service, MAPLE.shop_id);
});
afterAll(() => service.close());

const { clay, linen } = TARGETS;

/** At a price of 20. */
async function make(shops: object[], more: object = {}): Promise<number | undefined> {
  const mug = buildMug(shops, { state: 'draft', ...more });
  const request = { ...mug, listing: { ...mug.listing, price: 20 } };
  return (await service.call<ListingJobResult>('listing_create', request)).listing_pk;
}

/** The price each of these shops would have, from a dry run; the refusal if there is none. */
async function preview(listing_pk: number | undefined, shops: object[], changes?: object) {
  const body = { listing_pk, shops, state: 'publish', dry_run: true, ...(changes && { changes }) };
  const outcome = await service.invoke('listing_copy', body);
  if (!outcome.ok) return outcome.error.error.message;
  const { shops: planned = [], warnings = [] } = outcome.output as ListingJobResult;
  expect([...warnings, ...planned.flatMap((shop) => shop.warnings)].map(({ code }) => code)).not.toContain(
    'price_override_unused',
  );
  return planned.map(({ price }) => price);
}

const refusal = (shop_name: string, currency: string) =>
  `shops[0].price: is required: "${shop_name}" sells in ${currency}, and the listing's price in ${currency} is not known; send a price`;

describe('the price of a copy', () => {
  it('is the price of the first shop, not the number meant in another currency', async () => {
    const listing_pk = await make([{ ...linen, price: 18 }, clay]);
    expect(await preview(listing_pk, [fern])).toEqual([18]);
  });

  it('is the own price of any other shop with the same currency', async () => {
    const listing_pk = await make([clay, { ...linen, price: 18 }], { idempotency_key: 'other-first' });
    expect(await preview(listing_pk, [fern])).toEqual([18]);
    expect(await preview(listing_pk, [maple])).toEqual([20]);
    expect(await preview(listing_pk, [fern, maple])).toEqual([18, 20]);
  });

  it('is requested if no shop with that currency has its own', async () => {
    const listing_pk = await make([{ ...linen, price: 18 }], { idempotency_key: 'no-dollar' });
    expect(await preview(listing_pk, [maple])).toBe(refusal(MAPLE.shop_name, 'USD'));
    expect(await preview(listing_pk, [{ ...maple, price: 21 }])).toEqual([21]);
    const both = await make([clay, linen], { idempotency_key: 'one-number' });
    expect(await preview(both, [fern])).toBe(refusal(FERN.shop_name, 'EUR'));
  });

  it("is that of the call, before any shop's own", async () => {
    const listing_pk = await make([{ ...linen, price: 18 }], { idempotency_key: 'given' });
    expect(await preview(listing_pk, [{ ...fern, price: 19 }])).toEqual([19]);
    expect(await preview(listing_pk, [fern], { listing: { price: 23 } })).toEqual([23]);
    expect(await preview(listing_pk, [fern], { offerings: [{ price: 24 }] })).toEqual([24]);
    expect(await preview(listing_pk, [maple], { offerings: [{ price: 24 }] })).toEqual([24]);
  });

  it("is the first shop's price per combination, if they have prices", async () => {
    const variations = {
      properties: [{ property_id: 513, name: 'Glaze', values: ['Sand', 'Moss'] }],
      offerings: [
        { glaze: 'Sand', price: 30, quantity: 1 },
        { glaze: 'Moss', price: 31, quantity: 1 },
      ],
    };
    const listing_pk = await make([{ ...linen, price: 18 }, clay], { variations });
    expect(await preview(listing_pk, [fern])).toEqual([30]);
    expect(await preview(listing_pk, [maple])).toContain('send the price of each combination');
    const unpriced = {
      ...variations,
      offerings: variations.offerings.map(({ price: _, ...offering }) => offering),
    };
    const alike = await make([{ ...linen, price: 18 }, clay], { variations: unpriced });
    expect(await preview(alike, [fern])).toEqual([18]);
  });
});

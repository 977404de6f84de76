import { describe, expect, it } from 'vitest';
import type { ListingRequest } from '../../schemas/listing_request.js';
import { Product } from '../../src/dashboard/pages/listing/product/product.js';
import { formatPrice, formatPrices } from '../../src/dashboard/components/price.js';
import { describePrice } from '../../src/dashboard/pages/listing/product/price_words.js';
import { toMakingWords } from '../../src/core/issues/making_words.js';
import { renderPart } from '../../src/pages/index.js';

/* A listing as buyers see it, built from its request. */

const saved = { listing_pk: 1, created_at: '2026-11-25T10:00:00.000Z' };

const EUROS = new Map([['1', 'EUR']]);

function show(more: object): string {
  const listing = { title: 'Mug', description: 'A mug.', taxonomy_id: 1062, price: 24.5, quantity: 4 };
  const request = { shops: [{ shop_id: 1 }], listing, ...more } as unknown as ListingRequest;
  return renderPart(Product({ saved, request, currencies: EUROS, attributes: [] }));
}
const tell = (more: object) => show(more).replace(/<[^>]+>/g, ' ');

describe('the time of making', () => {
  it.each([
    ['made_to_order', 'to order'],
    ['2020_2026', '2020 to 2026'],
    ['before_2007', 'before 2007'],
    ['before_1700', 'before 1700'],
    ['1990s', 'in the 1990s'],
  ])('%s is shown as %s', (when_made, words) => {
    expect(toMakingWords(when_made)).toBe(words);
  });
});

it('a personalization is shown only if it is explicitly enabled, as it is sent', () => {
  const personalization = { instructions: 'Which name?' };
  expect(tell({ personalization: { ...personalization, enabled: true } })).toContain('Which name?');
  expect(tell({ personalization })).not.toContain('Personalization');
});

it('a photo is described by its position, and by its saved description', () => {
  const images = [
    { url: 'https://shop.test/side.jpg', rank: 2 },
    { url: 'https://shop.test/front.jpg', rank: 1, alt_text: 'A mug on a "table"' },
  ];
  const alts = [...show({ images }).matchAll(/alt="([^"]*)"/g)].map(([, alt]) => alt);
  expect(alts).toEqual(['Photo 1 of 2: A mug on a &quot;table&quot;', 'Photo 2 of 2']);
});

it.each([
  [24.5, 'EUR', '24.50 EUR'],
  [1500, 'JPY', '1,500 JPY'],
  [1500, 'HUF', '1,500 HUF'],
  [1500, 'TWD', '1,500 TWD'],
  [24.5, undefined, '24.50 in the shop’s currency'],
])('a price of %s %s has the decimals that the marketplace accepts', (amount, code, words) => {
  expect(formatPrice(amount, code)).toBe(words);
});

it('the prices of several shops are a range in each currency, using the lowest of variations', () => {
  const yen = [1500, 2000].map((price) => ({ price, currency_code: 'JPY' }));
  expect(formatPrices(yen)).toBe('1,500 to 2,000 JPY');
  const euros = { price: 19, currency_code: 'EUR' };
  expect(formatPrices([...yen, euros])).toBe('1,500 to 2,000 JPY · 19.00 EUR');
  expect(formatPrices([{ ...euros, has_several_prices: true }])).toBe('From 19.00 EUR');
  expect(formatPrices([{ price: null, currency_code: 'EUR' }])).toBeUndefined();
});

it('the lowest price covers all combinations, including those that the table leaves out', () => {
  const values = Array.from({ length: 250 }, (_none, index) => `No. ${index + 1}`);
  const offerings = values.map((number, index) => ({ number, price: 300 - index }));
  const request = {
    shops: [{ shop_id: 1 }],
    listing: { price: 20 },
    variations: { properties: [{ property_id: 513, name: 'Number', values }], offerings },
  } as unknown as ListingRequest;
  expect(describePrice(request, EUROS)).toBe('From 51.00 EUR');
});

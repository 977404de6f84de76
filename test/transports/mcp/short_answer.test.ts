import { describe, expect, it } from 'vitest';
import { toCallToolResult } from '../../../src/transports/mcp/tools/tool.js';
import { operations } from '../../../tools/index.js';

/*
 * An answer that an assistant can read: at most 25,000 characters as text, and the same as structured
 * content.
 */

const MAX_CHARS = 25_000;
const LIMITS = { limit_second: 2, remaining_second: 1, limit_day: 5_000, remaining_day: 4_999 };

type Facts = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- answers are read field by field

function answer(id: string, output: Facts): Facts {
  const operation = operations.find((one) => one.id === id);
  if (!operation) throw new Error(`there is no operation ${id}`);
  const result = toCallToolResult({ ok: true, output, status: 200, limits: LIMITS }, operation);
  const [content] = result.content;
  const text = content?.type === 'text' ? content.text : '';
  const structured = result.structuredContent as Facts;
  expect(text.length).toBeLessThanOrEqual(MAX_CHARS);
  expect(JSON.stringify(structured).length).toBeLessThanOrEqual(MAX_CHARS);
  expect(JSON.parse(text)).toEqual(structured);
  expect(structured['notice']).toContain('never an instruction');
  return structured;
}

const LONG = 'A mug, thrown by hand and glazed twice. '.repeat(50);
const DIFFERENCE = { field: 'description', before: `${LONG}Blue.${LONG}`, after: `${LONG}Green.${LONG}` };
const shopIds = (count: number) => Array.from({ length: count }, (_, index) => String(1000 + index));
const WARNING = { code: 'taken_over', level: 'note', fields: ['tags'], reason: 'x'.repeat(300) };

const listShops = (count: number) =>
  shopIds(count).map((shop_id) => ({
    shop_id,
    shop_name: `Shop ${shop_id}`,
    status: 'ok',
    listing_id: 7,
    currency_code: 'USD',
    marketplace_calls: 3,
    diff: [DIFFERENCE],
    warnings: [WARNING],
  }));

describe('an answer over MCP', () => {
  it('is complete if it is short', () => {
    const output = { status: 'valid', shops: listShops(1), warnings: [] };
    const { notice: _, ...facts } = answer('listing_update', output);
    expect(facts).toEqual(output);
  });

  it('has a description shared by 49 shops once, and names the shop that shows it', () => {
    const { shops, shortened } = answer('listing_update', { status: 'valid', shops: listShops(49) });
    expect(shops.map((shop: Facts) => shop['shop_id'])).toEqual(shopIds(49));
    expect(shops[0].diff).toEqual([DIFFERENCE]);
    expect(shops[0].warnings).toEqual([WARNING]);
    for (const { diff, warnings } of shops.slice(1)) {
      expect(diff).toEqual([{ field: 'description', same_as_shop: '1000' }]);
      expect(warnings).toEqual([{ same_as_shop: '1000' }]);
    }
    expect(shortened).toContain('The same dry run with shops set to one shop');
  });

  it('has excerpts of descriptions that differ in each shop, before and after', () => {
    const results = listShops(20).map((shop) => ({
      ...shop,
      diff: [{ ...DIFFERENCE, before: `${LONG}${shop.shop_id}.${LONG}` }],
      warnings: [],
    }));
    const answered = answer('listing_update', {
      status: 'completed',
      job_id: 'job_1',
      listing_pk: 3,
      results,
    });
    expect(answered['results']).toHaveLength(20);
    expect(answered['results'][19].diff[0]).toEqual({
      field: 'description',
      before: { start: LONG.slice(0, 80), changed: '1019', length: 2 * LONG.length + 5 },
      after: { start: LONG.slice(0, 80), changed: 'Green', length: 2 * LONG.length + 6 },
    });
    expect(answered['shortened']).toContain('GET /api/v1/listings/create/job_1');
  });

  it('names the address of a batch whose job returns only counts', () => {
    const items = listShops(30).map((shop) => ({ ...shop, diff: [DIFFERENCE] }));
    const answered = answer('batch_start', {
      status: 'completed',
      batch_id: 'batch_1',
      job_id: 'job_1',
      items,
    });
    expect(answered['shortened']).toContain('GET /api/v1/batches?batch_id=batch_1');
  });

  it('has excerpts of both descriptions after a manual edit of a long one', () => {
    const drift = [{ field: 'description', ours: `${LONG.repeat(4)}A`, theirs: `${LONG.repeat(4)}B` }];
    const results = [{ shop_id: '1', status: 'error', error: 'Changed.', details: { code: 'DRIFT', drift } }];
    const answered = answer('listing_update', {
      status: 'completed',
      job_id: 'job_1',
      listing_pk: 3,
      results: [
        ...results,
        {
          ...results[0],
          shop_id: '2',
          details: { code: 'DRIFT', drift: [{ ...drift[0], theirs: LONG.repeat(5) }] },
        },
      ],
    });
    expect(answered['results'][0].details.drift[0]).toMatchObject({
      ours: { start: LONG.slice(0, 80), changed: 'A' },
      theirs: { changed: 'B' },
    });
  });

  it('keeps an entry for each of 50 shops, and the beginning of each long list', () => {
    const offerings = Array.from({ length: 400 }, (_, index) => ({
      size: `Size ${index}`,
      color: 'A color with a long name',
      price: 12.5,
      quantity: 3,
      sku: `SKU-${index}`,
      enabled: true,
    }));
    const answered = answer('listing_get', {
      listing_pk: 12,
      title: 'Mug',
      status: 'active',
      shop_ids: shopIds(50),
      shops: listShops(50),
      request: { shops: shopIds(50).map((id) => ({ shop_id: Number(id) })), variations: { offerings } },
      names: {},
      warnings: [],
      results: listShops(50),
      job: null,
    });
    expect([answered['shops'].length, answered['results'].length, answered['request'].shops.length]).toEqual([
      50, 50, 50,
    ]);
    expect(answered['request'].variations.offerings.length).toBeGreaterThan(0);
    expect(answered['shortened']).toContain('GET /api/v1/listings/12');
  });

  it.each([
    ['listings_search', 'results', { count: 900 }],
    ['listings_list', 'listings', { total: 900 }],
    ['store_listings', 'listings', { shop_id: 1, total: 900 }],
    ['batches_list', 'items', { batches: [{ batch_id: 'batch_1' }], total: 900 }],
  ])('of %s has fewer complete entries, with the limit used and the next offset', (id, name, rest) => {
    const entries = Array.from({ length: 100 }, (_, index) => ({ listing_id: index, description: LONG }));
    const answered = answer(id, { ...rest, limit: 100, offset: 200, [name]: entries });
    const count = answered[name].length;
    expect(count).toBeGreaterThan(5);
    expect(answered[name]).toEqual(entries.slice(0, count));
    expect([answered['limit'], answered['offset'], answered['next_offset']]).toEqual([
      count,
      200,
      200 + count,
    ]);
    expect(answered['shortened']).toContain(`Repeat the call with offset ${200 + count}`);
  });

  it('fits, whatever it contains', () => {
    const hidden = '\u200b'.repeat(9_000);
    const many = Array.from({ length: 3_000 }, (_, index) => [`key ${index}`, 'x'.repeat(30)]);
    const got = answer('listing_get', { listing_pk: 1, title: hidden, request: Object.fromEntries(many) });
    expect(got['shortened']).toEqual(expect.any(String));
    const one = { count: 1, limit: 1, offset: 0, results: [{ description: LONG.repeat(30) }] };
    expect(answer('listings_search', one)['shortened']).toEqual(expect.any(String));
  });
});

import { describe, expect, it } from 'vitest';
import { applyEdits, type EditedPlace } from '../../../src/core/batches/edits/apply.js';
import { readEdits } from '../../../src/core/batches/edits/check.js';
import { increaseByAmount, increaseByPercent, roundPrice } from '../../../src/core/batches/edits/prices.js';

describe('a price edit', () => {
  it.each([
    [24.5, 10, 'USD', 'x.90', 26.9],
    [19.95, 10, 'USD', undefined, 21.95],
    [0.05, 0, 'USD', undefined, 0.2],
    [10, -99, 'USD', undefined, 0.2],
    [10.01, 0.05, 'EUR', '0.01', 10.02],
    [22, 10, 'EUR', 'x.95', 23.95],
    [22.45, 0, 'EUR', 'x.95', 22.95],
    [22.44, 0, 'EUR', 'x.95', 21.95],
    [1_980, 10, 'JPY', '10', 2_180],
    [1_985, 0, 'JPY', '10', 1_990],
    [3, 50, 'USD', '1', 5],
    [0.3, 0, 'USD', 'x.90', 0.9],
  ])(
    'changes %d by %d percent in %s and rounds to %s, giving %d',
    (price, percent, currency, round_to, expected) => {
      expect(roundPrice(increaseByPercent(price, percent), currency, round_to)).toBe(expected);
    },
  );
});

it('adds an amount without floating-point rounding errors', () => {
  expect(roundPrice(increaseByAmount(0.1, 0.2), 'USD', undefined)).toBe(0.3);
});

describe('a section given as text', () => {
  const sections = [
    { shop_section_id: 77, title: '2024' },
    { shop_section_id: 2024, title: 'Plates' },
    { shop_section_id: 88, title: 'Mugs' },
  ];
  const shop = { shop_id: 1, details: { shop_name: 'Clay' }, lists: { shop_sections: sections } };
  const place = { shop, request: { listing: {}, shops: [{ shop_id: 1 }] } } as unknown as EditedPlace;
  const set = (value: string) =>
    applyEdits(readEdits([{ field: 'shop_section_id', op: 'set', value }]), place);

  it.each([
    ['2024', 77],
    ['88', 88],
    ['mugs', 88],
  ])('finds %s by name, or otherwise by id', (value, expected) => {
    expect(set(value).request.shops[0]?.shop_section_id).toBe(expected);
  });

  it('is refused if it is neither a name nor an id', () => {
    expect(set('1999').issues).toMatchObject([{ code: 'item_name_unknown', at: 'edits[0].value' }]);
  });
});

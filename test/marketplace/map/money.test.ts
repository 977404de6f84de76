import { assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDecimal, toPrice } from '../../../src/marketplace/map/money.js';

const money = (amount: number, divisor = 100) => ({ amount, divisor, currency_code: 'USD' });

describe('money', () => {
  it('is a number as a person would write it', () => {
    assert(
      property(integer({ min: 0, max: 10_000_000_00 }), (cents) => {
        const written = Number(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`);
        expect(toPrice(money(cents))).toBe(written);
        expect(Number(toDecimal(money(cents)))).toBe(written);
      }),
    );
  });

  it.each([
    [money(450), '4.50'],
    [money(5), '0.05'],
    [money(0), '0.00'],
    [money(-450), '-4.50'],
    [money(500, 1), '500'],
    [money(12_345, 1_000), '12.345'],
  ])('%o is formatted with decimals', (value, text) => {
    expect(toDecimal(value)).toBe(text);
  });

  it('with an odd divisor has no decimals', () => {
    expect(() => toDecimal(money(1, 3))).toThrow('a price whose divisor is not a power of ten');
  });
});

import { describe, expect, it } from 'vitest';
import { findValue, inferScale, type Scaled } from '../../../src/core/listings/requests/scales.js';

const scale = (scale_id: number) => ({ scale_id, display_name: `Scale ${scale_id}`, description: '' });
const value = (value_id: number, name: string, scale_id: number | null) => ({ value_id, name, scale_id });

/** Shoes: 6 to 8 are sizes in both countries. */
const SHOES: Scaled = {
  scales: [scale(18), scale(19), scale(20)],
  possible_values: [
    value(1, '5', 18),
    value(2, '6', 18),
    value(3, '7', 18),
    value(11, '6', 19),
    value(12, '7', 19),
    value(13, '9', 19),
    value(21, '38', 20),
  ],
};
const HEIGHT: Scaled = { scales: [scale(5), scale(6)], possible_values: [] };
const WEIGHT: Scaled = { scales: [scale(9)], possible_values: [] };
const COLOR: Scaled = { scales: [], possible_values: [value(1, 'Red', null)] };
const MIXED: Scaled = {
  scales: [scale(25)],
  possible_values: [value(1, 'One size', null), value(2, 'S', 25)],
};

const names = (...all: string[]) => all.map((name) => ({ name }));
const ids = (...all: number[]) => all.map((value_id) => ({ value_id }));

describe('inferScale', () => {
  it.each([
    ['a name that one scale has', SHOES, names('5'), 18],
    ['names that only one scale has together', SHOES, names('6', ' 7', '9'), 19],
    ['ids', SHOES, ids(2, 3), 18],
    ['a listed value beside text of the caller', SHOES, names('38', 'made to measure'), 20],
    ['a value that goes with each scale, beside one that does not', MIXED, names('one size', 's'), 25],
    ['numbers of a measure that has one unit', WEIGHT, names('10'), 9],
  ])('returns the only scale that fits %s', (_what, known, values, scale_id) => {
    expect(inferScale(known, values)).toEqual({ found: 'one', scale_id });
  });

  it.each([
    ['a property without scales', COLOR, names('Red', 'Blue')],
    ['values that go with each scale', MIXED, names('One size')],
    ['text that no scale lists', SHOES, names('made to measure')],
    ['a number that no scale lists', SHOES, names('46')],
    ['words where a measure would be', HEIGHT, names('tall', 'small')],
    ['an id that is unknown', SHOES, ids(99)],
    ['no values', HEIGHT, []],
  ])('returns none for %s', (_what, known, values) => {
    expect(inferScale(known, values)).toEqual({ found: 'one', scale_id: null });
  });

  it.each([
    ['names that two scales have', SHOES, names('6', '7'), [18, 19]],
    ['numbers of a measure', HEIGHT, names('10', '20.5'), [5, 6]],
    ['fractions and products', HEIGHT, names('5 1/2 x 3'), [5, 6]],
  ])('is ambiguous for %s', (_what, known, values, scale_ids) => {
    expect(inferScale(known, values)).toEqual({ found: 'several', scale_ids });
  });

  it.each([
    ['names', names('5', '38'), [18, 20]],
    ['ids', ids(13, 21), [19, 20]],
  ])('reports different scales as mixed for %s', (_what, values, scale_ids) => {
    expect(inferScale(SHOES, values)).toEqual({ found: 'mixed', scale_ids });
  });

  it('reads a very long value in one pass', () => {
    expect(inferScale(HEIGHT, names(`${'1'.repeat(1_000_000)}a`))).toEqual({ found: 'one', scale_id: null });
  });
});

describe('findValue', () => {
  it('finds the value of the scale, and never one of another', () => {
    expect(findValue(SHOES, ' 7 ', 19)?.value_id).toBe(12);
    expect(findValue(SHOES, '7', null)).toBeUndefined();
    expect(findValue(SHOES, '38', 19)).toBeUndefined();
    expect(findValue(MIXED, 'ONE SIZE', 25)?.value_id).toBe(1);
  });
});

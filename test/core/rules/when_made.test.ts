import { describe, expect, it } from 'vitest';
import { isWhenMade, listWhenMade, toOpenPeriod } from '../../../src/core/listings/rules/when_made.js';
import { listPeriods } from '../../../src/sandbox/rules/listing_request.js';

const toYear = (time: string) => new Date(time).getUTCFullYear();

describe('the periods of when_made', () => {
  it('are those of the year, up to its last second', () => {
    expect(listWhenMade(toYear('2026-12-31T23:59:59Z')).slice(0, 7)).toEqual([
      'made_to_order',
      '2020_2026',
      '2010_2019',
      '2007_2009',
      'before_2007',
      '2000_2006',
      '1990s',
    ]);
    expect(listWhenMade(toYear('2027-01-01T00:00:00Z')).slice(0, 7)).toEqual([
      'made_to_order',
      '2020_2027',
      '2010_2019',
      '2008_2009',
      'before_2008',
      '2000_2007',
      '1990s',
    ]);
  });

  it('cover each year once, whatever the year', () => {
    for (let year = 2020; year < 2060; year += 1) {
      const spans = listWhenMade(year).flatMap((name) => {
        const [, from, to] = /^(\d{4})_(\d{4})$/.exec(name) ?? [];
        return from === undefined ? [] : [[Number(from), Number(to)] as const];
      });
      const covered = spans.flatMap(([from, to]) =>
        Array.from({ length: to - from + 1 }, (_, index) => from + index),
      );
      expect(covered.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: year - 1999 }, (_, index) => 2000 + index),
      );
    }
  });

  it.each([2025, 2026, 2027, 2028])('match those of the sandbox in %i', (year) => {
    expect(listWhenMade(year)).toEqual(listPeriods(year));
  });

  it('are recognized by the names of other years, too, and by no others', () => {
    expect(['2020_2025', 'before_2006', '2020_2031', '2020_2027'].map(isWhenMade)).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect(['2019_2026', '2021_2026', 'before_1900', '2030s', ''].map(isWhenMade)).not.toContain(true);
    expect(toOpenPeriod(2030)).toBe('2030_2030');
  });
});

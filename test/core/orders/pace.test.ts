import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getNextInterval, getPauseAfterFailure } from '../../../src/core/orders/pace.js';

const MINUTE_MS = 60_000;
const look = { before_ms: 0, has_news: false, least_ms: MINUTE_MS, shops: 1, day_limit: undefined };

describe('the pause between two polls of a shop', () => {
  it('is shortest after news, and doubles without news up to a quarter of an hour', () => {
    const pauses: number[] = [];
    let before_ms = getNextInterval({ ...look, has_news: true });
    for (let n = 0; n < 6; n += 1) {
      pauses.push(before_ms / MINUTE_MS);
      before_ms = getNextInterval({ ...look, before_ms });
    }
    expect(pauses).toEqual([1, 2, 4, 8, 15, 15]);
  });

  it('is as long as configured, even beyond a quarter of an hour', () => {
    expect(getNextInterval({ ...look, least_ms: 60 * MINUTE_MS })).toBe(60 * MINUTE_MS);
  });

  it("never lets all shops together use more than a quarter of a day's calls", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 100, max: 100_000 }),
        fc.boolean(),
        (shops, day_limit, hasNews) => {
          const pause_ms = getNextInterval({ ...look, has_news: hasNews, shops, day_limit, least_ms: 1000 });
          const calls_a_day = (shops * 24 * 60 * MINUTE_MS) / pause_ms;
          expect(calls_a_day).toBeLessThanOrEqual(day_limit * 0.25 * 1.01);
        },
      ),
    );
  });

  it('doubles after each failure, and is never shorter than the marketplace asks for', () => {
    expect(getPauseAfterFailure(0, 1000)).toBe(1000);
    expect(getPauseAfterFailure(4000, 1000)).toBe(8000);
    expect(getPauseAfterFailure(20 * MINUTE_MS, 1000)).toBe(15 * MINUTE_MS);
    expect(getPauseAfterFailure(0, 1000, 3600)).toBe(60 * MINUTE_MS);
    // The marketplace's limits need not be whole milliseconds, which the column requires.
    expect(getPauseAfterFailure(0, 1000, 72_253.933_4)).toBe(72_253_934);
  });
});

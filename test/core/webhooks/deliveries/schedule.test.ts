import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DELAYS_S, planNext } from '../../../../src/core/webhooks/deliveries/schedule.js';

const delayOf = (event_id: string, step: number): number => {
  const next = planNext(event_id, step);
  if (!next) throw new Error(`nothing follows step ${step}`);
  expect(next.step).toBe(step + 1);
  return next.wait_ms / 1000;
};

const wait = (step: number, retry_after_s: number): number =>
  (planNext('evt_1', step, retry_after_s * 1000)?.wait_ms ?? NaN) / 1000;

describe('the schedule of attempts', () => {
  it('has ten attempts in three days', () => {
    expect(DELAYS_S).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect(planNext('evt_1', 9)).toBeNull();
  });

  it('waits as long as a receiver asks, up to the next delay of the schedule, and at most a day', () => {
    expect(wait(0, 120)).toBe(120);
    expect(wait(0, 3_600)).toBe(300);
    expect(wait(1, 1_200)).toBe(1_200);
    expect(wait(1, 100_000)).toBe(1_800);
    expect(wait(7, 86_000)).toBe(86_000);
    expect(wait(7, 1_000_000)).toBe(86_400);
    // If asked for less than the schedule's own delay, it keeps its own.
    for (const step of [0, 1, 5, 8]) {
      expect(wait(step, 0)).toBe(delayOf('evt_1', step));
      expect(wait(step, 1)).toBe(delayOf('evt_1', step));
    }
    expect(wait(8, 1_000_000)).toBe(Math.max(86_400, delayOf('evt_1', 8)));
    expect(planNext('evt_1', 9, 1_000)).toBeNull();
  });

  it('varies every delay by up to a fifth, evenly', () => {
    const factors: number[] = [];
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 8 }), (event_id, step) => {
        const factor = delayOf(event_id, step) / DELAYS_S[step + 1]!;
        factors.push(factor);
        return factor >= 0.8 && factor <= 1.2;
      }),
      { numRuns: 1000 },
    );
    const mean = factors.reduce((sum, factor) => sum + factor, 0) / factors.length;
    expect(mean).toBeGreaterThan(0.95);
    expect(mean).toBeLessThan(1.05);
    expect(Math.min(...factors)).toBeLessThan(0.85);
    expect(Math.max(...factors)).toBeGreaterThan(1.15);
  });
});

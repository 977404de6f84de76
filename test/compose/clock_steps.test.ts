import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createSteppedClock } from '../../src/compose/clock_steps.js';

const measure = (clock: { now(): Date }) => Math.round((clock.now().getTime() - Date.now()) / 1000);

describe('CLOCK_STEPS', () => {
  it('sets the clock back and ahead, and leaves the time that passes as it is', async () => {
    const clock = createSteppedClock('0:-120,300:240');
    const before = clock.monotonic();
    expect(measure(clock)).toBe(-120);
    await pause(350);
    expect(measure(clock)).toBe(240);
    expect(clock.monotonic() - before).toBeLessThan(100_000);
  });

  it('is right until the first step', () => {
    expect(Math.abs(measure(createSteppedClock('60000:240')))).toBe(0);
  });

  it.each(['', '120', '0:', '0:a', '0:-120;1:1', '0:99999999', ':5'])('refuses %j', (steps) => {
    expect(() => createSteppedClock(steps)).toThrow('CLOCK_STEPS must be like 0:-120,1500:300');
  });
});

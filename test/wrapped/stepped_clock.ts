import type { Clock } from '../../src/core/ports/index.js';
import { systemClock } from '../../src/world/clock.js';

/**
 * A clock that is wrong, and is set while the process runs. Monotonic time and sleeps are the system's, as
 * when a real clock is set; times stated by other programs and the marketplace are unaffected. @param steps
 * `0:-120,1500:300`: 120 s behind from the start, and 300 s ahead from 1,500 ms after it
 */
export function createSteppedClock(steps: string): Clock {
  const entries = steps.split(',').map((step) => {
    const [after_ms, ahead_s] = step.split(':').map(Number);
    return { after_ms: after_ms ?? NaN, ahead_ms: (ahead_s ?? NaN) * 1000 };
  });
  const started_ms = systemClock.monotonic();
  const getAhead = (): number => {
    const passed_ms = systemClock.monotonic() - started_ms;
    return entries.findLast(({ after_ms }) => after_ms <= passed_ms)?.ahead_ms ?? 0;
  };
  return { ...systemClock, now: () => new Date(systemClock.now().getTime() + getAhead()) };
}

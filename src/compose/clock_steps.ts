import { ConfigError } from '../config.js';
import type { Clock } from '../core/ports/index.js';
import { systemClock } from '../world/clock.js';

const MAX_STEP_S = 366 * 24 * 60 * 60;

/**
 * For crash tests: a clock that is wrong, and is set while the process runs. Monotonic time and sleeps are the system's, as they
 * are where a clock is set; what other programs and the marketplace say of the time is not touched.
 * @param steps `0:-120,1500:300`: 120 s behind from the start, and 300 s ahead from 1,500 ms after it; throws ConfigError for others
 */
export function createSteppedClock(steps: string): Clock {
  const entries = steps.split(',').map(parseStep);
  const started_ms = systemClock.monotonic();
  const getAhead = (): number => {
    const passed_ms = systemClock.monotonic() - started_ms;
    return entries.findLast(({ after_ms }) => after_ms <= passed_ms)?.ahead_ms ?? 0;
  };
  return { ...systemClock, now: () => new Date(systemClock.now().getTime() + getAhead()) };
}

function parseStep(text: string): { after_ms: number; ahead_ms: number } {
  const [, after = '', ahead = ''] = /^(\d{1,8}):([+-]?\d{1,8})$/.exec(text) ?? [];
  if (ahead !== '' && Math.abs(Number(ahead)) <= MAX_STEP_S) {
    return { after_ms: Number(after), ahead_ms: Number(ahead) * 1000 };
  }
  throw new ConfigError(
    `CLOCK_STEPS must be like 0:-120,1500:300: milliseconds after the start, and the seconds that the clock is ahead from then on, not ${JSON.stringify(text)}.`,
  );
}

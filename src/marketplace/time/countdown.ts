import type { Clock } from '../../core/ports/world.js';

/**
 * Counts milliseconds down to 0 by two clocks, and by the one that is there first: a wall clock that is set back lengthens no wait,
 * and neither does monotonic time, which may stand still while the computer sleeps.
 */
export function startCountdown(clock: Pick<Clock, 'now' | 'monotonic'>, duration_ms: number): () => number {
  const until_ms = clock.now().getTime() + duration_ms;
  const until_monotonic_ms = clock.monotonic() + duration_ms;
  return () =>
    Math.max(0, Math.min(until_ms - clock.now().getTime(), until_monotonic_ms - clock.monotonic()));
}

import type { Clock } from '../../core/ports/world.js';

/** The clock as pacing needs it: it never goes back nor stands still, and the time of a finished sleep counts as passed. */
export type Timeline = {
  now(): number;
  /** How far the above is ahead of the clock by now, in milliseconds: by so much the clock was set back. */
  getAhead_ms(): number;
  /** Ends early, without an error, when woken. */
  sleep(duration_ms: number): Promise<void>;
  wake(): void;
};

/** A clock that is set back must not stop all calls until it has caught up; one that leaps may have slept, and is followed. */
export function createTimeline(clock: Clock): Timeline {
  let ahead_of_monotonic_ms = -Infinity;
  let sleeping: AbortController | undefined;

  function now(): number {
    reach(clock.now().getTime());
    return clock.monotonic() + ahead_of_monotonic_ms;
  }

  function reach(time_ms: number): void {
    ahead_of_monotonic_ms = Math.max(ahead_of_monotonic_ms, time_ms - clock.monotonic());
  }

  return {
    now,
    getAhead_ms: () => now() - clock.now().getTime(),
    async sleep(duration_ms) {
      const until = now() + duration_ms;
      const abort = new AbortController();
      sleeping = abort;
      try {
        await clock.sleep(duration_ms, abort.signal);
        reach(until);
      } catch (cause) {
        if (!abort.signal.aborted) throw cause;
      } finally {
        if (sleeping === abort) sleeping = undefined;
      }
    },
    wake: () => sleeping?.abort(),
  };
}

import type { Clock } from '../core/ports/world.js';

/** The clock as pacing needs it: it never goes back, and a sleep that was slept counts as passed. */
export type Timeline = {
  now(): number;
  /** Ends early, without an error, when woken. */
  sleep(duration_ms: number): Promise<void>;
  wake(): void;
};

/** A clock that is set back must not stop all calls until it has caught up. */
export function createTimeline(clock: Clock): Timeline {
  let reached = 0;
  let sleeping: AbortController | undefined;

  function now(): number {
    reached = Math.max(reached, clock.now().getTime());
    return reached;
  }

  return {
    now,
    async sleep(duration_ms) {
      const until = now() + duration_ms;
      const abort = new AbortController();
      sleeping = abort;
      try {
        await clock.sleep(duration_ms, abort.signal);
        reached = Math.max(reached, until);
      } catch (cause) {
        if (!abort.signal.aborted) throw cause;
      } finally {
        if (sleeping === abort) sleeping = undefined;
      }
    },
    wake: () => sleeping?.abort(),
  };
}

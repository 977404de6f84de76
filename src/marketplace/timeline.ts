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
  let abort = new AbortController();

  function now(): number {
    reached = Math.max(reached, clock.now().getTime());
    return reached;
  }

  return {
    now,
    async sleep(duration_ms) {
      const until = now() + duration_ms;
      abort = new AbortController();
      const { signal } = abort;
      try {
        await clock.sleep(duration_ms, signal);
        reached = Math.max(reached, until);
      } catch (cause) {
        if (!signal.aborted) throw cause;
      }
    },
    wake: () => abort.abort(),
  };
}

import type { AppLimits, AppLimitStore } from '../../core/ports/store/app_limits.js';
import type { Log } from '../../core/ports/world.js';
import type { Timeline } from '../time/timeline.js';

/** How often this process reads what others learnt of the limits, and how often it writes what it learnt itself. */
const PERIOD_MS = 250;
const ALONE_MS = 5_000;

/**
 * What all processes with one application's key know of its limits, before and after a restart. Times are translated between this
 * process's timeline and the clock of the store, since each process has a timeline of its own.
 */
export type LimitMemory = {
  /** Undefined while what was read last is recent enough. */
  recall(): Promise<AppLimits | undefined> | undefined;
  /** Reserves a place for a call that all processes count; it counts for `counted_ms`, unless it is freed earlier. */
  take(limits: { room: number; counted_ms: number }): Promise<Place>;
  /** Places that were counted within the last `ago_ms`, of all processes; undefined where that is not known. */
  count(ago_ms: number): Promise<number | undefined>;
  /** @param is_urgent writes at once, however short ago the last write was */
  keep(limits: AppLimits, is_urgent?: boolean): void;
};

/** `wait_ms`: until a place is free; 0 when this one is taken. `free`: lets the place count for `in_ms` from now. */
export type Place = {
  wait_ms: number;
  /** Calls left today after this one, and when the marketplace said so. */
  remaining_today: number | null;
  read_at_ms: number;
  free(in_ms: number): Promise<void>;
};

/**
 * The memory never throws: every answer of the marketplace tells the limits anew, so a store that fails costs one refused call at
 * most.
 */
export function createLimitMemory(options: {
  store: AppLimitStore;
  keystring: string;
  time: Pick<Timeline, 'now' | 'getAhead_ms'>;
  log: Log;
  buildId: () => string;
}): LimitMemory {
  const { store, keystring, time, log, buildId } = options;
  const { now } = time;
  let recalled_at = Number.NEGATIVE_INFINITY;
  let kept_at = Number.NEGATIVE_INFINITY;
  /** The store did not take a place: calls do without it for a while, since each would wait for its lock. */
  let alone_until = Number.NEGATIVE_INFINITY;
  let running: Promise<AppLimits | undefined> | undefined;

  function ignore(error: unknown): undefined {
    log.debug("the marketplace's limits could not be shared", { error });
    return undefined;
  }

  return {
    recall() {
      if (running || now() - recalled_at < PERIOD_MS) return running;
      running = store
        .findAppLimits(keystring)
        .then((limits) => limits && shift(limits, time.getAhead_ms()))
        .catch(ignore)
        .finally(() => {
          recalled_at = now();
          running = undefined;
        });
      return running;
    },
    async take(limits) {
      const place_id = buildId();
      const taken =
        now() < alone_until
          ? undefined
          : await store.takeAppPlace(keystring, place_id, limits).catch((error: unknown) => {
              alone_until = now() + ALONE_MS;
              return ignore(error);
            });
      return {
        wait_ms: taken?.wait_ms ?? 0,
        remaining_today: taken?.remaining_today ?? null,
        read_at_ms: Math.ceil((taken?.read_at_ms ?? 0) + time.getAhead_ms()),
        free: (in_ms) => store.freeAppPlace(keystring, place_id, in_ms).catch(ignore),
      };
    },
    count: (ago_ms) => store.countAppPlaces(keystring, ago_ms).catch(ignore),
    keep(limits, is_urgent = false) {
      if (!is_urgent && now() - kept_at < PERIOD_MS) return;
      kept_at = now();
      const ahead_ms = time.getAhead_ms();
      const now_ms = Math.ceil(now() - ahead_ms);
      void store.saveAppLimits(keystring, shift(limits, -ahead_ms), now_ms).catch(ignore);
    },
  };
}

function shift(limits: AppLimits, by_ms: number): AppLimits {
  return {
    ...limits,
    read_at_ms: Math.floor(limits.read_at_ms + by_ms),
    held_until_ms: Math.ceil(limits.held_until_ms + by_ms),
    held_at_ms: Math.floor(limits.held_at_ms + by_ms),
  };
}

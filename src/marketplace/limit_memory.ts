import type { AppLimits, AppLimitStore } from '../core/ports/app_limits.js';
import type { Log } from '../core/ports/world.js';

/** What other processes learnt is looked at this often, and what this one learns is told them as often. */
const PERIOD_MS = 250;

/** What all processes with one application's key know of its limits, before and after a restart. */
export type LimitMemory = {
  /** Undefined while what was read last is recent enough. */
  recall(): Promise<AppLimits | undefined> | undefined;
  /** @param is_urgent now, even if something was told a moment ago */
  keep(limits: AppLimits, is_urgent?: boolean): void;
};

/** Limits are learnt anew with every answer, so a store that fails costs a refusal at most, and stops nobody. */
export function createLimitMemory(options: {
  store: AppLimitStore;
  keystring: string;
  now: () => number;
  log: Log;
}): LimitMemory {
  const { store, keystring, now, log } = options;
  let recalled_at = Number.NEGATIVE_INFINITY;
  let kept_at = Number.NEGATIVE_INFINITY;
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
        .catch(ignore)
        .finally(() => {
          recalled_at = now();
          running = undefined;
        });
      return running;
    },
    keep(limits, is_urgent = false) {
      if (!is_urgent && now() - kept_at < PERIOD_MS) return;
      kept_at = now();
      void store.saveAppLimits(keystring, limits).catch(ignore);
    },
  };
}

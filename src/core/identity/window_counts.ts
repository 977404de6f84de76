import type { Clock, Log, WindowCountStore } from '../ports/index.js';

/** The most subjects that this process counts by itself at the same time; beyond that, it drops the oldest. */
const MAX_SUBJECTS = 10_000;

/**
 * The counts over all instances; while they cannot be written (a full or locked disk, a database that is gone), only those of
 * this process. A limit that cannot be counted must neither refuse valid attempts nor let guesses through. The log reports it
 * once, until the counts can be written again.
 */
export function createWindowCounts(
  shared: WindowCountStore,
  { clock, log }: { clock: Clock; log: Log },
): WindowCountStore {
  const own = new Map<string, { counted: number; ends_at_ms: number }>();
  let isFailing = false;

  function countHere(subject: string, { max, window_ms }: { max: number; window_ms: number }): number {
    const now_ms = clock.monotonic();
    for (const [name, { ends_at_ms }] of own) if (ends_at_ms <= now_ms) own.delete(name);
    const { counted, ends_at_ms } = own.get(subject) ?? { counted: 0, ends_at_ms: now_ms + window_ms };
    own.set(subject, { counted: counted + 1, ends_at_ms });
    const [oldest] = own.keys();
    if (own.size > MAX_SUBJECTS && oldest !== undefined) own.delete(oldest);
    return counted >= max ? Math.max(1, ends_at_ms - now_ms) : 0;
  }

  return {
    async countInWindow(subject, window) {
      try {
        const counted = await shared.countInWindow(subject, window);
        isFailing = false;
        own.clear();
        return counted;
      } catch (error) {
        if (!isFailing) {
          log.warn('limits by address cannot be counted in the database: this instance counts its own', {
            error,
          });
        }
        isFailing = true;
        return { retry_after_ms: countHere(subject, window) };
      }
    },
  };
}

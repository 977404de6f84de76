import type { Clock } from '../ports/index.js';

/**
 * The outcome of the work, or undefined if it takes longer than the limit. The work then continues, unless it listens to the
 * signal, which is aborted in either case.
 */
export async function within<T>(
  clock: Pick<Clock, 'sleep'>,
  duration_ms: number,
  work: (over: AbortSignal) => Promise<T>,
  options?: Parameters<Clock['sleep']>[2],
): Promise<T | undefined> {
  const over = new AbortController();
  const slept = clock.sleep(duration_ms, over.signal, options).then(nothing, nothing);
  try {
    return await Promise.race([work(over.signal), slept]);
  } finally {
    over.abort();
  }
}

const nothing = (): undefined => undefined;

import type { Progress } from '../../ports/records.js';

/** Counts a job's finished steps, for the progress that callers see. */
export type Meter = {
  setTotal(units: number): void;
  /** Adds units that were not known before. */
  raise(units: number): void;
  advance(message: string): void;
  /** Undefined before the first step. */
  findLast(): Progress | undefined;
  /** @returns a function that stops listening */
  listen(onProgress: (progress: Progress) => void): () => void;
};

export function createMeter(): Meter {
  const listeners = new Set<(progress: Progress) => void>();
  let done = 0;
  let total = 1;
  let last: Progress | undefined;
  return {
    setTotal(units) {
      total = units;
    },
    raise(units) {
      total += units;
    },
    advance(message) {
      done += 1;
      const progress = { done: Math.min(done, total), total, message };
      last = progress;
      for (const listener of listeners) listener(progress);
    },
    findLast: () => last,
    listen(onProgress) {
      listeners.add(onProgress);
      return () => listeners.delete(onProgress);
    },
  };
}

/**
 * Work that several callers want at the same time is run once for each key, and all of them get its outcome. Nothing is kept after its
 * end: the next caller begins it anew.
 */
export function createSharedRuns<T>(): (key: string, begin: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, begin) => {
    const shared = running.get(key);
    if (shared) return shared;
    const run = begin().finally(() => running.delete(key));
    running.set(key, run);
    return run;
  };
}

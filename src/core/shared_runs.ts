/**
 * Runs work that several callers want at the same time once per key, and gives all of them its outcome. Keeps nothing after
 * its end: the next caller starts it again.
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

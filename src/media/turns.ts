/** Runs so many at a time, the others in the order they came. */
export type Turns = <T>(run: () => Promise<T>) => Promise<T>;

export function createTurns(count: number): Turns {
  const waiting: (() => void)[] = [];
  let free = count;

  return async (run) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      // A place is handed on, not freed: whoever comes meanwhile waits behind.
      if (next) next();
      else free += 1;
    }
  };
}

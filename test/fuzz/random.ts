/** A random source that repeats itself for the same seed. */
export type Random = {
  /** 0 up to, not including, `below`. */
  int(below: number): number;
  chance(of_one: number): boolean;
  pick<T>(items: readonly T[]): T;
};

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    int: (below) => Math.floor(next() * below),
    chance: (of_one) => next() < of_one,
    pick<T>(items: readonly T[]): T {
      const item = items[Math.floor(next() * items.length)];
      if (items.length === 0) throw new Error('nothing to pick from');
      return item as T;
    },
  };
}

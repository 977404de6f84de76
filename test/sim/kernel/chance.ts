/** A seeded generator: sfc32, whose state is four words. Two with the same seed draw the same numbers. */
export type Chance = {
  /** From 0 to 2^32, exclusive. */
  word(): number;
  /** From 0 to 1, exclusive. */
  real(): number;
  /** An integer from 0 to `bound`, exclusive. */
  below(bound: number): number;
  /** An integer from `least` to `most`, inclusive. */
  between(least: number, most: number): number;
  /** True once in the given number of times, on average. */
  oneIn(times: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Weighted: items listed more often are picked more often. */
  weighed<Item>(items: readonly (readonly [number, Item])[]): Item;
  bytes(count: number): Buffer;
};

/** @param name each name has its own sequence, so that the draws of one part do not affect those of another */
export function createChance(seed: number, name: string): Chance {
  let [a, b, c, d] = mix(`${seed}/${name}`);
  function word(): number {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  }
  for (let turn = 0; turn < WARM_UP; turn += 1) word();
  const real = () => word() / 2 ** 32;
  const below = (bound: number) => Math.floor(real() * bound);
  const pick = <Item>(items: readonly Item[]): Item => {
    if (items.length === 0) throw new Error('nothing to pick from');
    return items[below(items.length)] as Item;
  };
  return {
    word,
    real,
    below,
    between: (least, most) => least + below(most - least + 1),
    oneIn: (times) => below(times) === 0,
    pick,
    weighed(items) {
      let rest = below(items.reduce((sum, [weight]) => sum + weight, 0));
      for (const [weight, item] of items) {
        rest -= weight;
        if (rest < 0) return item;
      }
      throw new Error('the weights are the sum of themselves');
    },
    bytes(count) {
      const drawn = Buffer.alloc(count);
      for (let at = 0; at < count; at += 1) drawn[at] = word() & 0xff;
      return drawn;
    },
  };
}

const WARM_UP = 12;

/** Hashes a text to four words: FNV-1a with four different starts. */
function mix(text: string): [number, number, number, number] {
  const words = [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b].map((start) => {
    let hash = start;
    for (const letter of Buffer.from(text)) hash = Math.imul(hash ^ letter, 0x01000193);
    return hash | 0;
  });
  return words as [number, number, number, number];
}

/** A seeded generator: sfc32, whose state is four words. Two of one seed draw the same. */
export type Chance = {
  /** From 0 up to 2^32, without it. */
  word(): number;
  /** From 0 up to 1, without it. */
  real(): number;
  /** A whole number from 0 up to `bound`, without it. */
  below(bound: number): number;
  /** A whole number from `least` up to `most`, with both. */
  between(least: number, most: number): number;
  /** True once in so many times, on average. */
  oneIn(times: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** By weight: items that stand oftener come up oftener. */
  weighed<Item>(items: readonly (readonly [number, Item])[]): Item;
  bytes(count: number): Buffer;
};

/** @param name each name has draws of its own, so that what one part draws moves no other */
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

/** Four words of a text: FNV-1a, begun four times differently. */
function mix(text: string): [number, number, number, number] {
  const words = [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b].map((start) => {
    let hash = start;
    for (const letter of Buffer.from(text)) hash = Math.imul(hash ^ letter, 0x01000193);
    return hash | 0;
  });
  return words as [number, number, number, number];
}

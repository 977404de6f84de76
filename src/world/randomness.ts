import { randomFillSync } from 'node:crypto';
import type { Randomness } from '../core/ports/world.js';

/** Drawn in bulk, since each draw costs far more than its bytes; no byte is used twice. */
const POOL_BYTES = 4096;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/** The operating system's generator, for secrets too. */
export const systemRandomness: Randomness = {
  bytes(count) {
    if (count > POOL_BYTES) return randomFillSync(Buffer.alloc(count));
    if (used + count > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const drawn = Buffer.from(pool.subarray(used, used + count));
    pool.fill(0, used, used + count);
    used += count;
    return drawn;
  },
};

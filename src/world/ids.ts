import { randomFillSync } from 'node:crypto';
import type { Ids } from '../core/ports/world.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIGITS = 22;
/** The largest multiple of 62 that a byte holds; what lies above would make some digits likelier. */
const FAIR = 248;

export const randomIds: Ids = { build: (prefix) => prefix + buildDigits() };

function buildDigits(): string {
  let digits = '';
  while (digits.length < DIGITS) {
    const byte = takeByte();
    if (byte < FAIR) digits += BASE62[byte % 62];
  }
  return digits;
}

/** Drawn many at once, since each draw costs far more than its bytes; none is used twice. */
const drawn = new Uint8Array(4096);
let used = drawn.length;

function takeByte(): number {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const byte = drawn[used] ?? 0;
  used += 1;
  return byte;
}

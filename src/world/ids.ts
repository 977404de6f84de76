import type { Ids, Randomness } from '../core/ports/world.js';
import { systemRandomness } from './randomness.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIGITS = 22;
/** The largest multiple of 62 that fits in a byte; larger values would make some digits more likely. */
const FAIR = 248;

export function createIds(randomness: Randomness): Ids {
  return { build: (prefix) => prefix + buildDigits(randomness) };
}

export const randomIds: Ids = createIds(systemRandomness);

function buildDigits(randomness: Randomness): string {
  let digits = '';
  while (digits.length < DIGITS) {
    for (const byte of randomness.bytes(DIGITS - digits.length)) {
      if (byte < FAIR) digits += BASE62[byte % 62];
    }
  }
  return digits;
}

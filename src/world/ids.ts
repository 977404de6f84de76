import { randomBytes } from 'node:crypto';
import type { Ids } from '../core/ports/world.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIGITS = 22;
/** The largest multiple of 62 that a byte holds; what lies above would make some digits likelier. */
const FAIR = 248;

export const randomIds: Ids = { build: (prefix) => prefix + buildDigits() };

function buildDigits(): string {
  let digits = '';
  while (digits.length < DIGITS) {
    for (const byte of randomBytes(DIGITS * 2)) {
      if (byte < FAIR && digits.length < DIGITS) digits += BASE62[byte % 62];
    }
  }
  return digits;
}

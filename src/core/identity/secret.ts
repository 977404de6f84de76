import { hash } from 'node:crypto';
import type { Randomness } from '../ports/world.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Base62 digits that hold 32 bytes. */
const SECRET_DIGITS = 43;

/** 32 random bytes in base62: 43 characters. */
export function buildSecret(randomness: Randomness): string {
  return toBase62(BigInt(`0x${randomness.bytes(32).toString('hex')}`), SECRET_DIGITS);
}

/** The SHA-256 of a secret, in hexadecimal, as stored. It needs no salt, since 32 random bytes cannot be guessed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

export function toBase62(value: bigint, digits: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < digits; i += 1) {
    text = (BASE62[Number(rest % 62n)] ?? '') + text;
    rest /= 62n;
  }
  return text;
}

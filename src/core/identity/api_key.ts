import { crc32 } from 'node:zlib';
import type { Randomness } from '../ports/world.js';
import { buildSecret, toBase62 } from './secret.js';

const PREFIX = 'mls_';
const CHECKSUM_DIGITS = 6;

/** `mls_`, 32 random bytes in base62, and a checksum by which secret scanners recognise a real key. */
export function buildKey(randomness: Randomness): string {
  const secret = buildSecret(randomness);
  return PREFIX + secret + toBase62(BigInt(crc32(secret)), CHECKSUM_DIGITS);
}

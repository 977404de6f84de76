import { crc32 } from 'node:zlib';
import { buildSecret, toBase62 } from './secret.js';

const PREFIX = 'mls_';
const CHECKSUM_DIGITS = 6;

/** `mls_`, 32 random bytes in base62, and a checksum that tells a typing error from an unknown key. */
export function buildKey(): string {
  const secret = buildSecret();
  return PREFIX + secret + buildChecksum(secret);
}

export function isWellFormedKey(key: string): boolean {
  const match = /^mls_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(key);
  return match !== null && buildChecksum(match[1] ?? '') === match[2];
}

function buildChecksum(secret: string): string {
  return toBase62(BigInt(crc32(secret)), CHECKSUM_DIGITS);
}

import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'mls_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Base62 digits that hold 32 bytes. */
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;

/** `mls_`, 32 random bytes in base62, and a checksum that tells a typing error from an unknown key. */
export function buildKey(): string {
  const secret = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_DIGITS);
  return PREFIX + secret + buildChecksum(secret);
}

export function isWellFormedKey(key: string): boolean {
  const match = /^mls_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(key);
  return match !== null && buildChecksum(match[1] ?? '') === match[2];
}

function buildChecksum(secret: string): string {
  return toBase62(BigInt(crc32(secret)), CHECKSUM_DIGITS);
}

function toBase62(value: bigint, digits: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < digits; i += 1) {
    text = (BASE62[Number(rest % 62n)] ?? '') + text;
    rest /= 62n;
  }
  return text;
}

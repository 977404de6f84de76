/**
 * Throws an Error unless the text is a SHA-256 in the port's format, so that no key or path is built from
 * anything else.
 */
export function checkSha256(sha256: string): void {
  if (!isSha256(sha256)) throw new Error('sha256 must be 64 lower-case hexadecimal characters.');
}

export function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

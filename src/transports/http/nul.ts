/**
 * Whether an address or a body has a NUL character, literal or percent-encoded. No valid value contains one,
 * and PostgreSQL refuses a text with one, which would look like a fault of ours.
 */
export function hasNul(encoded: string): boolean {
  return encoded.includes('%00') || encoded.includes('\0');
}

/**
 * Whether an address or a body has a NUL character, as it is or percent-encoded. It is in nothing that a caller can mean, and
 * PostgreSQL refuses a text that has one, which would look like a fault of ours.
 */
export function hasNul(encoded: string): boolean {
  return encoded.includes('%00') || encoded.includes('\0');
}

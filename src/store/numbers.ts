/** A count or sum, which some databases answer as text; the sum of nothing is null. */
export function toNumber(value: string | number | bigint | null | undefined): number {
  return Number(value ?? 0);
}

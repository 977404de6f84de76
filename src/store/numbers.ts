/** For counts and sums alone, which some databases answer as text. The sum of nothing is null there, and 0 here. */
export function toNumber(value: string | number | bigint | null | undefined): number {
  return Number(value ?? 0);
}

/** Only for counts and sums, which some databases return as text. The sum of no rows is null there, and 0 here. */
export function toNumber(value: string | number | bigint | null | undefined): number {
  return Number(value ?? 0);
}

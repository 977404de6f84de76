export const MINUTE_MS = 60_000;

export const HOUR_MS = 60 * MINUTE_MS;

export function drawMany<Item>(count: number, draw: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => draw(index));
}

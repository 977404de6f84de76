/** 0 or 1: SQLite has no booleans. */
export type Bit = 0 | 1;

/** For boolean columns. */
export function toBit(value: boolean): Bit {
  return value ? 1 : 0;
}

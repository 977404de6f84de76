/*
 * A SQL statement has one placeholder per list value, so each list length would produce a different statement. openSqlite
 * caches every statement, so lists are padded to, or split into, a few lengths.
 */

/**
 * Maximum rows per statement. SQLite allows 32,766 parameters, so a row may have at most 7 columns. Rows of batch_items
 * have 8, but one insert has at most one row per shop of a listing, far fewer than the maximum.
 */
const MOST_ROWS = 4_096;

/**
 * Splits the rows of an insert or a delete into one batch per statement. The lengths are powers of two, the longest first.
 */
export function toBatches<Row>(rows: readonly Row[]): Row[][] {
  const batches: Row[][] = [];
  for (let start = 0; start < rows.length;) {
    let length = MOST_ROWS;
    while (length > rows.length - start) length /= 2;
    batches.push(rows.slice(start, start + length));
    start += length;
  }
  return batches;
}

/**
 * Pads a list in which duplicates are harmless, such as the values of an `IN`, by repeating the last one until the length is
 * a power of two.
 */
export function padList<Value>(values: readonly Value[]): Value[] {
  let length = 1;
  while (length < values.length) length *= 2;
  return [...values, ...values.slice(-1).flatMap((last) => Array<Value>(length - values.length).fill(last))];
}

/*
 * A text of SQL has a mark for each value of a list, so lists of each length would be texts of their own. SQLite keeps every text that it
 * was given (see openSqlite): lists come in few lengths, so that the texts are few.
 */

/** Rows of one statement, which may have 32,766 values. */
const MOST_ROWS = 4_096;

/** The rows of an insert or a delete, for a statement each: of lengths that are powers of two, the longest first. */
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

/** Values of which one more of the same changes nothing, as those of an `in`: the last is repeated until their number is a power of two. */
export function padList<Value>(values: readonly Value[]): Value[] {
  let length = 1;
  while (length < values.length) length *= 2;
  return [...values, ...values.slice(-1).flatMap((last) => Array<Value>(length - values.length).fill(last))];
}

/*
 * An SQL text has a placeholder for each value of a list, so every length of a list would make another text. SQLite keeps
 * every text that it was given (see openSqlite): lists are padded to a few lengths, so that there are few texts.
 */

/** Rows of one statement, which may have 32,766 values. */
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
 * Pads values of which repeating one changes nothing, such as those of an `in`: repeats the last until their number is a
 * power of two.
 */
export function padList<Value>(values: readonly Value[]): Value[] {
  let length = 1;
  while (length < values.length) length *= 2;
  return [...values, ...values.slice(-1).flatMap((last) => Array<Value>(length - values.length).fill(last))];
}

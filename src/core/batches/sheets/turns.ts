import { nextTurn } from '../../async/next_turn.js';

/** The most rows to handle in one turn of the event loop, since rows may have long texts. */
const ROWS = 100;

/** The rows in slices, each in its own turn of the event loop. */
export async function* inTurns<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += ROWS) {
    yield rows.slice(at, at + ROWS);
    await nextTurn();
  }
}

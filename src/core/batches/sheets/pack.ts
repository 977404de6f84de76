import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { nextTurn } from '../../async/next_turn.js';
import type { SheetRow } from './columns.js';
import { inTurns } from './turns.js';

/** Rows that are read or skipped in one turn of the event loop. */
const ROWS_IN_TURN = 100;

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** One line of JSON per row. Compression stores texts that rows share only once. */
export async function pack(rows: readonly SheetRow[]): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const some of inTurns(rows)) {
    pieces.push(Buffer.from(some.map((row) => `${JSON.stringify(row)}\n`).join('')));
  }
  return (await promisify(brotliCompress)(Buffer.concat(pieces), FAST)).toString('base64');
}

/** The rows with these indexes, in the order of the export; does not parse the others. */
export async function unpack(
  content: string,
  isWanted: (index: number) => boolean,
): Promise<Map<number, SheetRow>> {
  const lines = await promisify(brotliDecompress)(Buffer.from(content, 'base64'));
  const rows = new Map<number, SheetRow>();
  for (let [at, index] = [0, 0]; at < lines.length; index += 1) {
    const end = lines.indexOf('\n', at);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- packed here
    if (isWanted(index)) rows.set(index, JSON.parse(lines.toString('utf8', at, end)) as SheetRow);
    at = end + 1;
    if (index % ROWS_IN_TURN === 0) await nextTurn();
  }
  return rows;
}

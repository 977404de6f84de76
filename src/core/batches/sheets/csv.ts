import { nextTurn } from '../../async/next_turn.js';
import { COLUMNS, IDENTITY, MOST_ROWS, NUMBERS, type SheetRow } from './columns.js';
import { MOST_COLUMNS, toText, toTooLong, type Problem, type Table } from './table.js';
import { inTurns } from './turns.js';

const BOM = '\ufeff';
/** Of a cell; longer than any text in an export. */
const MOST_CHARS = 256 * 1024;
/** Includes blank ones, which spreadsheet programs write for rows whose cells were deleted. */
const MOST_RECORDS = 10 * MOST_ROWS;
/** Read in one turn of the event loop. */
const CELLS_IN_TURN = 20_000;
/** A spreadsheet program would treat such text as a formula, or hide its first character. */
const RISKY = /^[=+\-@' \t\r]/;

/** For spreadsheet programs: with a byte order mark, by which they recognize UTF-8. */
export async function writeCsv(rows: readonly SheetRow[]): Promise<Buffer> {
  const pieces = [Buffer.from(`${BOM}${COLUMNS.join(',')}\r\n`)];
  for await (const some of inTurns(rows)) pieces.push(Buffer.from(some.map(toLine).join('')));
  return Buffer.concat(pieces);
}

function toLine(row: SheetRow): string {
  const cells = row.map((text, at) => quote(NUMBERS.has(COLUMNS[at] ?? '') ? text : protect(text)));
  return `${cells.join(',')}\r\n`;
}

/** Adds a prefix that keeps the text from being evaluated. */
function protect(text: string): string {
  return RISKY.test(text) ? `'${text}` : text;
}

/** Removes one prefix of the kind that an export adds. */
export function unprotect(text: string): string {
  return text.startsWith("'") ? text.slice(1) : text;
}

/** Whether the text begins with a prefix that an export added. */
export function isProtected(text: string): boolean {
  return text.startsWith("'") && RISKY.test(text.slice(1));
}

function quote(text: string): string {
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows of a CSV file; the delimiter is the one with which its first row is a header. */
export async function readCsv(
  text: string,
  isHeader: (cells: readonly string[]) => boolean,
): Promise<Table | Problem> {
  const start = text.startsWith(BOM) ? 1 : 0;
  for (const delimiter of [',', ';', '\t']) {
    const header = await readRecords(text, delimiter, start, 1);
    if (!('code' in header) && isHeader(header[0]?.cells.map(toText) ?? [])) {
      return readRecords(text, delimiter, start, MOST_ROWS + 1);
    }
  }
  return { code: 'sheet_header_missing', params: { columns: IDENTITY } };
}

/** Rows that are not blank. */
async function readRecords(
  text: string,
  delimiter: string,
  start: number,
  most: number,
): Promise<Table | Problem> {
  const rows: Table = [];
  let row = 1;
  let cells: string[] = [];
  let at = start;
  for (let count = 1; at < text.length; count += 1) {
    if (count % CELLS_IN_TURN === 0) await nextTurn();
    let cell = '';
    if (text[at] === '"') {
      for (;;) {
        const end = text.indexOf('"', at + 1);
        if (end === -1) return { code: 'sheet_quote_open', params: { row } };
        cell += text.slice(at + 1, end);
        at = end + 1;
        if (text[at] !== '"') break;
        cell += '"';
        if (cell.length > MOST_CHARS) return toTooLong(row, MOST_CHARS);
      }
    }
    const end = findEnd(text, at, delimiter);
    if (cell.length + end - at > MOST_CHARS) return toTooLong(row, MOST_CHARS);
    if (cells.length < MOST_COLUMNS) cells.push(cell + text.slice(at, end));
    at = end;
    if (text[at] === delimiter) {
      at += 1;
      if (at < text.length) continue;
    }
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    if (cells.some((one) => one !== '')) {
      rows.push({ row, cells });
      if (rows.length > most) return { code: 'sheet_rows_over', params: { most: MOST_ROWS } };
      if (most === 1) return rows;
    }
    if (row === MOST_RECORDS) return { code: 'sheet_rows_over', params: { most: MOST_ROWS } };
    row += 1;
    cells = [];
  }
  return rows;
}

function findEnd(text: string, start: number, delimiter: string): number {
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === delimiter || character === '\n' || character === '\r') return at;
  }
  return text.length;
}

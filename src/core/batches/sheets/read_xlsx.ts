import { posix } from 'node:path';
import { MOST_ROWS } from './columns.js';
import {
  MOST_CELL_CHARS,
  MOST_COLUMNS,
  MOST_SHEET_CHARS,
  toText,
  toTooLong,
  type Cell,
  type Problem,
  type Table,
} from './table.js';
import { readXml } from './xml.js';
import { listEntries, type ZipEntry } from './zip.js';

const MEGABYTE = 1024 * 1024;
const MOST_MEGABYTES = 64;
const MOST_ENTRIES = 500;

/** Longer text is dropped: with each character as `_x000D_`, it would still be too long for a cell. */
const MOST_ESCAPED_CHARS = 7 * MOST_CELL_CHARS;

const DAMAGED: Problem = { code: 'sheet_damaged', params: {} };

/** The first sheet of a workbook. Checks the sizes that the file declares before it unpacks anything. */
export async function readXlsx(bytes: Buffer): Promise<Table | Problem> {
  const entries = await listEntries(bytes, MOST_ENTRIES + 1);
  if (!entries) return DAMAGED;
  if (entries.length > MOST_ENTRIES) {
    return { code: 'sheet_entries_over', params: { most: MOST_ENTRIES } };
  }
  if (entries.reduce((sum, { size_bytes }) => sum + size_bytes, 0) > MOST_MEGABYTES * MEGABYTE) {
    return { code: 'sheet_inflates', params: { most_megabytes: MOST_MEGABYTES } };
  }
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  if (byName.size < entries.length) return DAMAGED;
  if (entries.some(({ name }) => name.startsWith('xl/externalLinks/'))) return EXTERNAL;
  if (!byName.has('xl/workbook.xml')) return { code: 'sheet_type_wrong', params: {} };
  const workbook = createReader(byName);
  const parts = await findParts(workbook);
  if ('code' in parts) return parts;
  const strings = parts.strings === undefined ? [] : await readStrings(workbook, parts.strings);
  const dates = parts.styles === undefined ? new Set<number>() : await readDateStyles(workbook, parts.styles);
  return strings && dates ? readRows(workbook, parts.sheet, strings, dates) : DAMAGED;
}

const EXTERNAL: Problem = { code: 'sheet_external', params: {} };

/** Reads a part by its name; false if it is missing or damaged. */
type ReadPart = (name: string, handlers: Parameters<typeof readXml>[1]) => Promise<boolean>;

function createReader(entries: ReadonlyMap<string, ZipEntry>): ReadPart {
  return async (name, handlers) => {
    const entry = entries.get(name);
    if (!entry) return false;
    try {
      await readXml(entry.read(), handlers);
      return true;
    } catch {
      return false;
    }
  };
}

type Parts = { sheet: string; strings: string | undefined; styles: string | undefined };

async function findParts(read: ReadPart): Promise<Parts | Problem> {
  let first: string | undefined;
  const isRead = await read('xl/workbook.xml', {
    onOpen(name, attributes) {
      if (name === 'sheet') first ??= attributes['r:id'] ?? '';
    },
  });
  const targets = new Map<string, string>();
  let strings: string | undefined;
  let styles: string | undefined;
  let isExternal = false;
  const isRelated = await read('xl/_rels/workbook.xml.rels', {
    onOpen(name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
      if (name !== 'Relationship') return;
      if (mode === 'External') isExternal = true;
      const path = posix.resolve('/xl', target).slice(1);
      targets.set(id, path);
      if (type.endsWith('/sharedStrings')) strings = path;
      if (type.endsWith('/styles')) styles = path;
    },
  });
  if (isExternal) return EXTERNAL;
  const sheet = targets.get(first ?? '');
  return isRead && isRelated && sheet !== undefined ? { sheet, strings, styles } : DAMAGED;
}

async function readStrings(read: ReadPart, part: string): Promise<string[] | undefined> {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isPhonetic = false;
  const isRead = await read(part, {
    onOpen(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') isPhonetic = true;
      isText = name === 't' && !isPhonetic;
    },
    onText(piece) {
      if (isText && text.length <= MOST_ESCAPED_CHARS) text += piece;
    },
    onClose(name) {
      isText = false;
      if (name === 'rPh') isPhonetic = false;
      if (name === 'si') strings.push(unescape(text));
    },
  });
  return isRead ? strings : undefined;
}

/** Numbers of the formats that show a number as a date or time, in addition to those that a workbook defines. */
const BUILT_IN_DATES = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

/** The styles of cells that show dates. */
async function readDateStyles(read: ReadPart, part: string): Promise<Set<number> | undefined> {
  const own = new Set<number>();
  const dates = new Set<number>();
  let isOfCells = false;
  let style = 0;
  const isRead = await read(part, {
    onOpen(name, { numFmtId = '', formatCode = '' }) {
      const format = Number(numFmtId);
      if (name === 'numFmt' && isDateFormat(formatCode)) own.add(format);
      if (name === 'cellXfs') isOfCells = true;
      if (name !== 'xf' || !isOfCells) return;
      if (BUILT_IN_DATES.has(format) || own.has(format)) dates.add(style);
      style += 1;
    },
    onClose(name) {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return isRead ? dates : undefined;
}

const MOST_FORMAT_CHARS = 255;

/** Whether a format has date letters outside of quoted texts, brackets and escapes. */
function isDateFormat(format: string): boolean {
  const codes = format.slice(0, MOST_FORMAT_CHARS).replace(/"[^"]*"|\[[^\]]*\]|\\./g, '');
  return /[ymdhs]/i.test(codes);
}

async function readRows(
  read: ReadPart,
  part: string,
  strings: readonly string[],
  dates: ReadonlySet<number>,
): Promise<Table | Problem> {
  const rows: Table = [];
  let row = 0;
  let cells: Cell[] = [];
  let column = -1;
  let cell = { type: 'n', style: 0, text: '', isFormula: false };
  let isValue = false;
  let chars = 0;
  let problem: Problem | undefined;
  const addCell = () => {
    const read = toCell(cell, strings, dates);
    const { length } = toText(read);
    chars += length;
    if (length > MOST_CELL_CHARS) problem ??= toTooLong(row, MOST_CELL_CHARS);
    if (chars > MOST_SHEET_CHARS) problem ??= { code: 'sheet_chars_over', params: {} };
    cells[column] = read;
  };
  const isRead = await read(part, {
    onOpen(name, { r, t = 'n', s = '0' }) {
      if (name === 'row') {
        row = r === undefined ? row + 1 : Number(r);
        cells = [];
        column = -1;
      } else if (name === 'c') {
        column = r === undefined ? column + 1 : toColumn(r);
        cell = { type: t, style: Number(s), text: '', isFormula: t === 'e' };
      } else if (name === 'f') cell.isFormula = true;
      isValue = name === 'v' || name === 't';
    },
    onText(piece) {
      if (isValue && cell.text.length <= MOST_ESCAPED_CHARS) cell.text += piece;
    },
    onClose(name) {
      isValue = false;
      if (name === 'c' && column >= 0 && column < MOST_COLUMNS) addCell();
      if (name === 'row' && cells.some((one) => toText(one) !== '')) rows.push({ row, cells });
    },
    isDone: () => problem !== undefined || rows.length > MOST_ROWS + 1,
  });
  if (problem) return problem;
  if (!isRead) return DAMAGED;
  return rows.length > MOST_ROWS + 1 ? { code: 'sheet_rows_over', params: { most: MOST_ROWS } } : rows;
}

function toCell(
  { type, style, text, isFormula }: { type: string; style: number; text: string; isFormula: boolean },
  strings: readonly string[],
  dates: ReadonlySet<number>,
): Cell {
  if (isFormula) return { text: text === '' ? '=' : text, is: 'formula' };
  if (type === 's') return strings[Number(text)] ?? '';
  if (type === 'b') return text === '1' ? 'yes' : 'no';
  if (type === 'd') return { text, is: 'date' };
  if (type !== 'n' || text === '') return unescape(text);
  // The number of digits that a spreadsheet program shows.
  return { text: String(Number(Number(text).toPrecision(15))), is: dates.has(style) ? 'date' : 'number' };
}

/** The column of `AB12`, from 0. */
function toColumn(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? '';
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Workbooks write characters that XML cannot hold as `_x000D_`. */
function unescape(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_whole, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
}

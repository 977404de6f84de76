import { isUtf8 } from 'node:buffer';
import { readCsv } from './csv.js';
import { readXlsx } from './read_xlsx.js';
import type { Problem, Table } from './table.js';
import { isZip } from './zip.js';

const UTF16 = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** The file's type, by its bytes. `undefined` if it is neither a workbook nor text. */
export function identifySheet(bytes: Buffer): 'xlsx' | 'csv' | 'not_utf8' | undefined {
  if (isZip(bytes)) return 'xlsx';
  if (UTF16.some((mark) => bytes.subarray(0, 2).equals(mark))) return 'not_utf8';
  if (bytes.includes(0)) return undefined;
  return isUtf8(bytes) ? 'csv' : 'not_utf8';
}

export type ReadSheet = { is: 'xlsx' | 'csv'; table: Table };

export async function readSheet(bytes: Buffer): Promise<ReadSheet | Problem> {
  const is = identifySheet(bytes);
  if (is === undefined) return { code: 'sheet_type_wrong', params: {} };
  if (is === 'not_utf8') return { code: 'sheet_not_utf8', params: {} };
  const table = is === 'xlsx' ? await readXlsx(bytes) : await readCsv(bytes.toString('utf8'), isHeader);
  return 'code' in table ? table : { is, table };
}

function isHeader(cells: readonly string[]): boolean {
  const names = new Set(cells.map((cell) => cell.trim().toLowerCase()));
  return names.has('version') && names.has('listing_pk');
}

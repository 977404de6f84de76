import type { Issue } from '../../../../schemas/issue.js';
import type { SheetEdits } from '../../ports/index.js';
import { cleanForeign } from '../../text/foreign.js';
import {
  COLUMNS,
  getCell,
  IDENTITY,
  OF_LISTING,
  OF_ROW,
  READ_ONLY,
  type Editable,
  type OfListing,
  type SheetRow,
} from './columns.js';
import type { ReadSheet } from './read_sheet.js';
import { toText, type Cell, type Problem, type Table } from './table.js';
import { dropCurrency } from './currency_signs.js';
import { isSame, isSameText, readCell } from './values.js';

/** A row of an uploaded sheet. */
export type UploadedRow = { row: number; version: string; get: (column: string) => Cell | undefined };

/** `columns`: the columns of an export that the sheet has. `ignored`: the others. */
export type Uploaded = { rows: UploadedRow[]; columns: ReadonlySet<string>; ignored: string[] };

/** A listing in one shop, with its rows and those of the export. */
export type Group = {
  listing_pk: number;
  shop_id: number;
  rows: { given: UploadedRow; exported: SheetRow }[];
};

/** The rows below the header, or why the sheet cannot be read. */
export function readUploaded(table: Table): Uploaded | Problem {
  const [header, ...body] = table;
  const names = (header?.cells ?? []).map((cell) => toText(cell).trim().toLowerCase());
  const missing = IDENTITY.filter((column) => !names.includes(column));
  if (missing.length > 0) return { code: 'sheet_header_missing', params: { columns: missing } };
  const repeated = names.find((name, index) => COLUMNS.includes(name) && names.indexOf(name) < index);
  if (repeated !== undefined) return { code: 'sheet_column_repeated', params: { column: repeated } };
  if (body.length === 0) return { code: 'sheet_empty', params: {} };
  const at = new Map(names.map((name, index) => [name, index]));
  const rows = body.map(({ row, cells }): UploadedRow => {
    const getRaw = (column: string) => cells[at.get(column) ?? -1];
    const get = (column: string) =>
      column === 'price' ? dropCurrency(getRaw(column), toText(getRaw('currency'))) : getRaw(column);
    return { row, version: toText(get('version')).trim(), get };
  });
  const mixed = findMixedDecimals(rows);
  if (mixed) return mixed;
  return {
    rows,
    columns: new Set(names.filter((name) => COLUMNS.includes(name))),
    ignored: names.filter((name) => name !== '' && !COLUMNS.includes(name)).map((name) => cleanForeign(name)),
  };
}

function findMixedDecimals(rows: readonly UploadedRow[]): Problem | undefined {
  const find = (form: RegExp) =>
    rows.find(({ get }) => {
      const cell = get('price');
      return typeof cell === 'string' && form.test(cell.trim());
    })?.row;
  const [comma_row, point_row] = [find(/^\d+,\d+$/), find(/^\d+\.\d+$/)];
  if (comma_row === undefined || point_row === undefined) return undefined;
  return { code: 'sheet_decimals_mixed', params: { comma_row, point_row } };
}

/** The changes that the rows make to a listing in one shop. */
export function compareGroup(
  { shop_id, rows }: Group,
  { columns }: Pick<Uploaded, 'columns'>,
  is: ReadSheet['is'],
): SheetEdits {
  const edits: SheetEdits = { shop_id, cells: [], issues: [] };
  const add = (given: UploadedRow, exported: SheetRow, column: Editable) => {
    if (!columns.has(column)) return false;
    const read = readCell(column, given.get(column), getCell(exported, column), is === 'csv');
    if (!read) return false;
    const { row } = given;
    if ('fault' in read) {
      edits.issues.push({ ...read.fault, at: toPlace(row, column) });
      return true;
    }
    edits.cells.push({
      row,
      column,
      value: read.value,
      options: [getCell(exported, 'option_1'), getCell(exported, 'option_2')],
      ...(column === 'quantity' && { exported: Number(getCell(exported, 'quantity')) }),
    });
    return true;
  };
  for (const { given, exported } of rows) {
    edits.issues.push(...listIdentityIssues(given, exported));
    for (const column of OF_ROW) add(given, exported, column);
  }
  for (const column of OF_LISTING) {
    const issue = findDifference(rows, column);
    if (issue) edits.issues.push(issue);
    // Other rows have the same value, or none.
    else rows.some(({ given, exported }) => add(given, exported, column));
  }
  return edits;
}

function listIdentityIssues(given: UploadedRow, exported: SheetRow): Issue[] {
  return IDENTITY.filter((column) => column !== 'version').flatMap((column): Issue[] => {
    const cell = given.get(column);
    const [text, was] = [toText(cell), getCell(exported, column)];
    const at = toPlace(given.row, column);
    if (isFormula(cell)) return [{ code: 'sheet_formula', at, params: {} }];
    if (isSameText(text, was)) return [];
    return [{ code: 'sheet_identity_edited', at, params: { exported: was, given: cleanForeign(text) } }];
  });
}

/** The first row with a formula, or with a value other than that of the first row with one. */
function findDifference(rows: Group['rows'], column: OfListing): Issue | undefined {
  const filled = rows.filter(({ given }) => toText(given.get(column)).trim() !== '');
  const [first] = filled;
  if (!first) return undefined;
  const formula = filled.find(({ given }) => isFormula(given.get(column)));
  if (formula) return { code: 'sheet_formula', at: toPlace(formula.given.row, column), params: {} };
  const text = toText(first.given.get(column));
  const other = filled.find(({ given }) => !isSame(column, toText(given.get(column)), text));
  if (!other) return undefined;
  const at = toPlace(other.given.row, column);
  return { code: 'sheet_cells_differ', at, params: { other: first.given.row } };
}

/** Read-only columns in which a row was edited. */
export function listReadOnlyEdits(rows: readonly Group['rows'][number][]): string[] {
  return READ_ONLY.filter((column) =>
    rows.some(({ given, exported }) => {
      const text = toText(given.get(column));
      return text.trim() !== '' && !isSameText(text, getCell(exported, column));
    }),
  );
}

function isFormula(cell: Cell | undefined): boolean {
  return typeof cell === 'object' && cell.is === 'formula';
}

export function toPlace(row: number, column: string): string {
  return `row ${row}, ${column}`;
}

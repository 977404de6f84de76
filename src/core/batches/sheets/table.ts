import type { SheetParams } from '../../../../schemas/issues/sheets.js';
import type { Coded } from '../../../../schemas/issues/facts.js';

/** A cell of an uploaded sheet. `is`: what a workbook says about it in addition to its text. */
export type Cell = string | { text: string; is: 'number' | 'date' | 'formula' };

/** Rows that are not blank, with their numbers in the file. The first is the header. */
export type Table = { row: number; cells: readonly Cell[] }[];

/** Why a file is not a sheet. */
export type Problem = Coded<SheetParams>;

/** Far more than an export has; cells beyond it are not read. */
export const MOST_COLUMNS = 500;

/** Of a cell of a workbook. */
export const MOST_CELL_CHARS = 32_767;

/** Of all cells of an uploaded sheet, since many cells of a workbook can share one text. More than an export can have. */
export const MOST_SHEET_CHARS = 48 * 1024 * 1024;

export function toTooLong(row: number, most: number): Problem {
  return { code: 'sheet_cell_too_long', params: { row, most } };
}

export function toText(cell: Cell | undefined): string {
  return typeof cell === 'object' ? cell.text : (cell ?? '');
}

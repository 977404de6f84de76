import type { SheetFormat } from '../../../../schemas/batch.js';

/** Columns that identify a row. An edit in one of them refuses the row. */
export const IDENTITY = [
  'listing_pk',
  'shop_id',
  'shop',
  'listing_id',
  'option_1',
  'option_2',
  'currency',
  'version',
] as const;

/** Columns that are the same in all rows of a listing in one shop. */
export const OF_LISTING = [
  'title',
  'description',
  'tags',
  'materials',
  'section',
  'state',
  'shipping_profile',
  'processing_profile',
] as const;

/** Columns that each combination of a listing has for itself. */
export const OF_ROW = ['price', 'quantity', 'sku', 'offered'] as const;

const PHOTOS = Array.from({ length: 10 }, (_, index) => `photo_${index + 1}`);

export const READ_ONLY = [...PHOTOS, 'ends_at'] as const;

/** In the order of the sheet. */
export const COLUMNS: readonly string[] = [
  ...IDENTITY,
  'title',
  'description',
  'tags',
  'materials',
  'section',
  'price',
  'quantity',
  'sku',
  'offered',
  'state',
  'shipping_profile',
  'processing_profile',
  ...READ_ONLY,
];

export type OfListing = (typeof OF_LISTING)[number];
type OfRow = (typeof OF_ROW)[number];
export type Editable = OfListing | OfRow;

/** Columns that hold numbers in a workbook. All other cells are text, so that no spreadsheet program converts them. */
export const NUMBERS: ReadonlySet<string> = new Set(['price', 'quantity']);

/** A row of an export: a text for each column, in order. */
export type SheetRow = readonly string[];

const AT = new Map(COLUMNS.map((column, index) => [column, index]));

export function getCell(row: SheetRow, column: string): string {
  return row[AT.get(column) ?? -1] ?? '';
}

export const SHEET_TYPES: Record<SheetFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export const MOST_ROWS = 10_000;
/** The size limit of a file, for uploads and exports. */
export const MOST_FILE_BYTES = 10 * 1024 * 1024;

/** The name of a row in an export: `sheet_Vq2k.17`. */
export function toRowVersion(version: string, index: number): string {
  return `${version}.${index + 1}`;
}

/** Undefined for a text that is not a row version. */
export function readRowVersion(text: string): { version: string; index: number } | undefined {
  const [, version, number] = /^(sheet_\w{1,40})\.(\d{1,5})$/.exec(text) ?? [];
  return version === undefined ? undefined : { version, index: Number(number) - 1 };
}

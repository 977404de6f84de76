import type { Nothing } from './facts.js';

/** Problems of a sheet. The path of a problem in a row is `row 5, price`. */
export type SheetParams = {
  sheet_with_others: { members: readonly string[] };
  sheet_upload_unknown: Nothing;
  sheet_type_wrong: Nothing;
  sheet_not_utf8: Nothing;
  sheet_damaged: Nothing;
  sheet_external: Nothing;
  sheet_inflates: { most_megabytes: number };
  sheet_entries_over: { most: number };
  sheet_header_missing: { columns: readonly string[] };
  sheet_column_repeated: { column: string };
  sheet_quote_open: { row: number };
  sheet_rows_over: { most: number };
  sheet_cell_too_long: { row: number; most: number };
  sheet_chars_over: Nothing;
  sheet_empty: Nothing;
  sheet_decimals_mixed: { comma_row: number; point_row: number };
  sheet_versions_over: { most: number };
  sheet_rows_unknown: { rows: readonly number[]; more: number };

  sheet_version_unknown: Nothing;
  sheet_row_repeated: { other: number };
  sheet_identity_edited: { exported: string; given: string };
  sheet_cells_differ: { other: number };
  sheet_value_wrong: { given: string; expected: string };
  sheet_sku_converted: { exported: string; given: string };
  sheet_clear_refused: { columns: readonly string[] };
  sheet_formula: Nothing;
  sheet_quantity_moved: { exported: number; live: number };
  sheet_listing_gone: Nothing;
  sheet_stock_mixed: Nothing;
  sheet_combination_gone: { options: readonly string[] };

  /** For an export. */
  sheet_rows_too_many: { count: number; most: number };
  sheet_file_too_large: { megabytes: number; most: number };
  sheet_folder_missing: { folders: readonly string[] };
  download_link_spent: Nothing;

  /** Warnings. */
  sheet_columns_ignored: { columns: readonly string[] };
  sheet_columns_read_only: { columns: readonly string[] };
  /** `is_gone`: the listing existed when the sheet was exported. */
  sheet_rows_refused: { rows: readonly number[]; more: number; is_gone: boolean };
  sheet_saved_values: { listings: number };
};

import type { SheetParams } from '../../../schemas/issues/sheets.js';
import { quoteName } from '../text/foreign.js';
import { joinWords } from '../text/choices.js';
import { formatCount } from '../text/format_count.js';
import { capitalize, type Words } from './words.js';

const CONVERTED = 'your spreadsheet program converted the value';

/** `Row 5, price: This is a formula`. */
const sayIn = (at: string, text: string) => `${capitalize(at)}: ${capitalize(text)}`;

/** `6 rows (2, 3, …)`. */
const listRows = (rows: readonly number[], more: number) =>
  rows.length + more === 1
    ? `Row ${rows.join()}`
    : `${rows.length + more} rows (${rows.join(', ')}${more > 0 ? ', …' : ''})`;

const sayUnknown = (rows: readonly number[], more: number) =>
  `${listRows(rows, more)} ${rows.length + more === 1 ? 'has' : 'have'} an unknown or expired version`;

const sayUnused = (rows: readonly number[], more: number) =>
  `${listRows(rows, more)} ${rows.length + more === 1 ? 'was' : 'were'} not used`;

export const SHEET_WORDS: Words<SheetParams> = {
  sheet_with_others: {
    program: ({ members }) => `cannot be combined with ${joinWords(members, 'disjunction')}`,
    seller: () => 'Choose either a sheet or listings',
  },
  sheet_upload_unknown: {
    program: () => 'must be the url that file_upload returned for a file of type sheet',
    seller: () => 'The sheet was not found. Upload it again',
  },
  sheet_type_wrong: {
    program: () => 'is neither an XLSX workbook nor a CSV file; save the sheet as XLSX',
    seller: () => 'This is neither an XLSX nor a CSV file. Save the sheet as XLSX',
  },
  sheet_not_utf8: {
    program: () => 'is not UTF-8; save it as "CSV UTF-8" or as XLSX',
    seller: () => 'The file is not in UTF-8. Save it as “CSV UTF-8” or as XLSX',
  },
  sheet_damaged: {
    program: () => 'is a damaged or encrypted workbook; save it again as XLSX without a password',
    seller: () => 'The workbook is damaged or encrypted. Save it again as XLSX without a password',
  },
  sheet_external: {
    program: () => 'refers to other files; paste values only and remove links to other workbooks',
    seller: () => 'The workbook refers to other files. Paste values only',
  },
  sheet_inflates: {
    program: ({ most_megabytes }) =>
      `is more than ${most_megabytes} MB when unpacked; upload a sheet with fewer rows`,
    seller: ({ most_megabytes }) =>
      `The workbook is more than ${most_megabytes} MB when unpacked. Upload a sheet with fewer rows`,
  },
  sheet_entries_over: {
    program: ({ most }) =>
      `has more than ${most} parts; copy the sheet into a new workbook and save that as XLSX`,
    seller: () => 'The workbook has too many parts. Copy the sheet into a new workbook and save that as XLSX',
  },
  sheet_header_missing: {
    program: ({ columns }) => `has no header row with the columns ${columns.join(', ')}; export again`,
    seller: () => 'The first row is not the header row of an exported sheet. Export again',
  },
  sheet_column_repeated: {
    program: ({ column }) => `has the column ${quoteName(column)} twice; remove one`,
    seller: ({ column }) => `The column ${quoteName(column)} appears twice. Remove one`,
  },
  sheet_quote_open: {
    program: ({ row }) => `has an unclosed quotation mark in row ${row}; save the sheet as XLSX`,
    seller: ({ row }) => `Row ${row} has an unclosed quotation mark. Save the sheet as XLSX`,
  },
  sheet_rows_over: {
    program: ({ most }) => `has more than ${most} rows; split it into several sheets`,
    seller: ({ most }) => `The sheet has more than ${most} rows. Split it into several sheets`,
  },
  sheet_cell_too_long: {
    program: ({ row, most }) =>
      `has a cell with more than ${most} characters in row ${row}; shorten its text`,
    seller: ({ row, most }) => `Row ${row} has a cell with more than ${most} characters. Shorten its text`,
  },
  sheet_chars_over: {
    program: () => 'has too much text; upload its rows in several sheets',
    seller: () => 'The sheet has too much text. Upload its rows in several sheets',
  },
  sheet_empty: {
    program: () => 'has no rows below its header',
    seller: () => 'The sheet has no rows below its header',
  },
  sheet_decimals_mixed: {
    program: ({ comma_row, point_row }) =>
      `has prices with a decimal comma (row ${comma_row}) and with a decimal point (row ${point_row}); use only one of the two`,
    seller: ({ comma_row, point_row }) =>
      `Row ${comma_row} uses a decimal comma, but row ${point_row} uses a decimal point. Use only one of the two`,
  },
  sheet_versions_over: {
    program: ({ most }) => `has rows from more than ${most} exports; upload each export separately`,
    seller: ({ most }) => `The sheet has rows from more than ${most} exports. Upload each export separately`,
  },
  sheet_rows_unknown: {
    program: ({ rows, more }) => `${sayUnknown(rows, more)}; export again with batch_sheet`,
    seller: ({ rows, more }) => `${sayUnknown(rows, more)}. Export again`,
  },

  sheet_version_unknown: {
    program: () => 'the version is unknown or has expired; export again with batch_sheet',
    seller: (_params, at) => sayIn(at, 'the version is unknown or has expired. Export again'),
  },
  sheet_row_repeated: {
    program: ({ other }) => `is the same row as row ${other}; remove one`,
    seller: ({ other }, at) => sayIn(at, `this is the same row as row ${other}. Remove one`),
  },
  sheet_identity_edited: {
    program: ({ exported, given }) =>
      `was changed from ${quoteName(exported)} to ${quoteName(given)}; this column identifies the row: restore the value, or export again`,
    seller: ({ exported, given }, at) =>
      sayIn(
        at,
        `this was changed from ${quoteName(exported)} to ${quoteName(given)}. This column identifies the row: restore the value, or export again`,
      ),
  },
  sheet_cells_differ: {
    program: ({ other }) =>
      `differs from row ${other}, which is for the same listing and shop; enter the same value in both rows, or leave one blank`,
    seller: ({ other }, at) =>
      sayIn(
        at,
        `this differs from row ${other}, which is for the same listing. Enter the same value in both rows`,
      ),
  },
  sheet_value_wrong: {
    program: ({ given, expected }) => `must be ${expected}, not ${quoteName(given)}`,
    seller: ({ given, expected }, at) => sayIn(at, `this must be ${expected}, not ${quoteName(given)}`),
  },
  sheet_sku_converted: {
    program: ({ exported, given }) =>
      `${quoteName(exported)} became ${quoteName(given)}: ${CONVERTED}; use XLSX`,
    seller: ({ exported, given }, at) =>
      sayIn(at, `${quoteName(exported)} became ${quoteName(given)}: ${CONVERTED}. Use XLSX`),
  },
  sheet_clear_refused: {
    program: ({ columns }) => `cannot be removed; [clear] works only in ${columns.join(', ')}`,
    seller: ({ columns }, at) =>
      sayIn(at, `this cannot be removed. [clear] works only in ${columns.join(', ')}`),
  },
  sheet_formula: {
    program: () => 'is a formula; paste its value instead',
    seller: (_params, at) => sayIn(at, 'this is a formula. Paste its value instead'),
  },
  sheet_quantity_moved: {
    program: ({ exported, live }) =>
      `the stock was ${exported} in the export and is ${live} now; export again and edit the new sheet`,
    seller: ({ exported, live }, at) =>
      sayIn(
        at,
        `the stock was ${exported} in the export and is ${live} now. Export again and edit the new sheet`,
      ),
  },
  sheet_listing_gone: {
    program: () => 'the listing no longer exists here; remove the row',
    seller: (_params, at) => sayIn(at, 'the listing no longer exists here. Remove the row'),
  },
  sheet_stock_mixed: {
    program: () =>
      'a sold-out listing can be activated only with the same stock for all of its combinations. Set the same quantity in all of its rows; once the listing is active, export again and set each quantity',
    seller: (_params, at) =>
      sayIn(
        at,
        'a sold-out listing can be activated only with the same stock for all of its variations. Set the same quantity in all of its rows. Once the listing is active, export again and set each quantity',
      ),
  },
  sheet_combination_gone: {
    program: ({ options }) => `the listing no longer has the combination ${options.join(', ')}; export again`,
    seller: ({ options }, at) =>
      sayIn(at, `the listing no longer has the variation ${options.join(', ')}. Export again`),
  },

  sheet_rows_too_many: {
    program: ({ count, most }) =>
      `would need ${count} rows; a sheet can have at most ${most}. Select fewer listings`,
    seller: ({ count, most }) =>
      `The sheet would need ${count} rows. At most ${most} are allowed. Choose fewer listings`,
  },
  sheet_file_too_large: {
    program: ({ megabytes, most }) =>
      `would make a ${megabytes} MB file; at most ${most} MB can be uploaded. Select fewer listings`,
    seller: ({ megabytes, most }) =>
      `The sheet would be ${megabytes} MB. At most ${most} MB can be uploaded. Choose fewer listings`,
  },
  sheet_folder_missing: {
    program: ({ folders }) =>
      folders.length === 0
        ? 'there is no folder to write the sheet to: set UPLOAD_ROOTS to a folder and restart the server'
        : `the sheet cannot be written to any of these folders: ${folders.join(', ')}. Create one of them or make it writable, or add another folder to UPLOAD_ROOTS and restart the server`,
    seller: () =>
      'The sheet could not be saved on this computer. The operator of this service must set up a folder for it',
  },
  download_link_spent: {
    program: () => 'This download link is unknown, has expired, or was already used.',
    seller: () => 'This download link is unknown, has expired, or was already used',
  },

  sheet_columns_ignored: {
    program: ({ columns }) => `Unknown columns were ignored: ${columns.map(quoteName).join(', ')}`,
    seller: ({ columns }) => `Unknown columns were ignored: ${columns.map(quoteName).join(', ')}`,
  },
  sheet_columns_read_only: {
    program: ({ columns }) => `Edits in read-only columns were ignored: ${columns.join(', ')}`,
    seller: ({ columns }) => `Edits in columns that cannot be changed were ignored: ${columns.join(', ')}`,
  },
  sheet_rows_refused: {
    program: ({ rows, more, is_gone }) =>
      is_gone
        ? `${sayUnused(rows, more)}, because the listing no longer exists here`
        : `${sayUnused(rows, more)}, because the version is unknown or has expired and no listing here has the listing_pk and shop_id. Export the listings again with batch_sheet`,
    seller: ({ rows, more, is_gone }) =>
      is_gone
        ? `${sayUnused(rows, more)}, because the listing no longer exists here`
        : `${sayUnused(rows, more)}, because the version is unknown or has expired. Export the listings again`,
  },
  sheet_saved_values: {
    program: ({ listings }) =>
      `${formatCount(listings, 'listing')} could not be read from the marketplace, so the sheet has the last known values`,
    seller: ({ listings }) =>
      `${formatCount(listings, 'listing')} could not be read from Etsy, so the sheet has the last known values`,
  },
};

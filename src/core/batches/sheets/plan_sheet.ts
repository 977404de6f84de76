import type { Issue } from '../../../../schemas/issue.js';
import { MOST_LISTINGS } from '../../../../schemas/batch.js';
import type { Warning } from '../../../../schemas/job.js';
import { nextTurn } from '../../async/next_turn.js';
import { ServiceError } from '../../errors.js';
import type { BatchSpec, Ports, SheetEdits } from '../../ports/index.js';
import type { Uploads } from '../../uploads/uploads.js';
import { getCell, MOST_FILE_BYTES, readRowVersion, toRowVersion, type SheetRow } from './columns.js';
import {
  compareGroup,
  listReadOnlyEdits,
  readUploaded,
  type Group,
  type Uploaded,
  type UploadedRow,
} from './compare.js';
import type { SheetExports } from './export.js';
import { readSheet, type ReadSheet } from './read_sheet.js';
import { MOST_SHEET_CHARS, toText, type Problem } from './table.js';

/** The most exports whose rows one sheet may contain. */
const MOST_EXPORTS = 20;
const MOST_NAMED_ROWS = 10;

export type SheetPlan = {
  places: BatchSpec['places'];
  sheet_edits: Map<number, SheetEdits[]>;
  warnings: Warning[];
};

type Parts = Pick<Ports, 'store' | 'blobs'> & { uploads: Uploads; sheets: Pick<SheetExports, 'findRows'> };

/**
 * Compares an uploaded sheet with the exports that its rows name. Throws VALIDATION_FAILED, SHEET_INVALID, BATCH_TOO_LARGE.
 */
export async function planSheet(parts: Parts, account_id: string, url: string): Promise<SheetPlan> {
  const sheet = await readSheet(await readUpload(parts, account_id, url));
  if ('code' in sheet) throw buildInvalid([{ ...sheet, at: 'sheet' }]);
  const uploaded = readUploaded(sheet.table);
  if ('code' in uploaded) throw buildInvalid([{ ...uploaded, at: 'sheet' }]);
  const grouped = await group(parts, account_id, uploaded);
  return compare(parts, account_id, { uploaded, is: sheet.is, ...grouped });
}

async function readUpload({ uploads, blobs }: Parts, account_id: string, url: string): Promise<Buffer> {
  const upload = await uploads.findByUrl(account_id, url);
  const blob = upload?.type === 'sheet' ? await blobs.open(upload.sha256) : undefined;
  if (!blob || blob.size_bytes > MOST_FILE_BYTES) {
    throw buildInvalid([{ code: 'sheet_upload_unknown', at: 'sheet', params: {} }]);
  }
  const pieces: Buffer[] = [];
  for await (const piece of blob.stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** `refused`: rows of groups that cannot be compared. `unknown`: rows of no known export and no known listing. */
type Grouped = { groups: Map<string, Group>; refused: Map<string, Issue[]>; unknown: number[] };

async function group({ store, sheets }: Parts, account_id: string, { rows }: Uploaded): Promise<Grouped> {
  const exports = await findExports(sheets, account_id, rows);
  const grouped: Grouped = { groups: new Map(), refused: new Map(), unknown: [] };
  const getGroup = (listing_pk: number, shop_id: number): [string, Group] => {
    const key = `${listing_pk}/${shop_id}`;
    const found = grouped.groups.get(key) ?? { listing_pk, shop_id, rows: [] };
    grouped.groups.set(key, found);
    return [key, found];
  };
  const refuse = (key: string, issue: Issue) =>
    grouped.refused.set(key, [...(grouped.refused.get(key) ?? []), issue]);
  const find = createPlaceFinder(store, account_id);
  const findRepeated = createRepeatFinder();
  for (const given of rows) {
    const { row, version } = given;
    const exported = exports.get(version);
    if (exported) {
      const [key, own] = getGroup(
        Number(getCell(exported, 'listing_pk')),
        Number(getCell(exported, 'shop_id')),
      );
      const other = findRepeated(row, version, exported);
      if (other === undefined) own.rows.push({ given, exported });
      else refuse(key, { code: 'sheet_row_repeated', at: `row ${row}`, params: { other } });
      continue;
    }
    const place = await find(given);
    if (place) {
      const [key] = getGroup(place.listing_pk, place.shop_id);
      refuse(key, { code: 'sheet_version_unknown', at: `row ${row}, version`, params: {} });
    } else grouped.unknown.push(row);
  }
  if (grouped.groups.size === 0) {
    throw buildInvalid([{ code: 'sheet_rows_unknown', at: 'sheet', params: nameRows(grouped.unknown) }]);
  }
  return grouped;
}

function nameRows(rows: readonly number[]): { rows: number[]; more: number } {
  return { rows: rows.slice(0, MOST_NAMED_ROWS), more: Math.max(0, rows.length - MOST_NAMED_ROWS) };
}

/** Finds an earlier row for the same row or combination, of this export or another. */
function createRepeatFinder() {
  const of_version = new Map<string, number>();
  const of_place = new Map<string, { of_export: string | undefined; row: number }>();
  return (row: number, version: string, exported: SheetRow): number | undefined => {
    const of_export = readRowVersion(version)?.version;
    const place = JSON.stringify(PLACE.map((column) => getCell(exported, column)));
    const elsewhere = of_place.get(place);
    // Combinations of more than two options look alike within one export.
    const other =
      of_version.get(version) ?? (elsewhere?.of_export === of_export ? undefined : elsewhere?.row);
    if (!of_version.has(version)) of_version.set(version, row);
    if (!elsewhere) of_place.set(place, { of_export, row });
    return other;
  };
}

const PLACE = ['listing_pk', 'shop_id', 'option_1', 'option_2'] as const;

/** The rows of exports that the sheet names, by their versions. Keeps one export at a time in memory. */
async function findExports(
  sheets: Parts['sheets'],
  account_id: string,
  rows: readonly UploadedRow[],
): Promise<Map<string, SheetRow>> {
  const indexes = new Map<string, Set<number>>();
  for (const { version, index } of rows.flatMap((row) => readRowVersion(row.version) ?? [])) {
    indexes.set(version, (indexes.get(version) ?? new Set()).add(index));
  }
  if (indexes.size > MOST_EXPORTS) {
    throw buildInvalid([{ code: 'sheet_versions_over', at: 'sheet', params: { most: MOST_EXPORTS } }]);
  }
  const exports = new Map<string, SheetRow>();
  let chars = 0;
  for (const [version, wanted] of indexes) {
    const found = await sheets.findRows(account_id, version, (index) => wanted.has(index));
    for (const [index, row] of found ?? []) {
      exports.set(toRowVersion(version, index), row);
      chars += row.join('').length;
    }
    if (chars > MOST_SHEET_CHARS) throw buildInvalid([{ code: 'sheet_chars_over', at: 'sheet', params: {} }]);
  }
  return exports;
}

/** Finds the listing that a row with an unknown version names, if the account has it. */
function createPlaceFinder({ listings }: Parts['store'], account_id: string) {
  const known = new Map<number, readonly number[]>();
  return async ({ get }: UploadedRow) => {
    const [listing_pk, shop_id] = [Number(toText(get('listing_pk'))), Number(toText(get('shop_id')))];
    if (!Number.isSafeInteger(listing_pk)) return undefined;
    const shop_ids =
      known.get(listing_pk) ??
      (await listings.findListing(account_id, listing_pk))?.request.shops.map((target) => target.shop_id) ??
      [];
    known.set(listing_pk, shop_ids);
    return shop_ids.includes(shop_id) ? { listing_pk, shop_id } : undefined;
  };
}

async function compare(
  { store }: Parts,
  account_id: string,
  { uploaded, is, groups, refused, unknown }: Grouped & { uploaded: Uploaded; is: ReadSheet['is'] },
): Promise<SheetPlan> {
  const shops = new Map<number, number[]>();
  const sheet_edits: SheetPlan['sheet_edits'] = new Map();
  const gone: number[] = [];
  for (const [key, own] of groups) {
    const { listing_pk, shop_id, rows } = own;
    await nextTurn();
    const edits = compareGroup(own, uploaded, is);
    edits.issues.push(...(refused.get(key) ?? []));
    const isUnchanged = edits.cells.length === 0 && edits.issues.length === 0;
    if (!shops.has(listing_pk) && !(await store.listings.findListing(account_id, listing_pk))) {
      if (!isUnchanged) gone.push(...rows.map(({ given }) => given.row));
      continue;
    }
    shops.set(listing_pk, [...(shops.get(listing_pk) ?? []), shop_id]);
    if (!isUnchanged) sheet_edits.set(listing_pk, [...(sheet_edits.get(listing_pk) ?? []), edits]);
  }
  if (shops.size === 0 && gone.length > 0) {
    const { rows } = nameRows(gone);
    throw buildInvalid(rows.map((row) => ({ code: 'sheet_listing_gone', at: `row ${row}`, params: {} })));
  }
  if (shops.size > MOST_LISTINGS) {
    const params = { count: shops.size, most: MOST_LISTINGS };
    throw new ServiceError('BATCH_TOO_LARGE', [{ code: 'batch_too_large', at: 'sheet', params }]);
  }
  const places = [...shops].map(([listing_pk, shop_ids]) => ({ listing_pk, shop_ids }));
  const warnings = [
    ...listWarnings(uploaded, [...groups.values()]),
    ...warnOfRows(unknown, false),
    ...warnOfRows(gone, true),
  ];
  return { places, sheet_edits, warnings };
}

function listWarnings({ ignored }: Uploaded, groups: readonly Group[]): Warning[] {
  const read_only = listReadOnlyEdits(groups.flatMap(({ rows }) => rows));
  const reasons: Problem[] = [
    { code: 'sheet_columns_ignored', params: { columns: ignored } },
    { code: 'sheet_columns_read_only', params: { columns: read_only } },
  ];
  const given = [ignored, read_only];
  return reasons
    .filter((_, index) => given[index]?.length)
    .map((reason) => ({ code: 'sheet_columns_ignored', fields: ['sheet'], reason }));
}

function warnOfRows(rows: readonly number[], isGone: boolean): Warning[] {
  if (rows.length === 0) return [];
  const reason = { code: 'sheet_rows_refused', params: { ...nameRows(rows), is_gone: isGone } } as const;
  return [{ code: 'sheet_rows_refused', fields: ['sheet'], reason }];
}

function buildInvalid(issues: readonly (Issue | (Problem & { at: string }))[]): ServiceError {
  return new ServiceError('SHEET_INVALID', issues);
}

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BatchAnswer, BatchItem, SheetResult } from '../../../schemas/batch.js';
import { COLUMNS } from '../../../src/core/batches/sheets/columns.js';
import { readCsv, writeCsv } from '../../../src/core/batches/sheets/csv.js';
import type { Call } from '../../../src/core/operations/call.js';
import { fixturePath, startService, type TestService } from '../../service.js';
import type { Made } from '../listings/update/rig.js';

/** A row by its columns, as a seller sees it. */
export type Row = Record<string, string>;

export type SheetWorld = Awaited<ReturnType<typeof startSheets>>;

type Content = Buffer | string | Promise<Buffer>;

/** A service that writes sheets into its own folder. */
export async function startSheets(environment: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'sheets-'));
  const service = await startService({
    MAX_ACTIVATIONS_PER_DAY: 'unlimited',
    UPLOAD_ROOTS: [folder, fixturePath('')].join(','),
    ...environment,
  });

  async function exportFile(made: readonly Made[], format: 'csv' | 'xlsx' = 'csv'): Promise<string> {
    const select = { listing_pks: made.map(({ listing_pk }) => listing_pk) };
    const { path = '' } = await service.call<SheetResult>('batch_sheet', { select, format });
    return path;
  }

  return {
    service,
    folder,
    exportFile,
    exportSheet: async (made: readonly Made[], format?: 'csv' | 'xlsx') =>
      readFile(await exportFile(made, format)),
    /** The export of these listings as rows. */
    exportRows: async (...made: readonly Made[]) => readRows(await readFile(await exportFile(made))),
    async plan(bytes: Content, more: object = {}) {
      const sheet = await uploadSheet(service, bytes);
      return service.call<BatchAnswer>('batch_create', { sheet, ...more });
    },
    /** Why a sheet cannot be planned at all. */
    async refuse(bytes: Content, call: Partial<Call> = {}) {
      const sheet = await uploadSheet(service, bytes, call);
      return service.refuse('batch_create', { sheet }, call);
    },
    start: ({ batch_id }: BatchAnswer) => service.call<BatchAnswer>('batch_start', { batch_id }),
    async close() {
      await service.close();
      await rm(folder, { recursive: true });
    },
  };
}

export async function uploadSheet(
  service: TestService,
  bytes: Content,
  call: Partial<Call> = {},
): Promise<string> {
  const file = Buffer.from(await bytes).toString('base64');
  const input = { type: 'sheet', file, filename: 'sheet' };
  const { url } = await service.call<{ url: string }>('file_upload', input, call);
  return url;
}

export async function readRows(csv: Buffer): Promise<Row[]> {
  const table = await readCsv(csv.toString(), (cells) => cells.includes('version'));
  if ('code' in table) throw new Error(table.code);
  const [header = [], ...body] = table.map(({ cells }) => cells.map(String));
  return body.map((cells) =>
    Object.fromEntries(header.map((name, at) => [name, (cells[at] ?? '').replace(/^'/, '')])),
  );
}

/** As a seller would save it. */
export function writeRows(rows: readonly Row[]): Promise<Buffer> {
  return writeCsv(rows.map((row) => COLUMNS.map((column) => row[column] ?? '')));
}

/** A file with its own delimiter and columns. */
export function writeLoose(rows: readonly Row[], delimiter: string, columns: readonly string[] = COLUMNS) {
  const lines = rows.map((row) => columns.map((column) => `"${row[column] ?? ''}"`).join(delimiter));
  return [columns.join(delimiter), ...lines].join('\n');
}

/** The rows with other values in one column. */
export function set(
  rows: readonly Row[],
  column: string,
  change: (value: string, row: Row) => string,
): Row[] {
  return rows.map((row) => ({ ...row, [column]: change(row[column] ?? '', row) }));
}

export const listDiffs = ({ items = [] }: { items?: BatchItem[] | undefined }) =>
  items.map(({ diff }) => diff.map(({ field, before, after }) => [field, before, after]));

/** Why items are refused: `[code, place]`. */
export const listIssues = ({ items = [] }: { items?: BatchItem[] | undefined }) =>
  items.map(({ issues }) => issues.map(({ code, field }) => [code, field]));

import type { SheetFormat, SheetQuery, SheetResult } from '../../../../schemas/batch.js';
import { ServiceError } from '../../errors.js';
import { buildValidationError } from '../../issues/issues.js';
import { toShopRequest } from '../../listings/requests/own_changes.js';
import type { AnswerFile, Call } from '../../operations/call.js';
import { toQuotaError } from '../../operations/quotas.js';
import type { Ports, Sheet } from '../../ports/index.js';
import type { Settings } from '../../settings.js';
import type { Shops } from '../../shops/shops.js';
import { createToken, hashToken, LINK_MINUTES, LINK_MS, toLinkOwner } from '../../uploads/links.js';
import { withLive } from '../live.js';
import { selectPlaces } from '../select.js';
import { buildRows, countRows, type SheetPlace } from './build_rows.js';
import { COLUMNS, MOST_FILE_BYTES, MOST_ROWS, SHEET_TYPES, toRowVersion, type SheetRow } from './columns.js';
import { writeCsv } from './csv.js';
import { pack, unpack } from './pack.js';
import { readLive, type LiveListing } from './read_live.js';
import { inTurns } from './turns.js';
import { writeIntoFolder } from './write_into_folder.js';
import { writeXlsx } from './write_xlsx.js';

const KEPT_DAYS = 30;
const MEGABYTE = 1024 * 1024;
/** Of all cells: a workbook may be much smaller, but must be unpacked when it comes back. */
const MOST_CHARS = 40 * MEGABYTE;

export type SheetExports = {
  /** The operation batch_sheet. */
  create(input: SheetQuery, call: Call): Promise<SheetResult>;
  /** The file of the export that the same call created. */
  read(sheet: { filename: string; format: SheetFormat }, call: Call): AnswerFile;
  /** The file behind a one-time address, which this uses up. Throws NOT_FOUND. */
  readByLink(token: string): Promise<AnswerFile>;
  /** Rows of an export by their indexes. Undefined if the account has no such export, or it has expired. */
  findRows(
    account_id: string,
    version: string,
    isWanted: (index: number) => boolean,
  ): Promise<ReadonlyMap<number, SheetRow> | undefined>;
};

type Parts = Pick<Ports, 'store' | 'marketplace' | 'clock' | 'ids' | 'randomness'> & { shops: Shops };

export function createSheetExports(
  parts: Parts,
  settings: Pick<Settings, 'base_url' | 'upload_roots' | 'quotas'>,
): SheetExports {
  const { store, shops, clock, ids, randomness } = parts;
  /** Files that REST sends after their call returns. */
  const rendered = new WeakMap<Call, Buffer>();
  return {
    async create({ select, format }, call) {
      const { caller } = call;
      const { account_id } = caller;
      const { places, saved } = await listPlaces(account_id, select);
      const version = ids.build('sheet_');
      const rows: SheetRow[] = [];
      for await (const some of inTurns(places)) {
        for (const row of some.flatMap(buildRows)) rows.push(withVersion(row, version, rows.length));
      }
      refuseTooMany(countChars(rows), MOST_CHARS);
      const bytes = await render(rows, format);
      refuseTooMany(bytes.length, MOST_FILE_BYTES);
      const life_ms = KEPT_DAYS * 24 * 60 * 60 * 1000;
      const sheet: Sheet = await store.sheets
        .createSheet({ account_id, version, content: await pack(rows), life_ms }, settings.quotas)
        .catch((cause: unknown) => {
          throw toQuotaError(cause, settings);
        });
      const name = `listings-${clock.now().toISOString().slice(0, 10)}`;
      const given = await give(call, bytes, { name, format, version });
      return {
        version,
        format,
        filename: `${name}.${format}`,
        rows: rows.length,
        expires_at: sheet.expires_at,
        ...given,
        ...(saved > 0 && {
          warnings: [
            {
              code: 'not_checked' as const,
              fields: ['select'],
              reason: { code: 'sheet_saved_values' as const, params: { listings: saved } },
            },
          ],
        }),
      };
    },
    read({ format, filename }, call) {
      const bytes = rendered.get(call);
      if (!bytes) throw new Error('the call that reads a sheet has made none');
      return { bytes, content_type: SHEET_TYPES[format], filename };
    },
    async readByLink(token) {
      const link = await store.uploads.takeDownloadLink(hashToken(token));
      const [version = '', filename = ''] = link?.download.split('/') ?? [];
      if (!link) throw buildLinkError();
      return renderStored(link.account_id, { version, filename });
    },
    findRows,
  };

  async function findRows(account_id: string, version: string, isWanted: (index: number) => boolean) {
    const sheet = await store.sheets.findSheet(account_id, version);
    return sheet && unpack(sheet.content, isWanted);
  }

  async function renderStored(
    account_id: string,
    { version, filename }: { version: string; filename: string },
  ): Promise<AnswerFile> {
    const rows = await findRows(account_id, version, () => true);
    if (!rows) throw buildLinkError();
    const format = toFormat(filename);
    return { bytes: await render([...rows.values()], format), content_type: SHEET_TYPES[format], filename };
  }

  /** Listings in the shops where they are on the marketplace. `saved`: the number that could not be read there. */
  async function listPlaces(account_id: string, select: SheetQuery['select']) {
    const connected = await shops.listConnected(account_id);
    const selected = await selectPlaces(parts, select, { account_id, shops: connected, only: undefined });
    if (selected.issues.length > 0) throw buildValidationError(selected.issues);
    const places: SheetPlace[] = [];
    let count = 0;
    for (const { listing_pk, shop_ids } of selected.places) {
      const listing = await store.listings.findListing(account_id, listing_pk);
      if (!listing) continue;
      const publications = await store.listings.listPublications(account_id, listing_pk);
      const sightings = await store.listings.listSightings(account_id, listing_pk);
      for (const { shop_id } of listing.request.shops) {
        const listing_id = publications.find((one) => one.shop_id === shop_id)?.listing_id ?? null;
        const shop = connected.find((one) => one.shop_id === shop_id);
        if (listing_id === null || !shop || !(shop_ids?.includes(shop_id) ?? true)) continue;
        const request = toShopRequest(listing.request, publications, shop_id);
        const seen = sightings.find((one) => one.shop_id === shop_id);
        count += countRows(request);
        if (count > MOST_ROWS) continue;
        const { state = null, ends_at = null } = seen ?? {};
        places.push({ listing_pk, shop, listing_id, request, state, ends_at });
      }
    }
    if (count > MOST_ROWS) {
      throw buildTooLarge({ code: 'sheet_rows_too_many', params: { count, most: MOST_ROWS } });
    }
    if (places.length === 0) {
      throw buildValidationError([{ code: 'select_empty', at: 'select', params: { has_others: false } }]);
    }
    const live = await readLive(parts, places);
    const read: SheetPlace[] = [];
    for await (const some of inTurns(places)) {
      read.push(...some.map((place) => withLiveValues(place, live.get(place.listing_id))));
    }
    return { places: read, saved: places.length - live.size };
  }

  /** Returns the file in the way that suits the caller; REST sends it as the answer. */
  async function give(
    call: Call,
    bytes: Buffer,
    { name, format, version }: { name: string; format: SheetFormat; version: string },
  ) {
    const note = `Edit cells and upload it with file_upload, type sheet, within ${KEPT_DAYS} days; then batch_create with its url as sheet plans the edits.`;
    if (call.face === 'mcp_stdio' || call.face === 'cli') {
      return { path: await writeIntoFolder(settings.upload_roots, name, format, bytes), note };
    }
    if (call.face !== 'mcp_http') {
      rendered.set(call, bytes);
      return { note };
    }
    const { account_id } = call.caller;
    const token = createToken(randomness);
    const download = `${version}/${name}.${format}`;
    const link = { account_id, type: 'sheet' as const, filename: null, life_ms: LINK_MS, download };
    await store.uploads.createUploadLink(hashToken(token), { ...link, ...toLinkOwner(call.caller) });
    return {
      download_url: `${settings.base_url}/download/${token}`,
      note: `download_url works once, within ${LINK_MINUTES} minutes. ${note}`,
    };
  }
}

function withLiveValues(place: SheetPlace, live: LiveListing | undefined): SheetPlace {
  if (!live) return place;
  const { state, ends_at_epoch_s } = live.listing;
  return {
    ...place,
    request: withLive(place.request, place.shop.shop_id, live),
    state,
    ends_at: ends_at_epoch_s === null ? null : new Date(ends_at_epoch_s * 1000).toISOString(),
  };
}

/** Checked before anything is built from rows, which may repeat a long description. */
function countChars(rows: readonly SheetRow[]): number {
  return rows.reduce((sum, row) => sum + row.reduce((all, text) => all + text.length, 0), 0);
}

function refuseTooMany(size: number, most: number): void {
  if (size <= most) return;
  const params = { megabytes: Math.ceil(size / MEGABYTE), most: MOST_FILE_BYTES / MEGABYTE };
  throw buildTooLarge({ code: 'sheet_file_too_large', params });
}

function toFormat(filename: string): SheetFormat {
  return filename.slice(filename.lastIndexOf('.') + 1) as SheetFormat;
}

async function render(rows: readonly SheetRow[], format: SheetFormat): Promise<Buffer> {
  return format === 'csv' ? writeCsv(rows) : writeXlsx(rows);
}

function withVersion(row: SheetRow, version: string, index: number): SheetRow {
  return row.map((text, at) => (COLUMNS[at] === 'version' ? toRowVersion(version, index) : text));
}

function buildTooLarge(
  fact:
    | { code: 'sheet_rows_too_many'; params: { count: number; most: number } }
    | { code: 'sheet_file_too_large'; params: { megabytes: number; most: number } },
): ServiceError {
  return new ServiceError('BATCH_TOO_LARGE', [{ ...fact, at: 'select' }], {
    hint: 'Narrow the selection, or make several sheets.',
  });
}

function buildLinkError(): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    { code: 'download_link_spent', params: {} },
    { hint: 'Ask batch_sheet for a new one.' },
  );
}

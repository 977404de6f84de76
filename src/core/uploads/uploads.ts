import type { Readable } from 'node:stream';
import type { z } from 'zod/v3';
import type { uploadRequest, UploadResult, UploadType } from '../../../schemas/upload.js';
import { MOST_FILE_BYTES as MOST_SHEET_BYTES } from '../batches/sheets/columns.js';
import type { Ports } from '../ports/index.js';
import { ServiceError } from '../errors.js';
import type { FileProblem, Issue } from '../../../schemas/issue.js';
import { buildValidationError, placeProblems } from '../issues/issues.js';
import { buildBusyError, prepareFile, toFetchProblem } from './files.js';
import { createKeeping, KEPT_DAYS } from './keeping.js';
import { createToken, hashToken, LINK_MINUTES, LINK_MS, toLinkOwner } from './links.js';
import { createReceiving, toFilename } from './receiving.js';
import type { Call, ReceivedFile } from '../operations/call.js';
import { renderSentence, writeText } from '../issues/render.js';
import { toPhotoChanged } from './photos.js';
import {
  MAX_FILE_BYTES,
  MediaError,
  type NamedBy,
  type Page,
  type SeenUpload,
  type StagedFile,
  type Upload,
  type UploadLink,
  type UploadsQuery,
} from '../ports/index.js';
import type { Settings } from '../settings.js';

const SCHEME = 'service-upload://';
const FETCH_DEADLINE_MS = { image: 30_000, video: 120_000 };

export type Uploads = {
  /**
   * Streams a file that arrives over HTTP to disk. Throws FILE_TOO_LARGE, VALIDATION_FAILED if it is empty, or INTERNAL if
   * the disk has no room for it.
   * @param expected_bytes the most that will come
   */
  receive(stream: Readable, filename: string, expected_bytes?: number): Promise<ReceivedFile>;
  /** Deletes a received file, unless it was kept. Safe to call in any case. */
  discard(file: ReceivedFile): Promise<void>;
  /** The operation file_upload. */
  create(input: z.output<typeof uploadRequest>, call: Call): Promise<UploadResult>;
  /** A one-time upload URL that is still open. */
  findLink(token: string): Promise<UploadLink | undefined>;
  /** Uses up a one-time URL. Throws NOT_FOUND if it is unknown, expired or used. */
  createByLink(token: string, file: ReceivedFile): Promise<UploadResult>;
  /** The uploads behind service-upload:// URLs of this account, by URL, including those whose bytes are gone. */
  findRecords(account_id: string, urls: readonly string[]): Promise<Map<string, Upload>>;
  /** The same, without those whose bytes are gone. */
  findKept(account_id: string, urls: readonly string[]): Promise<Map<string, Upload>>;
  /** The same for one URL. */
  findByUrl(account_id: string, url: string): Promise<Upload | undefined>;
  /**
   * Fetches and keeps a photo or video; reuses an upload with this id. Returns the problem if it could not be fetched. Throws
   * MediaError busy, QUOTA_EXCEEDED, or a disk fault.
   */
  fetch(account_id: string, source: FetchedSource, signal?: AbortSignal): Promise<FetchedUpload>;
  /**
   * Deletes fetched files that turned out not to be needed. Keeps those that a saved listing names, since another import may
   * have used them.
   */
  dropFetched(account_id: string, upload_ids: readonly string[]): Promise<void>;
  /** `used`: a saved listing names it, or an undo may need it, so it stays. `unknown`: the account has no such upload. */
  deleteUnused(account_id: string, upload_id: string): Promise<'deleted' | 'used' | 'unknown'>;
  /** Newest first. */
  list(account_id: string, page: UploadsQuery): Promise<Page<ListedUpload>>;
};

export type FetchedSource = { upload_id: string; type: 'image' | 'video'; url: string; named_by: NamedBy };

/** `is_new`: it was not kept before. */
type FetchedUpload = { url: string; is_new: boolean } | { problems: readonly FileProblem[] };

/** An upload with its service-upload:// URL. */
export type ListedUpload = SeenUpload & { url: string };

export function isUploadUrl(url: string): boolean {
  return url.toLowerCase().startsWith(SCHEME);
}

export function createUploads(
  ports: Pick<Ports, 'store' | 'media' | 'blobs' | 'randomness' | 'ids'>,
  settings: Pick<Settings, 'quotas' | 'base_url' | 'upload_roots'>,
): Uploads {
  const { store, media, blobs, randomness } = ports;
  const { stage, stageInline, stageLocal } = createReceiving(ports, settings);
  const { keepFit } = createKeeping(ports, settings);
  return {
    findRecords,

    findKept,

    receive: stage,

    discard: (file) => media.discard(file),

    async create(input, call) {
      const { type } = input;
      if (call.file) {
        const { filename } = input;
        const named = filename === undefined ? call.file : { ...call.file, filename: toFilename(filename) };
        return keep(call.caller.account_id, type, named);
      }
      const given = [input.path, input.file].filter((value) => value !== undefined).length;
      if (given === 0 && call.face === 'mcp_http') return createLink(call.caller, type, input.filename);
      if (given !== 1) throw buildValidationError([toMissing(call, given)]);
      const staged =
        input.path === undefined
          ? await stageInline(input.file ?? '', input.filename)
          : await stageLocal(input.path, input.filename, call);
      try {
        return await keep(call.caller.account_id, type, staged);
      } finally {
        await media.discard(staged);
      }
    },

    findLink: (token) => store.uploads.findUploadLink(hashToken(token)),

    async createByLink(token, file) {
      const open = await store.uploads.findUploadLink(hashToken(token));
      if (!open) throw buildLinkError();
      const named = { ...file, filename: open.filename ?? file.filename };
      // Only a file that is kept uses up the URL, so that a wrong one can be corrected, and one that a full disk refused can
      // be sent again.
      return keep(open.account_id, open.type, named, async () => {
        const taken = await store.uploads.takeUploadLink(hashToken(token));
        if (!taken) throw buildLinkError();
      });
    },

    async findByUrl(account_id, url) {
      return (await findKept(account_id, [url])).get(url);
    },

    async fetch(account_id, { upload_id, type, url, named_by }, signal) {
      const known = await store.uploads.findUpload(account_id, upload_id);
      if (known && !known.is_expired && (await blobs.open(known.sha256))) {
        return { url: toUrl(known), is_new: false };
      }
      let staged: StagedFile;
      try {
        const limits = { limit_bytes: MAX_FILE_BYTES, deadline_ms: FETCH_DEADLINE_MS[type] };
        staged = await media.fetchFile(url, {
          named_by,
          owner: account_id,
          ...limits,
          ...(signal && { signal }),
        });
      } catch (cause) {
        if (!(cause instanceof MediaError) || cause.failure === 'busy') throw cause;
        return { problems: [toFetchProblem(cause, url)] };
      }
      const file = { ...staged, filename: toFilename(url.split(/[?#]/)[0] ?? '') };
      try {
        const prepared = await prepareFile(media, file, {
          slot: type,
          filename: file.filename,
          owner: account_id,
        });
        if (!prepared.ok) return { problems: prepared.problems };
        return {
          url: toUrl(await keepFit(account_id, type, file.filename, prepared.file, { upload_id })),
          is_new: known === undefined,
        };
      } finally {
        await media.discard(staged);
      }
    },

    async dropFetched(account_id, upload_ids) {
      for (const upload_id of upload_ids) await store.uploads.deleteUnusedUpload(account_id, upload_id);
    },

    async deleteUnused(account_id, upload_id) {
      if (await store.uploads.deleteUnusedUpload(account_id, upload_id)) return 'deleted';
      return (await store.uploads.findUpload(account_id, upload_id)) ? 'used' : 'unknown';
    },

    async list(account_id, page) {
      const { total, items } = await store.uploads.listUploads(account_id, page);
      return { total, items: items.map((upload) => ({ ...upload, url: toUrl(upload) })) };
    },
  };

  async function findRecords(account_id: string, urls: readonly string[]): Promise<Map<string, Upload>> {
    const ids = new Map<string, string>();
    for (const url of urls) {
      const upload_id = /^service-upload:\/\/([A-Za-z0-9_]{1,64})\//i.exec(url)?.[1];
      if (upload_id !== undefined) ids.set(url, upload_id);
    }
    if (ids.size === 0) return new Map();
    const found = await store.uploads.findUploads(account_id, [...new Set(ids.values())]);
    const by_id = new Map(found.map((upload) => [upload.upload_id, upload]));
    return new Map(
      [...ids].flatMap(([url, upload_id]) => {
        const upload = by_id.get(upload_id);
        return upload ? [[url, upload]] : [];
      }),
    );
  }

  async function findKept(account_id: string, urls: readonly string[]): Promise<Map<string, Upload>> {
    const found = await Promise.all(
      [...(await findRecords(account_id, urls))].map(
        async (entry) => [entry, await blobs.open(entry[1].sha256)] as const,
      ),
    );
    return new Map(found.flatMap(([entry, blob]) => (blob ? [entry] : [])));
  }

  async function keep(
    account_id: string,
    type: UploadType,
    file: ReceivedFile,
    onKept?: () => Promise<void>,
  ): Promise<UploadResult> {
    if (type === 'sheet' && file.size_bytes > MOST_SHEET_BYTES) {
      const megabytes = MOST_SHEET_BYTES / (1024 * 1024);
      const issue = { code: 'file_too_large', at: 'file', params: { megabytes } } as const;
      throw new ServiceError('FILE_TOO_LARGE', [issue], { hint: 'Upload a sheet with fewer rows.' });
    }
    const named = { slot: type, filename: file.filename, owner: account_id };
    const prepared = await prepareFile(media, file, named).catch((cause: unknown) => {
      throw cause instanceof MediaError && cause.failure === 'busy' ? buildBusyError(cause, ['file']) : cause;
    });
    if (!prepared.ok) {
      throw buildValidationError(placeProblems(prepared.problems, 'file'), HINTS[type]);
    }
    const { changed } = prepared.file;
    const upload = await keepFit(account_id, type, file.filename, prepared.file, { onKept });
    const kept = `Kept until ${upload.expires_at.slice(0, 10)} (${KEPT_DAYS} days), and longer while a listing uses it.`;
    return {
      url: toUrl(upload),
      filename: upload.filename,
      size: upload.size_bytes,
      content_type: upload.content_type,
      type,
      note: changed === undefined ? kept : `${writeText(renderSentence(changed, 'file'))} ${kept}`,
      ...(changed !== undefined && { warnings: [toPhotoChanged(changed, ['file'])] }),
    };
  }

  async function createLink(
    caller: Call['caller'],
    type: UploadType,
    filename?: string,
  ): Promise<UploadResult> {
    const token = createToken(randomness);
    const link = {
      account_id: caller.account_id,
      type,
      filename: filename === undefined ? null : toFilename(filename),
      life_ms: LINK_MS,
      ...toLinkOwner(caller),
    };
    await store.uploads.createUploadLink(hashToken(token), link);
    return {
      type,
      upload_url: `${settings.base_url}/upload/${token}`,
      note: `Open upload_url in a browser, or POST the file to it, once, within ${LINK_MINUTES} minutes; it answers with the service-upload:// url.`,
    };
  }
}

function toUrl({ upload_id, filename }: Upload): string {
  return `${SCHEME}${upload_id}/${encodeURIComponent(filename)}`;
}

export function buildLinkError(): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    { code: 'upload_link_spent', params: {} },
    { hint: 'Ask file_upload for a new one.' },
  );
}

const HINTS: Record<UploadType, string> = {
  image:
    'type image takes a JPG, PNG or GIF, and what can be made a JPEG: WebP, AVIF and HEIC. For other files set type to video or digital.',
  video: 'type video takes an MP4 or MOV of 3 to 15 seconds without sound.',
  sheet: 'type sheet takes a sheet of batch_sheet, as XLSX or as CSV in UTF-8.',
  digital:
    'type digital takes bmp doc gif jpeg jpg mobi mov mp3 mpeg pdf png psp rtf stl txt zip epub ibook.',
};

function toMissing(call: Call, given: number): Issue {
  if (given > 1) return { code: 'file_and_path', at: 'file', params: {} };
  const code = call.face === 'rest' ? 'file_part_required' : 'file_or_path_required';
  return { code, at: 'file', params: {} };
}

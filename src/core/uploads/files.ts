import { readFile } from 'node:fs/promises';
import { MARKETPLACE_FACTS } from '../../../schemas/marketplace_facts.js';
import type { FileProblem, Issue } from '../../../schemas/issue.js';
import type { FetchFailure } from '../../../schemas/issues/files.js';
import type { UploadType } from '../../../schemas/upload.js';
import { SHEET_TYPES } from '../batches/sheets/columns.js';
import { identifySheet } from '../batches/sheets/read_sheet.js';
import { ServiceError } from '../errors.js';
import { findFault } from '../faults.js';
import type { Inspected } from './fit_file.js';
import { WEB_PAGE_TYPE } from './web_page.js';
import { fitPhoto, isPhotoType, toPhotoTypeProblem } from './photos.js';
import {
  MediaError,
  type Media,
  type MediaFailure,
  type MediaIdentity,
  type StagedFile,
} from '../ports/index.js';

const MAX_VIDEO_SECONDS = 15;
const { video_min_seconds: MIN_VIDEO_SECONDS, video_min_pixels: MIN_VIDEO_PIXELS } = MARKETPLACE_FACTS;

const VIDEO_TYPES: ReadonlySet<string> = new Set(['video/mp4', 'video/quicktime']);

/** `owner`: the account that the file is for. */
type Named = { slot: UploadType; filename: string; owner: string };

/** Checks a file by its bytes. The name never decides a file's type; for digital files it must agree with the bytes. */
async function inspectFile(
  media: Media,
  staged: StagedFile,
  { slot, filename, owner }: Named,
): Promise<Inspected> {
  if (slot === 'digital') {
    const digital = await media.identifyDigital(staged.path, filename);
    if (!digital.is_allowed) {
      const { content_type } = await media.identify(staged.path);
      return { ok: false, problems: [content_type === WEB_PAGE_TYPE ? WEB_PAGE : digital.problem] };
    }
    return { ok: true, file: { staged, content_type: digital.content_type, extension: digital.extension } };
  }
  if (slot === 'sheet') return inspectSheet(staged);
  const identity = await media.identify(staged.path);
  if (slot === 'image') return await fitPhoto(media, staged, identity, owner);
  const problems = listVideoProblems(identity);
  if (problems.length > 0) return { ok: false, problems };
  const content_type = identity.content_type ?? 'application/octet-stream';
  return { ok: true, file: { staged, content_type, extension: identity.extension ?? 'bin' } };
}

/** The content is only read when a batch is planned from it. */
async function inspectSheet(staged: StagedFile): Promise<Inspected> {
  const is = identifySheet(await readFile(staged.path));
  if (is === 'csv' || is === 'xlsx') {
    return { ok: true, file: { staged, content_type: SHEET_TYPES[is], extension: is } };
  }
  return {
    ok: false,
    problems: [{ code: is === 'not_utf8' ? 'file_not_utf8' : 'file_not_sheet', params: {} }],
  };
}

/**
 * Checks a staged file and prepares it for keeping: converts a photo that the marketplace does not accept, and removes the
 * location where a photo or video was taken, without touching the images themselves. This replaces the staged file; on a
 * problem it stays. Throws MediaError busy if a photo does not get its turn in time.
 */
export async function prepareFile(media: Media, staged: StagedFile, named: Named): Promise<Inspected> {
  const inspected = await inspectFile(media, staged, named);
  if (!inspected.ok || named.slot === 'digital' || named.slot === 'sheet') return inspected;
  const { file } = inspected;
  try {
    const cleaned = await media.stripLocation(file.staged, file.content_type);
    if (file.staged !== staged) await media.discard(staged);
    return { ok: true, file: { ...file, staged: cleaned } };
  } catch (cause) {
    if (file.staged !== staged) await media.discard(file.staged);
    if (!(cause instanceof MediaError)) throw cause;
    return { ok: false, problems: [{ code: 'file_damaged', params: {} }] };
  }
}

/** The problem of a content type in a slot, if any; digital files are checked by bytes and name together instead. */
export function findTypeProblem(slot: UploadType, content_type: string | null): FileProblem | undefined {
  if (slot === 'image') {
    return content_type !== null && isPhotoType(content_type) ? undefined : toPhotoTypeProblem(content_type);
  }
  if (slot === 'digital' || slot === 'sheet') return undefined;
  if (content_type !== null && VIDEO_TYPES.has(content_type)) return undefined;
  if (content_type === WEB_PAGE_TYPE) return WEB_PAGE;
  return { code: 'file_type_wrong', params: { slot, content_type } };
}

const WEB_PAGE: FileProblem = { code: 'file_is_web_page', params: {} };

/** Why a file could not be fetched. */
export function toFetchProblem({ failure }: MediaError, url: string): FileProblem {
  return { code: 'file_fetch_failed', params: { failure: toFetchFailure(failure, url) } };
}

function toFetchFailure(failure: MediaFailure, url: string): FetchFailure {
  if (failure === 'invalid_url' && /\s/.test(url)) return 'space_in_url';
  const status = /^status_(\d{3})$/.exec(failure)?.[1];
  return status === undefined ? (failure as Extract<FetchFailure, string>) : { status: Number(status) };
}

/** Adds the file's paths to a fault of our computer; returns other errors unchanged. */
export function toFileFault(cause: unknown, paths: readonly string[]): unknown {
  const fault = cause instanceof ServiceError ? undefined : findFault(cause);
  if (!fault) return cause;
  const issues = paths.map((at): Issue => ({ code: fault.code, at, params: {} }));
  return new ServiceError('INTERNAL', issues, { ...fault, cause });
}

/** The file is not the problem: it did not get its turn in time. */
export function buildBusyError(cause: MediaError, paths: readonly string[]): ServiceError {
  const issues = paths.map((at): Issue => ({ code: 'file_busy', at, params: {} }));
  return new ServiceError('RATE_LIMIT_SECOND', issues, { retry_after_seconds: 20, cause });
}

function listVideoProblems({ content_type, video }: MediaIdentity): FileProblem[] {
  const wrong = findTypeProblem('video', content_type);
  if (wrong) return [wrong];
  if (!video) return [{ code: 'video_length_unknown', params: {} }];
  const { duration_seconds: seconds } = video;
  const [width, height] = [video.width ?? 0, video.height ?? 0];
  const longer = Math.max(width, height);
  const problems: (FileProblem | false)[] = [
    seconds > MAX_VIDEO_SECONDS && {
      code: 'video_too_long',
      params: { seconds: roundUp(seconds), most: MAX_VIDEO_SECONDS },
    },
    seconds < MIN_VIDEO_SECONDS && {
      code: 'video_too_short',
      params: { seconds: roundDown(seconds), least: MIN_VIDEO_SECONDS },
    },
    longer > 0 &&
      longer < MIN_VIDEO_PIXELS && {
        code: 'video_too_small',
        params: { width, height, least: MIN_VIDEO_PIXELS },
      },
    video.has_sound && { code: 'video_has_sound', params: {} },
  ];
  return problems.filter((problem) => problem !== false);
}

/** So that 15.04 does not read as 15. */
function roundUp(seconds: number): number {
  return Math.ceil(seconds * 10) / 10;
}

/** So that 2.96 does not read as 3. */
function roundDown(seconds: number): number {
  return Math.floor(seconds * 10) / 10;
}

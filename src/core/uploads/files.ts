import { MARKETPLACE_FACTS } from '../../../schemas/marketplace_facts.js';
import type { UploadType } from '../../../schemas/upload.js';
import { ServiceError } from '../errors.js';
import { findFault } from '../faults.js';
import type { Inspected } from './fit_file.js';
import { WEB_PAGE_PROBLEM, WEB_PAGE_TYPE } from './web_page.js';
import { describePhotoType, fitPhoto, isPhotoType } from './photos.js';
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
      return { ok: false, problem: content_type === WEB_PAGE_TYPE ? WEB_PAGE_PROBLEM : digital.reason };
    }
    return { ok: true, file: { staged, content_type: digital.content_type, extension: digital.extension } };
  }
  const identity = await media.identify(staged.path);
  if (slot === 'image') return await fitPhoto(media, staged, identity, owner);
  const problem = findVideoProblem(identity);
  if (problem) return { ok: false, problem };
  const content_type = identity.content_type ?? 'application/octet-stream';
  return { ok: true, file: { staged, content_type, extension: identity.extension ?? 'bin' } };
}

/**
 * Checks a staged file and prepares it for keeping: a photo that the marketplace does not take is converted, and the place where a
 * photo or film was taken is removed, with the pictures themselves untouched. The staged file is replaced then; on a problem it
 * stays. Throws MediaError busy if a photo does not get its turn in time.
 */
export async function prepareFile(media: Media, staged: StagedFile, named: Named): Promise<Inspected> {
  const inspected = await inspectFile(media, staged, named);
  if (!inspected.ok || named.slot === 'digital') return inspected;
  const { file } = inspected;
  try {
    const cleaned = await media.stripLocation(file.staged, file.content_type);
    if (file.staged !== staged) await media.discard(staged);
    return { ok: true, file: { ...file, staged: cleaned } };
  } catch (cause) {
    if (file.staged !== staged) await media.discard(file.staged);
    if (!(cause instanceof MediaError)) throw cause;
    return { ok: false, problem: 'is damaged or breaks off; save it anew and send it again' };
  }
}

/** The problem of a content type in a slot, if any; digital files are checked by bytes and name together instead. */
export function findTypeProblem(slot: UploadType, content_type: string | null): string | undefined {
  if (slot === 'image') {
    return content_type !== null && isPhotoType(content_type) ? undefined : describePhotoType(content_type);
  }
  if (slot === 'digital' || (content_type !== null && VIDEO_TYPES.has(content_type))) return undefined;
  if (content_type === WEB_PAGE_TYPE) return WEB_PAGE_PROBLEM;
  return `is ${content_type ?? 'of an unknown type'}; send an MP4 or MOV`;
}

/** Why a file could not be fetched, as the end of a sentence that begins with its path, with the fix. */
export function describeMediaError({ failure }: MediaError, url: string): string {
  if (failure === 'invalid_url' && /\s/.test(url)) {
    return 'could not be fetched: the address contains a space; write %20 in its place';
  }
  const status = /^status_(\d{3})$/.exec(failure)?.[1];
  const why = status === undefined ? WHY[failure as keyof typeof WHY] : `its server answered ${status}`;
  return `could not be fetched: ${why}; ${FIXES[failure] ?? OPEN_FIX}`;
}

const WHY: Record<Exclude<MediaFailure, `status_${number}`>, string> = {
  invalid_url: 'the address is no complete http or https address, or names a user and password',
  blocked_address: 'the address leads into a private network or to a port that is not fetched from',
  dns: 'the name of its server cannot be found',
  connect: 'no connection to its server could be made, or it gave no usable answer',
  timeout: 'it was not there in time',
  too_slow: 'its server sends it too slowly',
  too_large: 'it is too large',
  too_many_redirects: 'its server points from one address to the next without an end',
  unsupported_encoding: 'its server sends it compressed',
  empty: 'it is empty',
  truncated: 'it broke off',
  unreadable: 'it cannot be read',
  busy: 'the service fetches as many files as it may at a time',
};

const PUBLIC_FIX = 'use a public http or https address, or upload the file and use its service-upload:// url';
const OPEN_FIX = 'check that the address opens in a browser without log-in, or upload the file';
const FIXES: Partial<Record<MediaFailure, string>> = {
  blocked_address: PUBLIC_FIX,
  invalid_url: PUBLIC_FIX,
  too_large: 'at most 100 MB are taken',
};

/** Adds the file's name to a fault of our computer; another error is thrown on as it is. */
export function toFileFault(cause: unknown, paths: readonly string[]): unknown {
  const fault = cause instanceof ServiceError ? undefined : findFault(cause);
  if (!fault) return cause;
  return new ServiceError('INTERNAL', `${paths.join(', ')}: could not be kept. ${fault.message}`, {
    ...fault,
    cause,
  });
}

/** The file has no problem: it did not get its turn in time. */
export function buildBusyError(cause: MediaError, paths: readonly string[]): ServiceError {
  return new ServiceError(
    'RATE_LIMIT_SECOND',
    `${paths.join(', ')}: could not be read yet. ${cause.message}`,
    { retry_after_seconds: 20, cause },
  );
}

function findVideoProblem({ content_type, video }: MediaIdentity): string | undefined {
  const wrong = findTypeProblem('video', content_type);
  if (wrong) return wrong;
  if (!video) return 'is damaged: its length cannot be read';
  const { duration_seconds: seconds, width, height } = video;
  const longer = Math.max(width ?? 0, height ?? 0);
  const problems = [
    seconds > MAX_VIDEO_SECONDS && `lasts ${roundUp(seconds)} seconds; at most ${MAX_VIDEO_SECONDS}`,
    seconds < MIN_VIDEO_SECONDS && `lasts ${roundDown(seconds)} seconds; at least ${MIN_VIDEO_SECONDS}`,
    longer > 0 &&
      longer < MIN_VIDEO_PIXELS &&
      `is ${width} x ${height} pixels; at least ${MIN_VIDEO_PIXELS} on the longer side`,
    video.has_sound && 'has a sound track; remove it',
  ].filter((problem) => problem !== false);
  return problems.length > 0 ? problems.join('; ') : undefined;
}

/** So that 15.04 does not read as 15. */
function roundUp(seconds: number): number {
  return Math.ceil(seconds * 10) / 10;
}

/** So that 2.96 does not read as 3. */
function roundDown(seconds: number): number {
  return Math.floor(seconds * 10) / 10;
}

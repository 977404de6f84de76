import type { Fact, FileProblem } from '../../../schemas/issue.js';
import type { Warning } from '../../../schemas/job.js';
import { MARKETPLACE_FACTS } from '../../../schemas/marketplace_facts.js';
import type { Inspected } from './fit_file.js';
import { WEB_PAGE_TYPE } from './web_page.js';
import {
  MAX_IMAGE_PIXELS,
  type Media,
  type MediaIdentity,
  type PhotoProblem,
  type StagedFile,
  type TurnedPhoto,
} from '../ports/index.js';

/*
 * A photo that the marketplace does not accept is converted once, when it arrives: the kept file is the one that is sent, so
 * that a repetition sends the same bytes.
 */

/**
 * The photo itself, or a JPEG of it in another file.
 * @returns `changed`: how it was converted
 */
export async function fitPhoto(
  media: Media,
  staged: StagedFile,
  identity: MediaIdentity,
  owner: string,
): Promise<Inspected> {
  const { content_type, extension } = identity;
  if (content_type === null || !isPhotoType(content_type)) {
    return { ok: false, problems: [toPhotoTypeProblem(content_type)] };
  }
  const format = FORMATS[content_type];
  if (format === undefined && !hasSize(identity)) {
    return { ok: false, problems: [{ code: 'photo_size_unknown', params: {} }] };
  }
  const hasTooMany = hasSize(identity) && hasTooManyPixels(identity);
  const isScaled = hasTooMany || isHeavy(staged, identity);
  const as_it_is: Inspected = {
    ok: true,
    file: { staged, content_type, extension: extension ?? 'bin' },
  };
  if (format === undefined && !isScaled && !identity.may_be_transparent) return as_it_is;
  const turned = await turn(media, staged, { owner, content_type, is_scaled: isScaled });
  if ('problem' in turned) {
    // The photo is large or perhaps transparent, but otherwise acceptable, so the marketplace decides.
    if (format === undefined && !hasTooMany) return as_it_is;
    return { ok: false, problems: [toProblem(turned.problem, format, identity)] };
  }
  if (format === undefined && !isScaled && !turned.is_transparent) {
    await media.discard(turned.staged);
    return as_it_is;
  }
  return {
    ok: true,
    file: {
      staged: turned.staged,
      content_type: 'image/jpeg',
      extension: 'jpg',
      changed: toChange(format, turned, identity),
    },
  };
}

/** The name of a photo that was converted to JPEG: the marketplace checks the extension, too. */
export function toJpegName(filename: string): string {
  return `${filename.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'photo'}.jpg`;
}

/** @param reason `changed` of a file that fits */
export function toPhotoChanged(reason: Fact, fields: string[]): Warning {
  return { code: 'photo_changed', level: 'note', fields, reason };
}

/** Whether a photo of this type is accepted, unchanged or converted. */
export function isPhotoType(content_type: string): boolean {
  return IMAGE_TYPES.has(content_type) || FORMATS[content_type] !== undefined;
}

type Turned = TurnedPhoto & { is_scaled: boolean };

/** Converts a photo to JPEG; makes it smaller only if the JPEG would have too many bytes. */
async function turn(
  media: Media,
  staged: StagedFile,
  { owner, content_type, is_scaled }: { owner: string; content_type: string; is_scaled: boolean },
): Promise<Turned | { problem: PhotoProblem }> {
  const max_side = is_scaled ? MARKETPLACE_FACTS.full_image_max_side : undefined;
  const turned = await media.turnPhoto(staged, { owner, content_type, max_side });
  if ('problem' in turned) return turned;
  // The marketplace accepts animated GIFs, and a conversion would keep only the first frame.
  const isLoss = turned.is_animated && content_type === 'image/gif';
  if (!isLoss && (is_scaled || turned.staged.size_bytes <= MARKETPLACE_FACTS.image_max_bytes)) {
    return { ...turned, is_scaled };
  }
  await media.discard(turned.staged);
  return isLoss ? { problem: 'too_large' } : turn(media, staged, { owner, content_type, is_scaled: true });
}

type Size = { width: number; height: number };

function hasSize<Identity extends MediaIdentity>(identity: Identity): identity is Identity & Size {
  return Boolean(identity.width && identity.height);
}

function hasTooManyPixels({ width, height }: Size): boolean {
  return Math.max(width, height) > MAX_SIDE_PIXELS || width * height > MAX_IMAGE_PIXELS;
}

/** Whether a photo has more bytes than the marketplace accepts, and more pixels than it shows. */
function isHeavy({ size_bytes }: StagedFile, { width, height }: MediaIdentity): boolean {
  return (
    size_bytes > MARKETPLACE_FACTS.image_max_bytes &&
    Math.max(width ?? 0, height ?? 0) > MARKETPLACE_FACTS.full_image_max_side
  );
}

function toChange(
  format: string | undefined,
  { width, height, is_scaled, is_transparent, is_animated }: Turned,
  was: MediaIdentity,
): Fact {
  const params = {
    format,
    ...(is_scaled && { to: { width, height } }),
    ...(is_scaled && hasSize(was) && { from: { width: was.width, height: was.height } }),
    is_flattened: is_transparent,
    has_lost_frames: is_animated,
  };
  return { code: 'photo_changed', params };
}

function toProblem(
  problem: PhotoProblem,
  format: string | undefined,
  { width, height }: MediaIdentity,
): FileProblem {
  if (problem === 'unreadable') return { code: 'photo_damaged', params: {} };
  if (format !== undefined) {
    return { code: 'photo_not_convertible', params: { format, because: problem } };
  }
  const needsLibrary = problem === 'no_library';
  return {
    code: 'photo_too_large',
    params: { width: width ?? 0, height: height ?? 0, needs_library: needsLibrary },
  };
}

export function toPhotoTypeProblem(content_type: string | null): FileProblem {
  return content_type === WEB_PAGE_TYPE
    ? { code: 'file_is_web_page', params: {} }
    : { code: 'file_type_wrong', params: { slot: 'image', content_type } };
}

const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif']);
/** Formats that phones and websites use and the marketplace's API does not accept, by their common names. */
const FORMATS: Readonly<Record<string, string>> = {
  'image/webp': 'WebP',
  'image/avif': 'AVIF',
  'image/heic': 'HEIC',
  'image/heif': 'HEIC',
  'image/heic-sequence': 'HEIC',
  'image/heif-sequence': 'HEIC',
};

const MAX_SIDE_PIXELS = 20_000;

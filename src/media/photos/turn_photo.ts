import { Readable } from 'node:stream';
import type { Sharp as Picture, SharpOptions } from 'sharp';
import {
  MAX_FILE_BYTES,
  MAX_IMAGE_PIXELS,
  type PhotoProblem,
  type StagedFile,
  type TurnedPhoto,
} from '../../core/ports/media.js';
import type { DiskSpace } from '../disk_space.js';
import { stageSource } from '../staging.js';
import { withColourProfile } from './colour_profile.js';
import { decodeHeic } from './heic.js';
import { loadPictureLibrary, type Sharp } from './library.js';

/** A JPEG of a photo, upright, without metadata, on white where it is transparent; of an animation, the first frame. */
export async function turnPhoto(
  staged: StagedFile,
  { content_type, max_side }: { content_type: string; max_side?: number | undefined },
  { staging_dir, disk }: { staging_dir: string; disk: DiskSpace },
): Promise<TurnedPhoto | { problem: PhotoProblem }> {
  const open = await loadPictureLibrary();
  if (open === undefined) return { problem: 'no_library' };
  const drawn = HEIC_TYPES.has(content_type)
    ? await drawHeic(open, staged.path, max_side)
    : await drawOther(open, staged.path, max_side);
  if ('problem' in drawn) return drawn;
  const { data, width, height } = drawn;
  const options = { staging_dir, disk, limit_bytes: MAX_FILE_BYTES, expected_bytes: data.length };
  return { staged: await stageSource(Readable.from([data]), options), width, height };
}

type Drawn = { data: Buffer; width: number; height: number };

async function drawHeic(
  open: Sharp,
  path: string,
  max_side: number | undefined,
): Promise<Drawn | { problem: PhotoProblem }> {
  const decoded = await decodeHeic(path);
  if ('problem' in decoded) return decoded;
  const { width, height, profile } = decoded;
  const drawn = await draw(open(decoded.data, { raw: { width, height, channels: 4 } }), max_side);
  if ('problem' in drawn || profile === undefined) return drawn;
  return { ...drawn, data: withColourProfile(drawn.data, profile) };
}

async function drawOther(
  open: Sharp,
  path: string,
  max_side: number | undefined,
): Promise<Drawn | { problem: PhotoProblem }> {
  const options: SharpOptions = { limitInputPixels: MAX_READ_PIXELS, failOn: 'error', sequentialRead: true };
  try {
    const metadata = await open(path, { ...options, limitInputPixels: false }).metadata();
    const { width, height, format, isProgressive } = metadata;
    const is_streamed = !isProgressive && (format === 'jpeg' || format === 'png');
    if (width * height > (is_streamed ? MAX_READ_PIXELS : MAX_IMAGE_PIXELS)) return { problem: 'too_large' };
  } catch {
    return { problem: 'unreadable' };
  }
  return await draw(open(path, options).autoOrient(), max_side);
}

async function draw(
  picture: Picture,
  max_side: number | undefined,
): Promise<Drawn | { problem: PhotoProblem }> {
  if (max_side !== undefined) {
    picture.resize({ width: max_side, height: max_side, fit: 'inside', withoutEnlargement: true });
  }
  try {
    const { data, info } = await picture
      .timeout({ seconds: MAX_SECONDS })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch {
    return { problem: 'unreadable' };
  }
}

const HEIC_TYPES: ReadonlySet<string> = new Set([
  'image/heic',
  'image/heif',
  'image/heic-sequence',
  'image/heif-sequence',
]);
/** Photos of phones have up to 200 megapixels; a picture that must be decoded as a whole is not read at that size. */
const MAX_READ_PIXELS = 200_000_000;
const MAX_SECONDS = 30;
const QUALITY = 90;

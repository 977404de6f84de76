import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  MAX_FILE_BYTES,
  MAX_IMAGE_PIXELS,
  type PhotoProblem,
  type StagedFile,
  type TurnedPhoto,
} from '../../core/ports/media.js';
import type { DiskSpace } from '../disk_space.js';
import { stageSource } from '../staging.js';
import { findColourProfile, withColourProfile } from './colour_profile.js';
import { drawPhoto } from './draw_photo.js';
import { countHeifPixels } from './heif_pixels.js';
import { loadPictureLibrary } from './library.js';

/** A JPEG of a photo, upright, without metadata, on white where it is transparent; of an animation, the first frame. */
export async function turnPhoto(
  staged: StagedFile,
  { content_type, max_side }: { content_type: string; max_side?: number | undefined },
  { staging_dir, disk }: { staging_dir: string; disk: DiskSpace },
): Promise<TurnedPhoto | { problem: PhotoProblem }> {
  if ((await loadPictureLibrary()) === undefined) return { problem: 'no_library' };
  const header = await readHeader(staged.path, content_type);
  if ('problem' in header) return header;
  const drawn = await drawPhoto(staged.path, { is_heic: HEIC_TYPES.has(content_type), max_side });
  if ('problem' in drawn) return drawn;
  const { data, ...about } = drawn;
  const jpeg = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const bytes = header.profile === undefined ? jpeg : withColourProfile(jpeg, header.profile);
  const options = { staging_dir, disk, limit_bytes: MAX_FILE_BYTES, expected_bytes: bytes.length };
  const is_animated = about.is_animated || header.is_sequence;
  return { ...about, is_animated, staged: await stageSource(Readable.from([bytes]), options) };
}

type Header = { is_sequence: boolean; profile: Buffer | undefined };

/** What the header of a HEIC or AVIF says; of other formats, nothing. */
async function readHeader(path: string, content_type: string): Promise<Header | { problem: PhotoProblem }> {
  const is_heic = HEIC_TYPES.has(content_type);
  if (!is_heic && content_type !== 'image/avif') return { is_sequence: false, profile: undefined };
  const file = await readFile(path);
  const pixels = countHeifPixels(file);
  if (pixels === undefined) return { problem: 'unreadable' };
  if (pixels > MAX_IMAGE_PIXELS) return { problem: 'too_large' };
  return {
    is_sequence: SEQUENCE_BRANDS.has(file.toString('latin1', 8, 12)),
    // The HEIC decoder leaves it out.
    profile: is_heic ? findColourProfile(file) : undefined,
  };
}

const HEIC_TYPES: ReadonlySet<string> = new Set([
  'image/heic',
  'image/heif',
  'image/heic-sequence',
  'image/heif-sequence',
]);
const SEQUENCE_BRANDS: ReadonlySet<string> = new Set(['avis', 'hevc', 'hevx', 'msf1']);

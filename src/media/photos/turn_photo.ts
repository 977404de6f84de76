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
import { drawPhoto } from './draw_photo.js';
import { countHeifPixels } from './heif_pixels.js';
import { loadPictureLibrary } from './library.js';
import { type Box, BoxError, findBox, listBoxes } from '../video/iso_boxes.js';

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
  const isAnimated = about.is_animated || header.is_sequence;
  return { ...about, is_animated: isAnimated, staged: await stageSource(Readable.from([bytes]), options) };
}

type Header = { is_sequence: boolean; profile: Buffer | undefined };

/** The values in the header of a HEIC or AVIF; nothing for other formats. */
async function readHeader(path: string, content_type: string): Promise<Header | { problem: PhotoProblem }> {
  const isHeic = HEIC_TYPES.has(content_type);
  if (!isHeic && content_type !== 'image/avif') return { is_sequence: false, profile: undefined };
  const file = await readFile(path);
  const pixels = countHeifPixels(file);
  if (pixels === undefined) return { problem: 'unreadable' };
  if (pixels > MAX_IMAGE_PIXELS) return { problem: 'too_large' };
  return {
    is_sequence: SEQUENCE_BRANDS.has(file.toString('latin1', 8, 12)),
    // The HEIC decoder omits it.
    profile: isHeic ? findColourProfile(file) : undefined,
  };
}

const HEIC_TYPES: ReadonlySet<string> = new Set([
  'image/heic',
  'image/heif',
  'image/heic-sequence',
  'image/heif-sequence',
]);
const SEQUENCE_BRANDS: ReadonlySet<string> = new Set(['avis', 'hevc', 'hevx', 'msf1']);

/**
 * The ICC color profile of a HEIC file, if all of its pictures with a profile have the same one; undefined
 * otherwise. Without it, a screen shows a phone's photo in other colors, since the same numbers mean other
 * colors there.
 */
function findColourProfile(file: Buffer): Buffer | undefined {
  const budget = { boxes_left: MAX_BOXES };
  const open = (boxes: readonly Box[], type: string, skipped_bytes = 0) =>
    listBoxes(findBox(boxes, type)?.subarray(skipped_bytes) ?? Buffer.alloc(0), budget);
  try {
    const meta = open(listBoxes(file, budget), 'meta', VERSION_BYTES);
    const profiles = open(open(meta, 'iprp'), 'ipco')
      .filter(({ type, body }) => type === 'colr' && ICC_TYPES.has(body.toString('latin1', 0, 4)))
      .map(({ body }) => body.subarray(4));
    const [first] = profiles;
    const isOne = first !== undefined && profiles.every((other) => other.equals(first));
    return isOne && first.length > 0 && first.length <= MAX_PROFILE_BYTES ? first : undefined;
  } catch (error) {
    if (error instanceof BoxError) return undefined;
    throw error;
  }
}

/** The JPEG with this profile, in a segment after its first marker. */
function withColourProfile(jpeg: Buffer, profile: Buffer): Buffer {
  // Segment 1 of 1 (ICC.1, annex B.4).
  const body = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), profile]);
  const head = Buffer.from([0xff, 0xe2, 0, 0]);
  head.writeUInt16BE(2 + body.length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

const VERSION_BYTES = 4;
const ICC_TYPES: ReadonlySet<string> = new Set(['prof', 'rICC']);
const MAX_BOXES = 10_000;
/** Bytes that one segment of a JPEG holds in addition to its name. */
const MAX_PROFILE_BYTES = 65_519;

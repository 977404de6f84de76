import { MediaError } from '../../core/ports/media.js';
import type { FileReader } from '../identify/file_reader.js';
import { removeExifLocation } from './exif.js';
import { createPartList, mentionsLocation, type Part } from './parts.js';

/**
 * The parts of a JPEG without its location. Of the application segments, only those known to be harmless are
 * kept; data after the end of the image (further pictures, the clip of a "motion photo") is dropped. Throws
 * MediaError unreadable if there is no complete image: buyers would see half a photo.
 */
export async function planJpeg(reader: FileReader): Promise<readonly Part[]> {
  const parts = createPartList();
  let offset = 2;
  let exif_count = 0;
  let hasScan = false;
  parts.keep(0, offset);
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const marker = await reader.read(offset, 2);
    const code = marker?.[0] === 0xff ? marker[1] : undefined;
    if (code === undefined) throw unreadable();
    if (code === FILL || isBareMarker(code)) {
      const end = offset + (code === FILL ? 1 : 2);
      parts.keep(offset, end);
      offset = end;
      continue;
    }
    if (code === EOI && hasScan) {
      parts.keep(offset, offset + 2);
      return parts.list();
    }

    const segment = await readSegment(reader, offset);
    if (segment === undefined) throw unreadable();
    const cleaned = cleanSegment(code, segment);
    if (cleaned === segment) {
      parts.keep(offset, offset + 2 + segment.length);
    } else if (cleaned !== undefined && exif_count < MAX_EXIF_SEGMENTS) {
      exif_count += 1;
      parts.replace(Buffer.concat([Buffer.from([0xff, code]), cleaned]));
    }
    offset += 2 + segment.length;

    if (code === SOS) {
      hasScan = true;
      const end = await findScanEnd(reader, offset);
      parts.keep(offset, end);
      offset = end;
    }
  }
  throw unreadable();
}

/** Reads from the two bytes of the length on; undefined if the segment extends beyond the file. */
async function readSegment(reader: FileReader, offset: number): Promise<Buffer | undefined> {
  const length = (await reader.read(offset + 2, 2))?.readUInt16BE(0);
  if (length === undefined || length < 2) return undefined;
  const segment = await reader.read(offset + 2, length);
  // A copy, because a cleaned segment outlives the reader's window.
  return segment && Buffer.from(segment);
}

/**
 * Returns the same segment to keep it, another one of the same length to replace it, or undefined to drop it.
 */
function cleanSegment(code: number, segment: Buffer): Buffer | undefined {
  if (code === COMMENT) return mentionsLocation(segment) ? undefined : segment;
  if (code < APP0 || code > APP15 || code === APP0) return segment;
  const body = segment.subarray(2);
  if (code === APP1 && hasName(body, 'Exif\0')) return cleanExif(segment);
  if (code === APP1 && hasName(body, XMP_NAME)) return mentionsLocation(body) ? undefined : segment;
  const isHarmless = HARMLESS.some((known) => known.code === code && hasName(body, known.name));
  return isHarmless ? segment : undefined;
}

function cleanExif(segment: Buffer): Buffer | undefined {
  const tiff = segment.subarray(EXIF_HEADER_BYTES);
  const cleaned = removeExifLocation(tiff);
  if (cleaned === tiff) return segment;
  return cleaned && Buffer.concat([segment.subarray(0, EXIF_HEADER_BYTES), cleaned]);
}

function hasName(body: Buffer, name: string): boolean {
  return body.toString('latin1', 0, name.length) === name;
}

/** The position of the first marker after compressed data, or the end of the file. */
async function findScanEnd(reader: FileReader, start: number): Promise<number> {
  let offset = start;
  for (;;) {
    const chunk = await reader.readSome(offset);
    if (chunk === undefined) return reader.size_bytes;
    const { is_marker, used_bytes } = scanChunk(chunk);
    offset += used_bytes;
    if (is_marker) return offset;
    // A 0xff in the last position is judged with the byte after it, in a window that begins here.
    if (used_bytes < chunk.length && (await reader.read(offset, 2)) === undefined) return reader.size_bytes;
  }
}

/** A marker begins with 0xff, unless it is an escaped byte (0xff00), a restart marker or a fill byte. */
function scanChunk(chunk: Buffer): { is_marker: boolean; used_bytes: number } {
  let at = chunk.indexOf(0xff);
  while (at !== -1 && at + 1 < chunk.length) {
    const code = chunk[at + 1] ?? 0;
    if (code !== FILL && code !== 0 && !isRestart(code)) return { is_marker: true, used_bytes: at };
    at = chunk.indexOf(0xff, code === FILL ? at + 1 : at + 2);
  }
  return { is_marker: false, used_bytes: at === -1 ? chunk.length : at };
}

function isRestart(code: number): boolean {
  return code >= 0xd0 && code <= 0xd7;
}

function isBareMarker(code: number): boolean {
  return code === 0x01 || isRestart(code);
}

function unreadable(): MediaError {
  return new MediaError('unreadable', 'The JPEG file is damaged: its structure cannot be read.');
}

const FILL = 0xff;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP15 = 0xef;
const COMMENT = 0xfe;
const XMP_NAME = 'http://ns.adobe.com/xap/1.0/\0';

/** Length, `Exif` and two NULs. */
const EXIF_HEADER_BYTES = 8;

/**
 * Colors and quality. IPTC (APP13), pictures after the end (APP2 `MPF`) and makers' own segments are not
 * among them.
 */
const HARMLESS = [
  { code: 0xe2, name: 'ICC_PROFILE\0' },
  { code: 0xec, name: 'Ducky' },
  { code: 0xee, name: 'Adobe' },
] as const;
const MAX_STEPS = 10_000;
const MAX_EXIF_SEGMENTS = 4;

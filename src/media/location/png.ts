import { crc32 } from 'node:zlib';
import { MediaError } from '../../core/ports/media.js';
import type { FileReader } from '../identify/file_reader.js';
import { removeExifLocation } from './exif.js';
import { createPartList, mentionsLocation, type Part } from './parts.js';

/**
 * The parts of a PNG without its location. EXIF is cleaned; texts are kept only if they are short,
 * uncompressed and name no place; of the other optional chunks, only those that say how to show the picture
 * are kept. Everything after IEND is dropped. Throws MediaError unreadable if the lengths of the chunks do
 * not fit the file.
 */
export async function planPng(reader: FileReader): Promise<readonly Part[]> {
  const parts = createPartList();
  let offset = SIGNATURE_BYTES;
  let exif_count = 0;
  parts.keep(0, offset);
  for (let steps = 0; steps < MAX_CHUNKS; steps += 1) {
    const head = await reader.read(offset, 8);
    if (head === undefined) throw unreadable();
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    const end = offset + 12 + length;
    if (end > reader.size_bytes) throw unreadable();

    if (type === 'eXIf') {
      exif_count += 1;
      if (exif_count === 1) await addExif(parts, reader, offset, length);
    } else if (await isKept(reader, type, offset + 8, length)) {
      parts.keep(offset, end);
    }
    if (type === 'IEND') return parts.list();
    offset = end;
  }
  throw unreadable();
}

async function addExif(
  parts: ReturnType<typeof createPartList>,
  reader: FileReader,
  offset: number,
  length: number,
): Promise<void> {
  const tiff = length > MAX_EXIF_BYTES ? undefined : await reader.read(offset + 8, length);
  const cleaned = tiff && removeExifLocation(tiff);
  if (cleaned === undefined) return;
  if (cleaned === tiff) parts.keep(offset, offset + 12 + length);
  else parts.replace(buildChunk('eXIf', cleaned));
}

async function isKept(reader: FileReader, type: string, offset: number, length: number): Promise<boolean> {
  // Chunks whose type begins with a capital letter are critical: a decoder needs them.
  if (/^[A-Z]/.test(type)) return true;
  if (type === 'tEXt') return await isHarmlessText(reader, offset, length);
  return DISPLAY_CHUNKS.has(type);
}

async function isHarmlessText(reader: FileReader, offset: number, length: number): Promise<boolean> {
  const text = length > MAX_TEXT_BYTES ? undefined : await reader.read(offset, length);
  if (text === undefined || mentionsLocation(text)) return false;
  return !METADATA_KEYWORD.test(text.toString('latin1', 0, 80));
}

function buildChunk(type: string, body: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + body.length);
  chunk.writeUInt32BE(body.length, 0);
  chunk.write(type, 4, 'latin1');
  body.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + body.length)), 8 + body.length);
  return chunk;
}

function unreadable(): MediaError {
  return new MediaError('unreadable', 'The PNG file is damaged: its structure cannot be read.');
}

const SIGNATURE_BYTES = 8;
const METADATA_KEYWORD = /^(XML:com\.adobe\.xmp|Raw profile type )/i;

/** Optional chunks that are kept: colors, transparency, resolution, time and animation. */
const DISPLAY_CHUNKS: ReadonlySet<string> = new Set([
  'acTL',
  'bKGD',
  'cHRM',
  'cICP',
  'cLLI',
  'fcTL',
  'fdAT',
  'gAMA',
  'hIST',
  'iCCP',
  'mDCV',
  'pHYs',
  'sBIT',
  'sPLT',
  'sRGB',
  'tIME',
  'tRNS',
]);
const MAX_CHUNKS = 40_000;
const MAX_EXIF_BYTES = 256 * 1024;
const MAX_TEXT_BYTES = 64 * 1024;

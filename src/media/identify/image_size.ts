import type { FileReader } from './file_reader.js';

type ImageSize = { width: number; height: number };

/**
 * The size in the header of a PNG, GIF or JPEG, as stored (before any orientation); undefined if it has none.
 */
export async function findImageSize(
  reader: FileReader,
  content_type: string,
): Promise<ImageSize | undefined> {
  const size = await readers[content_type]?.(reader);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

async function readPngSize(reader: FileReader): Promise<ImageSize | undefined> {
  const header = await reader.read(8, 16);
  if (header?.toString('latin1', 4, 8) !== 'IHDR') return undefined;
  return { width: header.readUInt32BE(8), height: header.readUInt32BE(12) };
}

async function readGifSize(reader: FileReader): Promise<ImageSize | undefined> {
  const screen = await reader.read(6, 4);
  return screen && { width: screen.readUInt16LE(0), height: screen.readUInt16LE(2) };
}

async function readJpegSize(reader: FileReader): Promise<ImageSize | undefined> {
  let offset = 2;
  for (let steps = 0; steps < MAX_JPEG_STEPS; steps += 1) {
    const marker = await reader.read(offset, 2);
    if (marker?.[0] !== 0xff) return undefined;
    const code = marker[1] ?? 0;
    // A fill byte before the marker.
    if (code === 0xff) {
      offset += 1;
      continue;
    }
    if (isBareMarker(code)) {
      offset += 2;
      continue;
    }
    if (code === SOS || code === EOI) return undefined;
    const segment = await reader.read(offset + 2, isFrameHeader(code) ? 7 : 2);
    if (segment === undefined) return undefined;
    if (isFrameHeader(code)) return { width: segment.readUInt16BE(5), height: segment.readUInt16BE(3) };
    const length = segment.readUInt16BE(0);
    if (length < 2) return undefined;
    offset += 2 + length;
  }
  return undefined;
}

/** SOF0 to SOF15, without the three codes in between that denote tables. */
function isFrameHeader(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;
}

/** TEM and the restart markers: no length follows. */
function isBareMarker(code: number): boolean {
  return code === 0x01 || (code >= 0xd0 && code <= 0xd7);
}

const readers: Readonly<Record<string, (reader: FileReader) => Promise<ImageSize | undefined>>> = {
  'image/png': readPngSize,
  'image/apng': readPngSize,
  'image/gif': readGifSize,
  'image/jpeg': readJpegSize,
};

const SOS = 0xda;
const EOI = 0xd9;
const MAX_JPEG_STEPS = 10_000;

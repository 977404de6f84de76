import type { FileReader } from './file_reader.js';

/** Whether the header of a PNG or GIF allows transparent pixels. Many have none all the same. */
export async function mayBeTransparent(reader: FileReader, content_type: string): Promise<boolean> {
  // Each frame of a GIF says it for itself.
  if (content_type === 'image/gif') return true;
  if (content_type !== 'image/png') return false;
  const color_type = (await reader.read(COLOR_TYPE_AT, 1))?.[0] ?? 0;
  return (color_type & HAS_ALPHA) !== 0 || (await hasTransparentColor(reader));
}

/** Looks for tRNS, which comes before the pixels. */
async function hasTransparentColor(reader: FileReader): Promise<boolean> {
  let offset = SIGNATURE_BYTES;
  for (let chunks = 0; chunks < MAX_CHUNKS; chunks += 1) {
    const head = await reader.read(offset, 8);
    const type = head?.toString('latin1', 4, 8);
    if (head === undefined || type === 'IDAT') return false;
    if (type === 'tRNS') return true;
    offset += CHUNK_BYTES + head.readUInt32BE(0);
  }
  return false;
}

const SIGNATURE_BYTES = 8;
const COLOR_TYPE_AT = 25;
const HAS_ALPHA = 4;
/** Of a chunk besides its content: length, type and checksum. */
const CHUNK_BYTES = 12;
const MAX_CHUNKS = 1_000;

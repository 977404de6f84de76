import { MediaError } from '../../core/ports/media.js';
import type { FileReader } from '../identify/file_reader.js';
import { createPartList, type Part } from './parts.js';

/**
 * The parts of a GIF without its location. Comments are removed, and so are all application extensions (such
 * as XMP) except those that say how to show the picture. Everything after the end is dropped. Throws
 * MediaError unreadable if there is no complete picture.
 */
export async function planGif(reader: FileReader): Promise<readonly Part[]> {
  const parts = createPartList();
  const header = await reader.read(0, HEADER_BYTES);
  if (header === undefined) throw unreadable();
  let offset = HEADER_BYTES + colorTableBytes(header[SCREEN_FLAGS]);
  let hasPicture = false;
  parts.keep(0, offset);
  for (let steps = 0; steps < MAX_BLOCKS; steps += 1) {
    const start = offset;
    const [introducer, label] = (await reader.read(start, 2)) ?? (await reader.read(start, 1)) ?? [];
    if (introducer === TRAILER && hasPicture) {
      parts.keep(start, start + 1);
      return parts.list();
    }
    const isPicture = introducer === PICTURE;
    if (isPicture) hasPicture = true;
    const data = await findData(reader, start, introducer);
    const end = data && (await findDataEnd(reader, data));
    if (data === undefined || end === undefined) throw unreadable();
    if (isPicture || (await isShownBy(reader, label, data))) parts.keep(start, end);
    offset = end;
  }
  throw unreadable();
}

/** The position at which the data of an extension or a picture begins; undefined for any other block. */
async function findData(
  reader: FileReader,
  start: number,
  introducer: number | undefined,
): Promise<number | undefined> {
  if (introducer === EXTENSION) return start + 2;
  const descriptor = introducer === PICTURE ? await reader.read(start, DESCRIPTOR_BYTES) : undefined;
  // Plus one byte: the number of bits with which the codes begin.
  return descriptor && start + DESCRIPTOR_BYTES + colorTableBytes(descriptor[PICTURE_FLAGS]) + 1;
}

/** Blocks of up to 255 bytes, each after its length, up to an empty one; undefined if the file ends before. */
async function findDataEnd(reader: FileReader, start: number): Promise<number | undefined> {
  let offset = start;
  for (;;) {
    const window = await reader.readSome(offset);
    if (window === undefined) return undefined;
    let place = 0;
    while (place < window.length) {
      const length = window[place] ?? 0;
      place += 1 + length;
      if (length === 0) return offset + place;
    }
    offset += place;
  }
}

async function isShownBy(reader: FileReader, label: number | undefined, data: number): Promise<boolean> {
  if (label !== APPLICATION) return label === CONTROL || label === PLAIN_TEXT;
  const name = await reader.read(data + 1, APPLICATION_NAME_BYTES);
  return name !== undefined && SHOWN_BY.has(name.toString('latin1'));
}

/** From a header's flags: whether a color table follows, and which power of two is its size. */
function colorTableBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}

function unreadable(): MediaError {
  return new MediaError(
    'unreadable',
    'The GIF file is damaged: its structure cannot be read, or it is cut off.',
  );
}

const HEADER_BYTES = 13;
const SCREEN_FLAGS = 10;
const DESCRIPTOR_BYTES = 10;
const PICTURE_FLAGS = 9;

const EXTENSION = 0x21;
const PICTURE = 0x2c;
const TRAILER = 0x3b;

const PLAIN_TEXT = 0x01;
const CONTROL = 0xf9;
const APPLICATION = 0xff;
const APPLICATION_NAME_BYTES = 11;
/** Repetition, under both its names, and colors. */
const SHOWN_BY: ReadonlySet<string> = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);
const MAX_BLOCKS = 40_000;

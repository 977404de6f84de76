import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, read as readWithCallback } from 'node:fs';
import { promisify } from 'node:util';
import type { MediaFile } from '../core/ports/marketplace_listing.js';
import { dropBroken } from '../core/visible_text.js';
import type { RequestBody, SentInPieces } from './encode.js';

/** A stored file that is not there, or not what was stored. Nothing the marketplace could act upon has been sent. */
export class StoredFileError extends Error {
  override readonly name = 'StoredFileError';
}

/**
 * Plain fields first, then the file, read from disk while it is sent. The length is known beforehand, because the
 * marketplace's edge takes no chunked uploads. Reading throws StoredFileError when the file is missing or has another size.
 */
export function buildMultipartBody(
  fields: Readonly<Record<string, string>>,
  part: { name: string; file: MediaFile },
): RequestBody {
  // A UUID cannot stand in the file by chance.
  const boundary = `part-${randomUUID()}`;
  const { name, file } = part;
  const fields_and_name = dropBroken(
    Object.entries(fields)
      .map(([field, value]) => `--${boundary}\r\n${disposition(field)}\r\n\r\n${value}\r\n`)
      .join('') +
      `--${boundary}\r\n${disposition(name)}; filename="${escapeName(file.filename)}"\r\n` +
      `content-type: ${file.content_type}\r\n\r\n`,
  );
  const head = Buffer.from(fields_and_name);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    content_type: `multipart/form-data; boundary=${boundary}`,
    size_bytes: head.length + file.size_bytes + tail.length,
    open: () => openBody(head, file, tail),
  };
}

function disposition(name: string): string {
  return `content-disposition: form-data; name="${escapeName(name)}"`;
}

/** As browsers do it: what would end the quotation or the line is percent-encoded. */
function escapeName(name: string): string {
  return name.replace(/[\r\n"]/g, (character) => encodeURIComponent(character));
}

/** Memory is taken when the first bytes are wanted, and once the call is answered it is free for the next file. */
function openBody(head: Buffer, file: MediaFile, tail: Buffer): SentInPieces {
  let read_through: Buffer | undefined;
  return {
    [Symbol.asyncIterator]: () =>
      readPieces(head, file, tail, (memory) => {
        read_through = memory;
      }),
    onAnswered() {
      // Into that of a file whose answer came before its end, the disk may still be reading.
      if (read_through && FREE.length < MOST_FREE) FREE.push(read_through);
      read_through = undefined;
    },
  };
}

/**
 * Each piece is in the same memory as the one before, which has left by then: a full one is more than a socket buffers, so that
 * the next is asked for when it has been written. The head goes out with the file's first bytes, and the tail with its last.
 * Opening, reading and closing a small file takes less than asking another thread to do it, and holds up everything else no
 * longer than the commit before it.
 */
async function* readPieces(
  head: Buffer,
  file: MediaFile,
  tail: Buffer,
  onReadThrough: (memory: Buffer) => void,
): AsyncGenerator<Buffer> {
  const memory = FREE.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES);
  const is_small = file.size_bytes <= MOST_READ_HERE_BYTES;
  const stored = openStored(file);
  try {
    let used = head.copy(memory);
    for (let position = 0; position < file.size_bytes;) {
      const wanted = Math.min(memory.length - used, file.size_bytes - position);
      const read_bytes = is_small
        ? readSync(stored, memory, used, wanted, position)
        : (await read(stored, memory, used, wanted, position)).bytesRead;
      if (read_bytes === 0) throw new StoredFileError(`the stored file of ${file.filename} became shorter`);
      position += read_bytes;
      used += read_bytes;
      if (used + tail.length <= memory.length) continue;
      yield memory.subarray(0, used);
      used = 0;
    }
    used += tail.copy(memory, used);
    yield memory.subarray(0, used);
    onReadThrough(memory);
  } finally {
    closeSync(stored);
  }
}

/** Throws StoredFileError. */
function openStored(file: MediaFile): number {
  let opened: number;
  try {
    opened = openSync(file.path, 'r');
  } catch (cause) {
    throw new StoredFileError(`the stored file of ${file.filename} could not be opened`, { cause });
  }
  const { size } = fstatSync(opened);
  if (size === file.size_bytes) return opened;
  closeSync(opened);
  throw new StoredFileError(
    `the stored file of ${file.filename} has ${size} bytes instead of ${file.size_bytes}`,
  );
}

const read = promisify(readWithCallback);
/** Larger pieces than this gain nothing. Far more than a socket buffers. */
const PIECE_BYTES = 512 * 1024;
/** Photos, which mostly were kept a moment ago; a film or a large file may have to come from a slow disk. */
const MOST_READ_HERE_BYTES = 4 * 1024 * 1024;
/** New memory for each piece would be reason enough for V8 to look through the whole heap after every other listing. */
const FREE: Buffer[] = [];
const MOST_FREE = 8;

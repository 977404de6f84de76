import type { MediaFile } from '../../core/ports/marketplace_listing.js';
import type { Randomness } from '../../core/ports/world.js';
import { dropBroken } from '../../core/text/visible_text.js';
import type { RequestBody } from './encode.js';

/**
 * A stored file that is missing, cannot be read, or no longer has the bytes that were stored. The marketplace
 * did not receive a complete request.
 */
export class StoredFileError extends Error {
  override readonly name = 'StoredFileError';
}

/**
 * Plain fields first, then the file if there is one, read while it is sent. The length is known beforehand,
 * because the marketplace's edge accepts no chunked uploads. Reading throws StoredFileError. FormData would
 * do the same at two and a half times the processor time, and only with a File whose stream is overridden.
 */
export function buildMultipartBody(
  randomness: Randomness,
  fields: Readonly<Record<string, string>>,
  part?: { name: string; file: MediaFile },
): RequestBody {
  // A boundary with this many random digits cannot occur in the file by chance.
  const boundary = `part-${randomness.bytes(16).toString('hex')}`;
  const content_type = `multipart/form-data; boundary=${boundary}`;
  const plain = Object.entries(fields)
    .map(([field, value]) => `--${boundary}\r\n${disposition(field)}\r\n\r\n${value}\r\n`)
    .join('');
  if (!part) {
    const bytes = Buffer.from(dropBroken(`${plain}--${boundary}--\r\n`));
    return { content_type, size_bytes: bytes.length, open: () => bytes };
  }
  const { name, file } = part;
  const head = Buffer.from(
    dropBroken(
      `${plain}--${boundary}\r\n${disposition(name)}; filename="${escapeName(file.filename)}"\r\n` +
        `content-type: ${file.content_type}\r\n\r\n`,
    ),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    content_type,
    size_bytes: head.length + file.size_bytes + tail.length,
    open: () => readBody(head, file, tail),
  };
}

function disposition(name: string): string {
  return `content-disposition: form-data; name="${escapeName(name)}"`;
}

/** As browsers do: characters that would end the quotation or the line are percent-encoded. */
function escapeName(name: string): string {
  return name.replace(/[\r\n"]/g, (character) => encodeURIComponent(character));
}

/** A generator, so that the file is closed at whichever point the body is abandoned. */
async function* readBody(head: Buffer, file: MediaFile, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  yield* readFile(file);
  yield tail;
}

/**
 * Each piece reuses the memory of the previous one, which has been sent by then: a piece is larger than a
 * socket's buffer, so that undici asks for the next one only after it was written. Allocating memory for each
 * piece would make V8 scan its whole heap after every other listing.
 */
async function* readFile({ open, filename, size_bytes }: MediaFile): AsyncGenerator<Buffer> {
  const kept = await open();
  if (kept?.size_bytes !== size_bytes) {
    const found = kept ? `has ${kept.size_bytes} bytes instead of ${size_bytes}` : 'is not there';
    throw new StoredFileError(`the stored file of ${filename} ${found}`);
  }
  let read_bytes = 0;
  try {
    const memory = Buffer.allocUnsafeSlow(Math.min(size_bytes, PIECE_BYTES));
    for await (const piece of kept.streamThrough(memory)) {
      read_bytes += piece.length;
      yield piece;
    }
  } catch (cause) {
    throw new StoredFileError(`the stored file of ${filename} could not be read`, { cause });
  }
  if (read_bytes < size_bytes) throw new StoredFileError(`the stored file of ${filename} became shorter`);
}

/** Far more than a socket buffers. */
const PIECE_BYTES = 256 * 1024;

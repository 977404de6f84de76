import { randomUUID } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import type { MediaFile } from '../core/ports/marketplace_listing.js';
import type { RequestBody } from './encode.js';

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
  const head = Buffer.from(
    Object.entries(fields)
      .map(([field, value]) => `--${boundary}\r\n${disposition(field)}\r\n\r\n${value}\r\n`)
      .join('') +
      `--${boundary}\r\n${disposition(name)}; filename="${escapeName(file.filename)}"\r\n` +
      `content-type: ${file.content_type}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    content_type: `multipart/form-data; boundary=${boundary}`,
    size_bytes: head.length + file.size_bytes + tail.length,
    async *read() {
      const handle = await openStored(file);
      try {
        yield head;
        yield* readStored(handle, file);
        yield tail;
      } finally {
        await handle.close();
      }
    },
  };
}

function disposition(name: string): string {
  return `content-disposition: form-data; name="${escapeName(name)}"`;
}

/** As browsers do it: what would end the quotation or the line is percent-encoded. */
function escapeName(name: string): string {
  return name.replace(/[\r\n"]/g, (character) => encodeURIComponent(character));
}

async function openStored(file: MediaFile): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await open(file.path, 'r');
  } catch (cause) {
    throw new StoredFileError(`the stored file of ${file.filename} could not be opened`, { cause });
  }
  const { size } = await handle.stat();
  if (size === file.size_bytes) return handle;
  await handle.close();
  throw new StoredFileError(
    `the stored file of ${file.filename} has ${size} bytes instead of ${file.size_bytes}`,
  );
}

async function* readStored(handle: FileHandle, file: MediaFile): AsyncGenerator<Buffer> {
  let sent_bytes = 0;
  while (sent_bytes < file.size_bytes) {
    const room = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, file.size_bytes - sent_bytes));
    const { bytesRead } = await handle.read(room, 0, room.length, sent_bytes);
    if (bytesRead === 0) throw new StoredFileError(`the stored file of ${file.filename} became shorter`);
    sent_bytes += bytesRead;
    yield room.subarray(0, bytesRead);
  }
}

/** Each read is a trip to another thread; larger ones than this gain nothing. */
const CHUNK_BYTES = 256 * 1024;

import { randomUUID } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
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

/** Opens the file when the first bytes are wanted. The head goes out with the file's first bytes, and the tail with its last. */
function openBody(head: Buffer, file: MediaFile, tail: Buffer): Readable {
  let handle: FileHandle | undefined;
  let sent_bytes = 0;
  let reading: Promise<unknown> = Promise.resolve();

  async function readNext(): Promise<Buffer | null> {
    if (handle && sent_bytes === file.size_bytes) return null;
    const before = handle ? Buffer.alloc(0) : head;
    handle ??= await openStored(file);
    const wanted = Math.min(CHUNK_BYTES, file.size_bytes - sent_bytes);
    const after = sent_bytes + wanted === file.size_bytes ? tail : Buffer.alloc(0);
    const room = Buffer.allocUnsafe(before.length + wanted + after.length);
    before.copy(room);
    after.copy(room, before.length + wanted);
    await fill(handle, room.subarray(before.length, before.length + wanted), sent_bytes, file);
    sent_bytes += wanted;
    return room;
  }

  return new Readable({
    highWaterMark: CHUNK_BYTES,
    read() {
      reading = readNext().then(
        (chunk) => this.destroyed || this.push(chunk),
        (cause: unknown) => this.destroy(cause instanceof Error ? cause : new Error('unreadable', { cause })),
      );
    },
    destroy(error, done) {
      // It may just be opening.
      reading
        .then(() => handle?.close())
        .then(
          () => done(error),
          (cause: unknown) => done(error ?? (cause instanceof Error ? cause : null)),
        );
    },
  });
}

async function fill(handle: FileHandle, room: Buffer, position: number, file: MediaFile): Promise<void> {
  for (let filled = 0; filled < room.length;) {
    const { bytesRead } = await handle.read(room, filled, room.length - filled, position + filled);
    if (bytesRead === 0) throw new StoredFileError(`the stored file of ${file.filename} became shorter`);
    filled += bytesRead;
  }
}

/** Each read is a trip to another thread; larger ones than this gain nothing. */
const CHUNK_BYTES = 256 * 1024;

import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, read } from 'node:fs';
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

/**
 * Opens the file when the first bytes are wanted. The head goes out with the file's first bytes, and the tail with its last.
 * Opening and closing a file of a local disk takes less than asking another thread to do it; reading does not.
 */
function openBody(head: Buffer, file: MediaFile, tail: Buffer): Readable {
  let stored: number | undefined;
  let sent_bytes = 0;
  /** What is to be done when the disk has answered, once the body is not wanted any more. */
  let afterwards: (() => void) | undefined;
  let is_waiting = false;

  return new Readable({
    highWaterMark: CHUNK_BYTES,
    read() {
      const before = stored === undefined ? head : EMPTY;
      try {
        stored ??= openStored(file);
      } catch (cause) {
        this.destroy(toStoredFileError(cause, file));
        return;
      }
      is_waiting = true;
      readChunk(stored, before, (cause, chunk) => {
        is_waiting = false;
        if (afterwards) afterwards();
        else if (cause) this.destroy(cause);
        else this.push(chunk ?? null);
      });
    },
    destroy(error, done) {
      const end = (): void => {
        if (stored !== undefined) closeSync(stored);
        done(error);
      };
      if (is_waiting) afterwards = end;
      else end();
    },
  });

  function readChunk(opened: number, before: Buffer, done: Done<Buffer>): void {
    // An empty file has a head and a tail all the same.
    if (before.length === 0 && sent_bytes === file.size_bytes) return done(null);
    const wanted = Math.min(CHUNK_BYTES, file.size_bytes - sent_bytes);
    const after = sent_bytes + wanted === file.size_bytes ? tail : EMPTY;
    const chunk = Buffer.allocUnsafe(before.length + wanted + after.length);
    before.copy(chunk);
    after.copy(chunk, before.length + wanted);
    const room = chunk.subarray(before.length, before.length + wanted);
    fill(opened, room, sent_bytes, file, (cause) => {
      sent_bytes += wanted;
      done(cause, chunk);
    });
  }
}

type Done<T> = (cause: Error | null, value?: T) => void;

function openStored(file: MediaFile): number {
  const opened = openSync(file.path, 'r');
  const { size } = fstatSync(opened);
  if (size === file.size_bytes) return opened;
  closeSync(opened);
  throw new StoredFileError(
    `the stored file of ${file.filename} has ${size} bytes instead of ${file.size_bytes}`,
  );
}

function toStoredFileError(cause: unknown, file: MediaFile): StoredFileError {
  if (cause instanceof StoredFileError) return cause;
  return new StoredFileError(`the stored file of ${file.filename} could not be opened`, { cause });
}

function fill(opened: number, room: Buffer, position: number, file: MediaFile, done: Done<never>): void {
  read(opened, room, 0, room.length, position, (cause, filled) => {
    if (cause || filled === room.length) return done(cause);
    if (filled === 0) return done(new StoredFileError(`the stored file of ${file.filename} became shorter`));
    fill(opened, room.subarray(filled), position + filled, file, done);
  });
}

const EMPTY = Buffer.alloc(0);
/** Each read is a trip to another thread; larger ones than this gain nothing. */
const CHUNK_BYTES = 256 * 1024;

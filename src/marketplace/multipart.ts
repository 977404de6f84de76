import { randomUUID } from 'node:crypto';
import { close, fstat, open, read } from 'node:fs';
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

/** Opens the file when the first bytes are wanted. The head goes out with the file's first bytes, and the tail with its last. */
function openBody(head: Buffer, file: MediaFile, tail: Buffer): Readable {
  let stored: number | undefined;
  let sent_bytes = 0;
  /** What is to be done when the disk has answered, once the body is not wanted any more. */
  let afterwards: (() => void) | undefined;
  let is_waiting = false;

  return new Readable({
    highWaterMark: CHUNK_BYTES,
    read() {
      const settle = (cause: Error | null, chunk: Buffer | null = null): void => {
        is_waiting = false;
        if (afterwards) afterwards();
        else if (cause) this.destroy(cause);
        else this.push(chunk);
      };
      is_waiting = true;
      if (stored !== undefined) return readChunk(stored, EMPTY, settle);
      openStored(file, (cause, opened) => {
        stored = opened;
        if (cause || opened === undefined) settle(cause);
        else readChunk(opened, head, settle);
      });
    },
    destroy(error, done) {
      const end = (): void => {
        if (stored === undefined) done(error);
        else close(stored, (cause) => done(error ?? cause ?? null));
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

/** Also tells what it has opened when that is not what was stored: it has to be closed. */
function openStored(file: MediaFile, done: Done<number>): void {
  open(file.path, 'r', (cause, opened) => {
    if (cause)
      return done(new StoredFileError(`the stored file of ${file.filename} could not be opened`, { cause }));
    fstat(opened, (failed, { size }) => {
      if (failed || size === file.size_bytes) return done(failed, opened);
      const text = `the stored file of ${file.filename} has ${size} bytes instead of ${file.size_bytes}`;
      done(new StoredFileError(text), opened);
    });
  });
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

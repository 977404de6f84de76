import type { StagedFile } from './media.js';

/** Bytes kept under their SHA-256. */
export type Blob = { sha256: string; size_bytes: number };

/** Bytes to read. One of the two streams can be read, once; nothing is open before that, and leaving the loop early closes everything. */
export type OpenedBlob = {
  size_bytes: number;
  stream: AsyncIterable<Buffer>;
  /** The same bytes, read into `memory` again and again: each chunk (all full but the last) is valid until the next one is asked for. */
  streamThrough(memory: Buffer): AsyncIterable<Buffer>;
};

/**
 * Kept bytes: uploads, and files that were fetched for a listing. Each SHA-256 is 64 lower-case hexadecimal digits; an Error is
 * thrown for anything else. No path or address of the bytes leaves this port.
 */
export type Blobs = {
  /**
   * Moves a staged file here, under the hash that staging computed. Atomic and idempotent: the same bytes are kept once, and are
   * found again after a crash.
   */
  put(staged: StagedFile): Promise<Blob>;
  /** Undefined when there are no such bytes. */
  open(sha256: string): Promise<OpenedBlob | undefined>;
  /** Deletes bytes that were last put before the time; bytes that were put again since stay. True when they were deleted. */
  delete(sha256: string, put_before: Date): Promise<boolean>;
  /** SHA-256s of bytes that were last put before the time, in no order. */
  list(put_before: Date): Promise<string[]>;
};

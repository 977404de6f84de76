import type { StagedFile } from './media.js';

/** Bytes kept under their SHA-256. */
type Blob = { sha256: string; size_bytes: number };

/**
 * Nothing is held open until one of the streams is read, which can be done once; leaving it early lets go of everything. A stream that
 * ends without an error has given all bytes, and those of the hash: where they come over a network, the last piece is held back until
 * that is known. Reading throws BlobsError.
 */
export type OpenedBlob = {
  size_bytes: number;
  stream: AsyncIterable<Buffer>;
  /**
   * The same bytes, read into `memory` again and again: each chunk (all full but the last) is valid until the next one is asked for.
   * New memory for each chunk has V8 look through its whole heap again and again, which test/bench/rows/publishing_cpu.mjs shows.
   */
  streamThrough(memory: Buffer): AsyncIterable<Buffer>;
};

/**
 * Why the place of kept bytes did not do what it was asked, after as many tries as make sense. `REFUSED`: its key or its rights are
 * wrong; `MISSING`: there is no such place; `UNAVAILABLE`: it does not answer, or asks for a pause; `DAMAGED`: bytes are not those
 * that were kept.
 */
type BlobsFailure = 'BLOBS_REFUSED' | 'BLOBS_MISSING' | 'BLOBS_UNAVAILABLE' | 'BLOBS_DAMAGED';

/** The message is a sentence for the operator, which names the place. */
export class BlobsError extends Error {
  override readonly name = 'BlobsError';
  readonly code: BlobsFailure;

  constructor(code: BlobsFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Kept bytes: uploads, and what was fetched for a listing. Each SHA-256 is 64 lower-case hexadecimal digits; an Error is thrown for
 * anything else. Where the bytes lie is known to no caller. A place beyond this computer throws BlobsError where it fails; a folder,
 * the errors of the operating system.
 */
export type Blobs = {
  /**
   * Keeps a staged file, which is gone then, under the hash that staging has found. Atomic and idempotent: the same bytes count once,
   * and are found again after a crash.
   */
  put(staged: StagedFile): Promise<Blob>;
  /** Undefined when there are no such bytes. */
  open(sha256: string): Promise<OpenedBlob | undefined>;
  /** Deletes bytes that were last put before the time; bytes that were put again since stay. True when they were deleted. */
  delete(sha256: string, put_before: Date): Promise<boolean>;
  /** SHA-256s of bytes that were last put before the time, in no order. */
  list(put_before: Date): Promise<string[]>;
};

import type { StagedFile } from './media.js';

/** Stored bytes, by their SHA-256. */
type Blob = { sha256: string; size_bytes: number };

/**
 * Opens nothing until one of the streams is read, which can be done once; leaving a stream early releases
 * everything. A stream that ends without an error has returned all bytes, and they match the hash: for bytes
 * from a network, the last piece is held back until that is known. Reading throws BlobsError.
 */
export type OpenedBlob = {
  size_bytes: number;
  stream: AsyncIterable<Buffer>;
  /**
   * The same bytes, read into `memory` again and again: each chunk (all full but the last) is valid until the
   * next one is requested. New memory for each chunk would make V8 scan its whole heap over and over, as
   * test/bench/rows/publishing_cpu.mjs shows.
   */
  streamThrough(memory: Buffer): AsyncIterable<Buffer>;
};

/**
 * Why the blob storage failed, after as many tries as make sense. `REFUSED`: its key or its rights are wrong;
 * `MISSING`: the storage does not exist; `UNAVAILABLE`: it does not answer, or asks for a pause; `DAMAGED`:
 * the bytes differ from those that were stored.
 */
type BlobsFailure = 'BLOBS_REFUSED' | 'BLOBS_MISSING' | 'BLOBS_UNAVAILABLE' | 'BLOBS_DAMAGED';

/** The message is a sentence for the operator that names the storage. */
export class BlobsError extends Error {
  override readonly name = 'BlobsError';
  readonly code: BlobsFailure;

  constructor(code: BlobsFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Stored bytes: uploads, and files fetched for a listing. Each SHA-256 is 64 lower-case hexadecimal digits;
 * anything else throws an Error. No caller knows where the bytes are stored. Remote storage throws BlobsError
 * if it fails; a folder throws the errors of the operating system.
 */
export type Blobs = {
  /**
   * Moves a staged file into the storage, under the hash that staging computed. Atomic and idempotent: the
   * same bytes count once, and are found again after a crash.
   */
  put(staged: StagedFile): Promise<Blob>;
  /** Undefined when there are no such bytes. */
  open(sha256: string): Promise<OpenedBlob | undefined>;
  /**
   * Deletes bytes that were last put before the time; keeps bytes that were put again since. True if it
   * deleted them.
   */
  delete(sha256: string, put_before: Date): Promise<boolean>;
  /** SHA-256s of bytes that were last put before the time, in no order. */
  list(put_before: Date): Promise<string[]>;
};

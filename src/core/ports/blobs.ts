import type { StagedFile } from './media.js';

/** Bytes kept under their SHA-256. */
export type Blob = { sha256: string; size_bytes: number };

/** Nothing is held open until one of the streams is read, which can be done once; leaving it early lets go of everything. */
export type OpenedBlob = {
  size_bytes: number;
  stream: AsyncIterable<Buffer>;
  /** The same in one piece of memory, which every piece but the last fills: each is gone when the next one is asked for. */
  streamThrough(memory: Buffer): AsyncIterable<Buffer>;
};

/**
 * Kept bytes: uploads, and what was fetched for a listing. Each SHA-256 is 64 lower-case hexadecimal digits; an Error is thrown for
 * anything else. Where the bytes lie is known to no caller.
 */
export type Blobs = {
  /**
   * Keeps a staged file, which is gone then, under the hash that staging has found. Atomic and idempotent: the same bytes are kept once,
   * and found again after a crash.
   */
  put(staged: StagedFile): Promise<Blob>;
  /** Undefined when there are no such bytes. */
  open(sha256: string): Promise<OpenedBlob | undefined>;
  /** Only if they were last put before the time: bytes that came again meanwhile stay. True when they went. */
  delete(sha256: string, put_before: Date): Promise<boolean>;
  /** Those that were last put before a time, in no order. */
  list(put_before: Date): Promise<string[]>;
};

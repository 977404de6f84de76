import type { Readable } from 'node:stream';

/** Why a file could not be had, as far as a caller may know: classes, not what a port answered. `status_404` and the like for answers. */
export type MediaFailure =
  | 'invalid_url'
  | 'blocked_address'
  | 'dns'
  | 'connect'
  | 'timeout'
  | 'too_slow'
  | 'too_large'
  | 'too_many_redirects'
  | 'unsupported_encoding'
  | 'empty'
  | 'truncated'
  | `status_${number}`;

export class MediaError extends Error {
  override readonly name = 'MediaError';
  readonly failure: MediaFailure;

  constructor(failure: MediaFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.failure = failure;
  }
}

/** Bytes on disk that belong to nobody yet: commit them or discard them. */
export type StagedFile = { path: string; sha256: string; size_bytes: number };

/** Bytes kept under their SHA-256. */
export type Blob = { sha256: string; size_bytes: number };

/** What the bytes are, told by the bytes. Null content_type: nothing we know. */
export type MediaIdentity = {
  content_type: string | null;
  /** Lower case, without the dot; null with content_type. */
  extension: string | null;
  /** Images only, from the header. */
  width: number | null;
  height: number | null;
  /** MP4 and MOV only; null when the boxes cannot be read. */
  video: { duration_seconds: number; has_sound: boolean; width: number | null; height: number | null } | null;
};

/** Fetching, staging and keeping files. */
export type Media = {
  /** Downloads a caller's URL through the guarded connect. Throws MediaError; the partial file is gone then. */
  fetchFile(
    url: string,
    options: { limit_bytes: number; deadline_ms: number; signal?: AbortSignal },
  ): Promise<StagedFile>;
  /** Streams to disk while counting and hashing. Throws MediaError too_large or empty; the partial file is gone then. */
  stage(stream: Readable, options: { limit_bytes: number }): Promise<StagedFile>;
  /** Copies a local file in, as stage does. */
  stageLocal(path: string, options: { limit_bytes: number }): Promise<StagedFile>;
  identify(path: string): Promise<MediaIdentity>;
  /** Moves staged bytes to their hash's place (idempotent: the same bytes are stored once, and found again after a crash). */
  commit(staged: StagedFile): Promise<Blob>;
  discard(staged: StagedFile): Promise<void>;
  /** Where the bytes are, or undefined when they are gone. */
  findBlobPath(sha256: string): Promise<string | undefined>;
  deleteBlob(sha256: string): Promise<void>;
  /** Throws MediaError invalid_url or blocked_address for a URL that must never be connected to; resolves no names. */
  checkUrl(url: string, purpose: 'media' | 'webhook'): URL;
};

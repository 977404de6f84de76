import type { FileProblem } from '../../../schemas/issue.js';
import type { FetchFailure } from '../../../schemas/issues/files.js';

/**
 * Why a file could not be fetched or read, in as much detail as a caller may know: a class, never another
 * server's text. `status_404` and the like are HTTP statuses.
 */
export type MediaFailure = Exclude<FetchFailure, 'space_in_url' | object> | `status_${number}`;

export class MediaError extends Error {
  override readonly name = 'MediaError';
  readonly failure: MediaFailure;

  constructor(failure: MediaFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.failure = failure;
  }
}

/** A temporary file: its receiver stores its bytes (see Blobs) or discards it. */
export type StagedFile = { path: string; sha256: string; size_bytes: number };

/** A file's type, judged only by its bytes. `content_type` null: an unknown type. */
export type MediaIdentity = {
  content_type: string | null;
  /** Lower case, without the dot; null if content_type is. */
  extension: string | null;
  /** Images only, from the header. */
  width: number | null;
  height: number | null;
  /** Images only: by its header, a photo may have transparent parts. */
  may_be_transparent: boolean;
  /** MP4 and MOV only; null if the boxes cannot be read. */
  video: { duration_seconds: number; has_sound: boolean; width: number | null; height: number | null } | null;
};

/** Whether the bytes may be sold as a digital file; the reason is a sentence for the caller. */
export type DigitalIdentity =
  { is_allowed: true; content_type: string; extension: string } | { is_allowed: false; problem: FileProblem };

/** The API's limit for each image, video and digital file. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** Pixels of the largest image that is accepted. */
export const MAX_IMAGE_PIXELS = 100_000_000;

/**
 * Why a photo could not be converted to JPEG: there is no image library, the photo has too many pixels, or it
 * is damaged or takes too long.
 */
export type PhotoProblem = 'no_library' | 'too_large' | 'unreadable';

/**
 * A JPEG made from another file, which stays; size in pixels. `is_transparent`: parts of the other file were
 * transparent and are now white; `is_animated`: it had more than one frame.
 */
export type TurnedPhoto = {
  staged: StagedFile;
  width: number;
  height: number;
  is_transparent: boolean;
  is_animated: boolean;
};

/** In pixels; narrower images are not enlarged. */
export const THUMBNAIL_WIDTHS = [160, 480, 960] as const;
export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number];

/**
 * Who named a URL. A URL from the marketplace's answers may be on the marketplace's own origins even if they
 * are on a network that is not public (the sandbox); all other rules are the same.
 */
export type NamedBy = 'caller' | 'marketplace';

/** Stored bytes, or an image at a URL. */
export type ThumbnailSource = { sha256: string } | { url: string; named_by: NamedBy };

export type Thumbnail = { bytes: Buffer; content_type: 'image/webp' };

/** Fetches, stages and inspects files. */
export type Media = {
  /**
   * Downloads through the guarded connect. Throws MediaError after it deleted the partial file.
   * @param options `owner`: who it is for, since one owner may not take all slots; the deadline counts from
   * when a slot is free
   */
  fetchFile(
    url: string,
    options: {
      named_by: NamedBy;
      owner: string;
      limit_bytes: number;
      deadline_ms: number;
      signal?: AbortSignal;
    },
  ): Promise<StagedFile>;
  /**
   * Downloads a small text from an https URL, through the same guarded connect, but never from an address
   * that is not public. Follows no redirect and accepts only a 2xx other than 206. A few run at a time; the
   * deadline counts from the start. Throws MediaError.
   */
  fetchDocument(
    url: string,
    options: { limit_bytes: number; deadline_ms: number },
  ): Promise<{ text: string; max_age_seconds: number | undefined }>;
  /**
   * Streams to a temporary file while counting and hashing. Throws MediaError too_large, empty, or truncated
   * (the stream broke), after it deleted the partial file and closed the stream. Like every method here that
   * writes, it throws a disk-full error if the file would leave too little free disk space.
   * @param options `expected_bytes`: the most that will come, if known
   */
  stage(
    stream: AsyncIterable<unknown>,
    options: { limit_bytes: number; expected_bytes?: number },
  ): Promise<StagedFile>;
  identify(path: string): Promise<MediaIdentity>;
  /**
   * For digital files: the marketplace must accept the name's extension, and the bytes must be of that type.
   */
  identifyDigital(path: string, filename: string): Promise<DigitalIdentity>;
  /**
   * Removes the location where a photo or video was taken from a JPEG or PNG (EXIF GPS, XMP, IPTC, images and
   * clips after the end), a GIF (XMP, comments) and an MP4 or MOV (user data, metadata, tracks of positions);
   * leaves the compressed pixels and the orientation unchanged. Returns the same file if there is nothing to
   * remove or the type is another, otherwise a new one in its place. Throws MediaError unreadable.
   */
  stripLocation(staged: StagedFile, content_type: string): Promise<StagedFile>;
  /**
   * Converts a photo to JPEG: upright, without metadata except its color profile, transparent parts on white,
   * the first frame of an animation. The file itself stays. Throws MediaError busy if it does not get its
   * turn in time.
   * @param options `owner`: who it is for, since owners take turns; `max_side`: in pixels; a larger photo is
   * scaled down
   */
  turnPhoto(
    staged: StagedFile,
    options: { owner: string; content_type: string; max_side?: number | undefined },
  ): Promise<TurnedPhoto | { problem: PhotoProblem }>;
  /** `fetches`: downloads in progress. */
  getFigures(): { fetches: number };
  discard(staged: StagedFile): Promise<void>;
  /**
   * Removes temporary files that were staged before a time and neither stored nor discarded, as after a
   * crash. Returns the number.
   */
  sweepStaging(staged_before: Date): Promise<number>;
  /**
   * A small image, upright and without metadata, made now or earlier. Undefined if the bytes are gone, cannot
   * be fetched or are not an image, or if this platform has no image library.
   */
  findThumbnail(source: ThumbnailSource, width: ThumbnailWidth): Promise<Thumbnail | undefined>;
  /** Removes the thumbnails of bytes that are no longer stored. */
  removeThumbnails(sha256: string): Promise<void>;
  /**
   * Removes thumbnails made before a time; they are made again on request. Returns the number of files
   * removed.
   */
  sweepThumbnails(made_before: Date): Promise<number>;
  /**
   * Throws MediaError invalid_url or blocked_address for a URL that must never be connected to. Resolves no
   * names: if a setting allows private CIDRs, a local name or an unusual port passes here, because its
   * addresses may turn out to be allowed, and the guarded connect decides; without such a setting it is
   * refused at once.
   */
  checkUrl(url: string, purpose: 'media' | 'webhook'): URL;
};

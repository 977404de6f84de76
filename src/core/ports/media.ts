import type { FileProblem } from '../../../schemas/issue.js';
import type { FetchFailure } from '../../../schemas/issues/files.js';

/**
 * Why a file could not be fetched or read, as far as a caller may know: a class, never the words of another server. `status_404` and
 * the like are HTTP answers.
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

/** A temporary file: its receiver keeps its bytes (see Blobs) or discards it. */
export type StagedFile = { path: string; sha256: string; size_bytes: number };

/** A file's type, by its bytes alone. Null content_type: an unknown type. */
export type MediaIdentity = {
  content_type: string | null;
  /** Lower case, without the dot; null with content_type. */
  extension: string | null;
  /** Images only, from the header. */
  width: number | null;
  height: number | null;
  /** Images only: by its header, a photo may have transparent parts. */
  may_be_transparent: boolean;
  /** MP4 and MOV only; null when the boxes cannot be read. */
  video: { duration_seconds: number; has_sound: boolean; width: number | null; height: number | null } | null;
};

/** Whether bytes may be sold as a digital file; the reason is a sentence for the caller. */
export type DigitalIdentity =
  { is_allowed: true; content_type: string; extension: string } | { is_allowed: false; problem: FileProblem };

/** The interface's limit for each image, video and digital file. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** Pixels of the largest picture that is accepted. */
export const MAX_IMAGE_PIXELS = 100_000_000;

/** Why a photo could not be converted to JPEG: no library for it, too many pixels, or it is damaged or takes too long. */
export type PhotoProblem = 'no_library' | 'too_large' | 'unreadable';

/**
 * A JPEG made of another file, which stays; size in pixels. `is_transparent`: parts of the other file were, and are white now;
 * `is_animated`: it had more frames than the first.
 */
export type TurnedPhoto = {
  staged: StagedFile;
  width: number;
  height: number;
  is_transparent: boolean;
  is_animated: boolean;
};

/** In pixels; a narrower picture is not widened. */
export const THUMBNAIL_WIDTHS = [160, 480, 960] as const;
export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number];

/**
 * Who named a URL. One from the marketplace's answers may be on the marketplace's own origins even when they are on a network that
 * is not public (the sandbox); all other rules are the same.
 */
export type NamedBy = 'caller' | 'marketplace';

/** Kept bytes, or a picture elsewhere. */
export type ThumbnailSource = { sha256: string } | { url: string; named_by: NamedBy };

export type Thumbnail = { bytes: Buffer; content_type: 'image/webp' };

/** Fetching, staging and looking at files. */
export type Media = {
  /**
   * Downloads through the guarded connect. Throws MediaError; the partial file is gone then.
   * @param options `owner`: for whom it is, since one owner may not take all places; the deadline counts from when a place is free
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
   * Downloads a small text from an https URL, through the same guarded connect, but never from an address that is not public.
   * Follows no redirect and takes no other answer than a 2xx, nor a 206. A few run at a time; the deadline counts from the start. Throws MediaError.
   */
  fetchDocument(
    url: string,
    options: { limit_bytes: number; deadline_ms: number },
  ): Promise<{ text: string; max_age_seconds: number | undefined }>;
  /**
   * Streams to a temporary file while counting and hashing. Throws MediaError too_large, empty, or truncated (the stream broke);
   * the partial file is deleted and the stream closed then. As every writing method here, it throws a disk-full error when the
   * file would leave too little of the disk free.
   * @param options `expected_bytes`: the most that will come, where it is known
   */
  stage(
    stream: AsyncIterable<unknown>,
    options: { limit_bytes: number; expected_bytes?: number },
  ): Promise<StagedFile>;
  identify(path: string): Promise<MediaIdentity>;
  /** For digital files: the name's extension must be one the marketplace takes, and the bytes must be of that type. */
  identifyDigital(path: string, filename: string): Promise<DigitalIdentity>;
  /**
   * Removes the place where a photo or film was taken from a JPEG or PNG (EXIF GPS, XMP, IPTC, pictures and clips behind the end),
   * a GIF (XMP, comments) and an MP4 or MOV (user data, metadata, tracks of positions); the compressed pixels and the orientation
   * stay as they are. Answers the same file when there is nothing to remove or the type is another, else a new one in its place.
   * Throws MediaError unreadable.
   */
  stripLocation(staged: StagedFile, content_type: string): Promise<StagedFile>;
  /**
   * Converts a photo to JPEG: upright, without metadata except its colour profile, transparent parts on white, the first frame of an
   * animation. The file itself stays. Throws MediaError busy if it does not get its turn in time.
   * @param options `owner`: for whom it is, since owners take turns; `max_side`: in pixels; a larger photo is scaled
   */
  turnPhoto(
    staged: StagedFile,
    options: { owner: string; content_type: string; max_side?: number | undefined },
  ): Promise<TurnedPhoto | { problem: PhotoProblem }>;
  /** `fetches`: downloads that run now. */
  getFigures(): { fetches: number };
  discard(staged: StagedFile): Promise<void>;
  /** Removes temporary files that were staged before a time and neither kept nor discarded, as after a crash. Answers how many. */
  sweepStaging(staged_before: Date): Promise<number>;
  /**
   * A small picture, upright and without metadata, made now or before. Undefined when the bytes are gone, cannot be fetched or are
   * no picture, or this platform has no library for pictures.
   */
  findThumbnail(source: ThumbnailSource, width: ThumbnailWidth): Promise<Thumbnail | undefined>;
  /** Removes the thumbnails of bytes that are kept no longer. */
  removeThumbnails(sha256: string): Promise<void>;
  /** Removes thumbnails made before a time, which are made again when asked for. Answers how many files went. */
  sweepThumbnails(made_before: Date): Promise<number>;
  /**
   * Throws MediaError invalid_url or blocked_address for a URL that must never be connected to. Resolves no names: where a setting
   * allows private CIDRs, a local name or an unusual port passes here, because its addresses may turn out to be allowed, and the
   * guarded connect decides; without such a setting it is refused at once.
   */
  checkUrl(url: string, purpose: 'media' | 'webhook'): URL;
};

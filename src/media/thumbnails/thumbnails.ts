import { createHash } from 'node:crypto';
import pLimit, { type LimitFunction } from 'p-limit';
import {
  MAX_FILE_BYTES,
  type Media,
  MediaError,
  type StagedFile,
  type Thumbnail,
  type ThumbnailSource,
  type ThumbnailWidth,
} from '../../core/ports/media.js';
import { withFileReader } from '../identify/file_reader.js';
import { findType } from '../identify/identify.js';
import { discardStaged } from '../staging.js';
import { createThumbnailFolder } from './folder.js';
import { renderThumbnails } from './render.js';

type ThumbnailsOptions = {
  /** Lets one picture be decoded at a time. */
  decodeLimit: LimitFunction;
  thumbnail_dir: string;
  /** The approximate size limit of the folder. */
  limit_bytes: number;
  /**
   * A copy of stored bytes, because the image library reads a file, several times. Undefined if they are
   * gone.
   */
  stageBlob: (sha256: string) => Promise<StagedFile | undefined>;
  fetchFile: Media['fetchFile'];
  turnPhoto: Media['turnPhoto'];
};

type Thumbnails = {
  find(source: ThumbnailSource, width: ThumbnailWidth): Promise<Thumbnail | undefined>;
  /** Removes the thumbnails of bytes that are no longer stored. */
  remove(sha256: string): Promise<void>;
  sweep(made_before: Date): Promise<number>;
};

/**
 * Pictures are made in all widths at the first request, once for all concurrent requests, and kept in a
 * folder.
 */
export function createThumbnails(options: ThumbnailsOptions): Thumbnails {
  const folder = createThumbnailFolder(options.thumbnail_dir, options.limit_bytes);
  const fetching = pLimit(MAX_FETCHES);
  const making = new Map<string, Promise<void>>();
  const hopeless = createHopeless();

  async function make(key: string, source: ThumbnailSource): Promise<void> {
    try {
      const isMade =
        'url' in source ? await fetching(() => makeOfUrl(key, source)) : await makeOfBlob(key, source.sha256);
      if (!isMade) hopeless.add(key);
    } catch (cause) {
      // A shortage of places says nothing about the picture: the next request may get it.
      if (!(cause instanceof MediaError) || cause.failure !== 'busy') throw cause;
    }
  }

  async function makeOfBlob(key: string, sha256: string): Promise<boolean> {
    const staged = await options.stageBlob(sha256);
    return staged !== undefined && (await render(key, staged));
  }

  async function makeOfUrl(
    key: string,
    { url, named_by }: Extract<ThumbnailSource, { url: string }>,
  ): Promise<boolean> {
    let staged: StagedFile;
    try {
      staged = await options.fetchFile(url, {
        named_by,
        owner: OWNER,
        limit_bytes: MAX_FILE_BYTES,
        deadline_ms: FETCH_DEADLINE_MS,
      });
    } catch (cause) {
      if (cause instanceof MediaError && cause.failure !== 'busy') return false;
      throw cause;
    }
    return await render(key, staged);
  }

  async function render(key: string, staged: StagedFile): Promise<boolean> {
    let plain = staged;
    try {
      const turned = await turnIfHeavy(staged);
      if (turned === undefined) return false;
      plain = turned;
      const rendered = await options.decodeLimit(() => renderThumbnails(plain.path));
      if (rendered) await folder.write(key, rendered);
      return rendered !== undefined;
    } finally {
      await discardStaged(staged);
      if (plain !== staged) await discardStaged(plain);
    }
  }

  /** Formats that take much memory, or an unknown amount, are decoded where photos are converted. */
  async function turnIfHeavy(staged: StagedFile): Promise<StagedFile | undefined> {
    const content_type = (await withFileReader(staged.path, findType))?.content_type ?? '';
    if (LIGHT_TYPES.has(content_type)) return staged;
    if (!content_type.startsWith('image/')) return undefined;
    const turned = await options.turnPhoto(staged, { owner: OWNER, content_type, max_side: MAX_SIDE });
    return 'problem' in turned ? undefined : turned.staged;
  }

  return {
    async find(source, width) {
      const key = toKey(source);
      const before = await folder.read(key, width);
      if (before) return toThumbnail(before);
      if (hopeless.has(key)) return undefined;
      let made = making.get(key);
      if (!made) {
        made = make(key, source).finally(() => making.delete(key));
        making.set(key, made);
      }
      await made;
      const bytes = await folder.read(key, width);
      return bytes && toThumbnail(bytes);
    },
    remove: (sha256) => folder.remove(toKey({ sha256 })),
    sweep: (made_before) => folder.sweep(made_before),
  };
}

/** Remembers failures for a while, so that not every page view tries again. */
function createHopeless(): { add: (key: string) => void; has: (key: string) => boolean } {
  const until_ms = new Map<string, number>();
  return {
    add(key) {
      until_ms.delete(key);
      until_ms.set(key, performance.now() + HOPELESS_MS);
      const [oldest] = until_ms.keys();
      if (until_ms.size > MAX_HOPELESS && oldest !== undefined) until_ms.delete(oldest);
    },
    has: (key) => (until_ms.get(key) ?? 0) > performance.now(),
  };
}

function toKey(source: ThumbnailSource): string {
  if ('sha256' in source) return source.sha256;
  const { url, named_by } = source;
  // An address that is forbidden to a caller may be allowed to the marketplace, so the two are remembered
  // separately.
  return `url-${createHash('sha256').update(`${named_by} ${url}`).digest('hex')}`;
}

function toThumbnail(bytes: Buffer): Thumbnail {
  return { bytes, content_type: 'image/webp' };
}

const OWNER = 'thumbnails';
const LIGHT_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif']);
/** The height of the largest thumbnail. */
const MAX_SIDE = 2_880;
const MAX_FETCHES = 4;
const FETCH_DEADLINE_MS = 30_000;
const HOPELESS_MS = 10 * 60 * 1000;
const MAX_HOPELESS = 1_000;

import pLimit from 'p-limit';
import type { Blobs, Media } from '../core/ports/index.js';
import { createDiskSpace } from './disk_space.js';
import { fetchDocument } from './fetching/fetch_document.js';
import { fetchFile } from './fetching/fetch_file.js';
import { createProxiedDispatcher } from './fetching/proxied_dispatcher.js';
import { createGuardedDispatcher, type GuardedDispatcherOptions } from './fetching/guarded_dispatcher.js';
import { identify } from './identify/identify.js';
import { identifyDigital } from './identify/identify_digital.js';
import { createPlaces } from './places.js';
import { discardStaged, stageSource, sweepStaging } from './staging.js';
import { turnPhoto } from './photos/turn_photo.js';
import { stripLocation } from './location/strip_location.js';
import { createThumbnails } from './thumbnails/thumbnails.js';

export {
  createGuardedDispatcher,
  type GuardedDispatcherOptions,
  type PoolRequest,
} from './fetching/guarded_dispatcher.js';
export { getSpareBytes } from './disk_space.js';
export { fetchDocument } from './fetching/fetch_document.js';
export { createProxiedDispatcher } from './fetching/proxied_dispatcher.js';
export type { Lookup } from './fetching/lookup.js';

export type MediaOptions = GuardedDispatcherOptions & {
  /** Stored bytes, to make thumbnails from. */
  blobs: Pick<Blobs, 'open'>;
  /**
   * Folder of files that no upload or listing refers to yet. Nothing else may be in it: sweepStaging removes
   * old files.
   */
  staging_dir: string;
  /** Thumbnails of stored and foreign pictures; may be emptied at any time. */
  thumbnail_dir: string;
  /** Approximate number of bytes that all thumbnails may take; by default 200 MB. */
  thumbnail_limit_bytes?: number;
  user_agent: string;
  /**
   * Origins of the marketplace itself, such as http://127.0.0.1:4610, if the operator has set it or it runs
   * in this process. By default none.
   */
  getMarketplaceOrigins?: () => Promise<readonly string[]>;
  /**
   * The proxy for an address that the marketplace named; undefined for one that is not known to be the
   * marketplace's own, or that is reached directly. By default there is none.
   */
  findMarketplaceProxy?: (address: string) => string | undefined;
  /**
   * How documents about clients are reached, if differently: for tests, whose documents are on this computer.
   */
  documents?: Partial<GuardedDispatcherOptions> | undefined;
  /** Bytes that files leave free on the disk; by default 100 MB, or a tenth of a small disk. */
  min_free_bytes?: number | undefined;
  /** How many files are fetched at a time; by default 16. */
  max_fetches?: number;
  /** How long to wait for one of them to finish; by default 20 s. */
  fetch_patience_ms?: number;
  /**
   * A download below this rate in any window after its first byte fails as too_slow; by default 10,000 bytes
   * in 10 s.
   */
  minimum_rate?: { size_bytes: number; window_ms: number };
};

const DOCUMENTS_AT_ONCE = 8;
/** Longer than the photos of a whole listing take. */
const PHOTO_PATIENCE_MS = 120_000;
/** More than all photos of a listing. */
const MAX_WAITING_PHOTOS = 30;

/**
 * Allows an origin that the operator has chosen; addresses that are never reached (see address_policy.ts)
 * stay forbidden.
 */
const EVERYWHERE = ['0.0.0.0/0', '::/0'];

/**
 * Folders are created, accessible only to the owner, when first needed. Throws an Error that quotes a CIDR it
 * cannot read.
 */
export function createMedia(options: MediaOptions): Media {
  const { staging_dir, user_agent } = options;
  const dispatcher = createGuardedDispatcher(options);
  const marketplace = {
    getOrigins: options.getMarketplaceOrigins ?? (() => Promise.resolve([])),
    dispatcher: createGuardedDispatcher({ ...options, egress_allow_cidrs: EVERYWHERE }),
    findProxied: (url: URL) => {
      const proxy = options.findMarketplaceProxy?.(url.href);
      return proxy === undefined ? undefined : createProxiedDispatcher(dispatcher, proxy, options.ca);
    },
  };
  // A request without credentials can cause a document to be fetched: such fetches reach none of the
  // operator's exempt networks, and have a lane of their own.
  const document_dispatcher = createGuardedDispatcher({
    ...options,
    egress_allow_cidrs: [],
    ...options.documents,
  });
  const documentLimit = pLimit(DOCUMENTS_AT_ONCE);
  const minimum_rate = options.minimum_rate ?? { size_bytes: 10_000, window_ms: 10_000 };

  const disk = createDiskSpace(options.min_free_bytes);
  const places = createPlaces({
    places: options.max_fetches ?? 16,
    patience_ms: options.fetch_patience_ms,
    busy: 'The service fetches as many files as it may at a time.',
  });

  const fetch: Media['fetchFile'] = (url, { owner, ...limits }) =>
    places.run(
      owner,
      () => fetchFile({ dispatcher, marketplace, staging_dir, disk, user_agent, minimum_rate }, url, limits),
      limits.signal,
    );
  // Converting a photo may take a gigabyte and half a minute, so an account converts one at a time.
  const photos = createPlaces({
    places: 2,
    patience_ms: PHOTO_PATIENCE_MS,
    max_waiting: MAX_WAITING_PHOTOS,
    busy: 'The service converts as many photos as it may at a time.',
  });
  const turn: Media['turnPhoto'] = (staged, { owner, ...how }) =>
    photos.run(owner, () => turnPhoto(staged, how, { staging_dir, disk }));
  // One at a time: decoding a picture of 100 megapixels may take several hundred megabytes.
  const decodeLimit = pLimit(1);
  const thumbnails = createThumbnails({
    decodeLimit,
    turnPhoto: turn,
    thumbnail_dir: options.thumbnail_dir,
    limit_bytes: options.thumbnail_limit_bytes ?? 200_000_000,
    stageBlob: async (sha256) => {
      const blob = await options.blobs.open(sha256);
      return blob && stageSource(blob.stream, { staging_dir, disk, limit_bytes: blob.size_bytes });
    },
    fetchFile: fetch,
  });

  return {
    fetchFile: fetch,
    fetchDocument: (url, limits) =>
      documentLimit(() => fetchDocument({ dispatcher: document_dispatcher, user_agent }, url, limits)),
    stage: (stream, limits) => stageSource(stream, { staging_dir, disk, ...limits }),
    identify,
    identifyDigital,
    stripLocation: (staged, content_type) => stripLocation(staged, content_type, { staging_dir, disk }),
    turnPhoto: turn,
    getFigures: () => ({ fetches: places.count() }),
    discard: discardStaged,
    sweepStaging: (staged_before) => sweepStaging(staging_dir, staged_before),
    findThumbnail: thumbnails.find,
    removeThumbnails: thumbnails.remove,
    sweepThumbnails: thumbnails.sweep,
    checkUrl: dispatcher.checkUrl,
  };
}

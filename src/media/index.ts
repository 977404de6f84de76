import type { Media } from '../core/ports/media.js';
import { createBlobFolder } from './blobs.js';
import { fetchFile } from './fetch_file.js';
import { createGuardedDispatcher, type GuardedDispatcherOptions } from './guarded_dispatcher.js';
import { identify } from './identify.js';
import { identifyDigital } from './identify_digital.js';
import { discardStaged, stageLocalFile, stageSource, sweepStaging } from './staging.js';
import { stripLocation } from './strip_location.js';

export {
  createGuardedDispatcher,
  type GuardedDispatcher,
  type GuardedDispatcherOptions,
} from './guarded_dispatcher.js';
export type { Lookup, ResolvedAddress } from './guarded_connect.js';

export type MediaOptions = GuardedDispatcherOptions & {
  /** Kept bytes, by their hash. On the same file system as staging_dir, since committing is a rename. */
  blob_dir: string;
  /** Files that belong to nobody yet. Nothing else may live in it: sweepStaging removes what is old. */
  staging_dir: string;
  user_agent: string;
  /** A download below this in any window after its first byte ends as too_slow; by default 10,000 bytes in 10 s. */
  minimum_rate?: { size_bytes: number; window_ms: number };
};

/** Folders are made, for the owner alone, when first needed. Throws an Error that quotes a CIDR it cannot read. */
export function createMedia(options: MediaOptions): Media {
  const { staging_dir, user_agent } = options;
  const dispatcher = createGuardedDispatcher(options);
  const blobs = createBlobFolder(options.blob_dir);
  const minimum_rate = options.minimum_rate ?? { size_bytes: 10_000, window_ms: 10_000 };

  return {
    fetchFile: (url, limits) => fetchFile({ dispatcher, staging_dir, user_agent, minimum_rate }, url, limits),
    stage: (stream, { limit_bytes }) => stageSource(stream, { staging_dir, limit_bytes }),
    stageLocal: (path, { limit_bytes }) => stageLocalFile(path, { staging_dir, limit_bytes }),
    identify,
    identifyDigital,
    stripLocation: (staged, content_type) => stripLocation(staged, content_type, staging_dir),
    commit: blobs.commit,
    discard: discardStaged,
    findBlobPath: blobs.findPath,
    deleteBlob: blobs.delete,
    listBlobs: blobs.list,
    sweepStaging: (staged_before) => sweepStaging(staging_dir, staged_before),
    checkUrl: dispatcher.checkUrl,
  };
}

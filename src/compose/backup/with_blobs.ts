import { resolve } from 'node:path';
import type { Config } from '../../config.js';
import type { Blobs } from '../../core/ports/index.js';
import { readFirstAccount } from '../../store/index.js';
import { readPackage } from '../../version.js';
import { systemClock } from '../../world/clock.js';
import { createLog } from '../../world/log.js';
import { systemRandomness } from '../../world/randomness.js';
import { openBlobs } from '../blobs.js';

/** Passes the blob store of a data folder to `work`, wherever it is. */
export async function withBlobs<T>(config: Config, work: (blobs: Blobs) => Promise<T>): Promise<T> {
  const world = {
    user_agent: `marketplace-listing-service/${readPackage().version}`,
    clock: systemClock,
    randomness: systemRandomness,
    log: createLog(config.log_level),
  };
  const opened = await openBlobs(config, world, {
    getDefaultAccount: () => readFirstAccount(resolve(config.data_dir)),
    namesFiles: async () => false,
    keepBlobFolder: (folder_id: string) => Promise.resolve(folder_id),
  });
  try {
    return await work(opened.blobs);
  } finally {
    await opened.close();
  }
}

import type { Config } from '../config.js';
import { rotateMasterKey as rotate } from '../store/index.js';
import { systemClock } from '../world/clock.js';
import { randomIds } from '../world/ids.js';
import { createLog } from '../world/log.js';
import { systemRandomness } from '../world/randomness.js';

/** Rotates to a new random master key; see rotateMasterKey of the store. */
export function rotateMasterKey({
  data_dir,
  database_url,
  master_key,
  log_level,
}: Pick<Config, 'data_dir' | 'database_url' | 'master_key' | 'log_level'>): ReturnType<typeof rotate> {
  return rotate({
    data_dir,
    database_url,
    master_key,
    rotation_id: randomIds.build('rotation_'),
    clock: systemClock,
    log: createLog(log_level),
    randomness: systemRandomness,
  });
}

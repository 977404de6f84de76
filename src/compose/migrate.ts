import { resolve } from 'node:path';
import type { Config } from '../config.js';
import { migrateDatabase } from '../store/index.js';
import { systemClock } from '../world/clock.js';
import { randomIds } from '../world/ids.js';
import { createLog } from '../world/log.js';

/**
 * Migrates the database to this release's schema without starting the service. Returns the name of the
 * database.
 */
export function migrateStore({ data_dir, database_url, log_level }: Config): Promise<string> {
  return migrateDatabase({
    data_dir: resolve(data_dir),
    database_url,
    instance: randomIds.build('instance_'),
    clock: systemClock,
    log: createLog(log_level),
  });
}

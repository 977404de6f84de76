import type { Log } from '../../../core/ports/index.js';
import { BUSY_TIMEOUT_MS } from './locking.js';
import { openSqlite } from './sqlite.js';

/** Writes the file anew without the pages and bytes that were freed: until then, they still have what was in them. */
export function rewriteFile(file: string, log: Log): void {
  const sqlite = openSqlite(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    sqlite.prepare('VACUUM').run();
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    log.warn(
      'the database could not be rewritten: what an earlier release deleted may still be in its file',
      {
        error,
      },
    );
  } finally {
    sqlite.close();
  }
}

import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, for its owner alone, and those above it that are missing. Node's own `recursive` never returns if a folder exists and
 * takes no new one, as below /proc. Throws the error of the system for the first folder that cannot be made.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder) && folder !== dirname(folder); folder = dirname(folder)) {
    missing.push(folder);
  }
  // Refused by the system if it is a file.
  if (missing.length === 0) mkdirSync(path, { recursive: true });
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (cause) {
      // Another process made it in the meantime.
      const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
      if (!isThere) throw cause;
    }
  }
}

import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, accessible only to its owner, and any missing folders above it. Node's own `recursive` never returns if a
 * folder exists and no folder can be created in it, as below /proc. Throws the system's error for the first folder that
 * cannot be made.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder) && folder !== dirname(folder); folder = dirname(folder)) {
    missing.push(folder);
  }
  // The system refuses this if it is a file.
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

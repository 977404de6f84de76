import { copyFile, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isSystemError } from '../../store/index.js';

/**
 * Copies a file into a folder under its own name, readable only by its owner, and syncs it. Returns
 * false if the file does not exist.
 */
export async function copyInto(folder: string, file: string): Promise<boolean> {
  const to = join(folder, basename(file));
  try {
    await copyFile(file, to);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false;
    throw error;
  }
  const copy = await open(to, 'r+');
  try {
    await copy.chmod(0o600);
    await copy.sync();
  } finally {
    await copy.close();
  }
  return true;
}

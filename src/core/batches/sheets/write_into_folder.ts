import { open, realpath, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buildValidationError } from '../../issues/issues.js';

/** The most names to try in one folder. */
const MOST_NAMES = 100;

/**
 * Writes a new file into the first of the folders that accepts it, the downloads folder first, and never overwrites a file.
 * Throws VALIDATION_FAILED if none accepts it.
 */
export async function writeIntoFolder(
  folders: readonly string[],
  name: string,
  extension: string,
  bytes: Buffer,
): Promise<string> {
  for (const folder of folders.toSorted((a, b) => Number(isOfDownloads(b)) - Number(isOfDownloads(a)))) {
    const path = await writeInto(folder, name, extension, bytes);
    if (path !== undefined) return path;
  }
  throw buildValidationError([{ code: 'sheet_folder_missing', at: '', params: { folders } }]);
}

function isOfDownloads(folder: string): boolean {
  return /^downloads?$/i.test(basename(folder));
}

async function writeInto(
  folder: string,
  name: string,
  extension: string,
  bytes: Buffer,
): Promise<string | undefined> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined) return undefined;
  for (let number = 1; number <= MOST_NAMES; number += 1) {
    const path = join(real, `${name}${number === 1 ? '' : `-${number}`}.${extension}`);
    try {
      await writeNew(path, bytes);
      return path;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') return undefined;
    }
  }
  return undefined;
}

async function writeNew(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
  } catch (cause) {
    await unlink(path).catch(() => undefined);
    throw cause;
  } finally {
    await file.close();
  }
}

import { constants, type BigIntStats, type Dirent } from 'node:fs';
import { lstat, open, readdir, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { sep } from 'node:path';

/** Number of checks. To deceive one, an attacker must change the path twice at the right moments. */
const CHECKS = 8;

/**
 * Whether an opened file is inside one of the folders. The path is not enough: a folder on the way may have been replaced by
 * a link since it was checked. If the system reports the path of a descriptor (Linux), that decides.
 * @param folders without links, as realpath returns them
 */
export async function isOpenedInside(
  file: FileHandle,
  path: string,
  folders: readonly string[],
): Promise<boolean> {
  const opened = await readlink(toDescriptorPath(file)).catch(() => undefined);
  return opened === undefined ? await isFoundInside(file, path, folders) : isInside(opened, folders);
}

/** The same for macOS and Windows: compares device and inode of the path with those of the descriptor, several times. */
export async function isFoundInside(
  file: FileHandle,
  path: string,
  folders: readonly string[],
): Promise<boolean> {
  const opened = await file.stat({ bigint: true });
  for (let check = 0; check < CHECKS; check += 1) {
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || !isInside(real, folders)) return false;
    const found = await lstat(real, { bigint: true }).catch(() => undefined);
    if (found === undefined || !isSame(found, opened)) return false;
  }
  return true;
}

/** A path to the opened file itself, even if its name is gone or now leads elsewhere; works only on Linux. */
function toDescriptorPath({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`;
}

/**
 * The entries of a folder inside one of the folders; undefined if it cannot be read or has been replaced.
 * @param folders without links, as realpath returns them
 */
export async function listInside(path: string, folders: readonly string[]): Promise<Dirent[] | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (!file) return undefined;
  try {
    return await listOpenedInside(file, path, folders);
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/** The same for an open folder. Rejects if it cannot be read. */
export async function listOpenedInside(
  file: FileHandle,
  path: string,
  folders: readonly string[],
): Promise<Dirent[] | undefined> {
  if (!(await isOpenedInside(file, path, folders))) return undefined;
  // By its descriptor if possible, since its name may now lead elsewhere.
  const entries = await readdir(toDescriptorPath(file), { withFileTypes: true }).catch(() =>
    readdir(path, { withFileTypes: true }),
  );
  return (await isOpenedInside(file, path, folders)) ? entries : undefined;
}

/** @param folders without links, as realpath returns them */
export function isInside(real: string, folders: readonly string[]): boolean {
  return folders.some(
    (folder) => real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep),
  );
}

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

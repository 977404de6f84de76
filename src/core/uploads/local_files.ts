import { constants } from 'node:fs';
import { open, readdir, realpath, type FileHandle } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { buildValidationError, cleanForeign } from '../errors.js';
import { isInside, isOpenedInside, toDescriptorPath } from './opened_file.js';

const MAX_NAMES = 50;

/** An opened file; the caller closes it. */
export type LocalFile = { file: FileHandle; name: string };

/**
 * Opens the file that a local caller names by a path: absolute, or as people write it (`~/Downloads/mug.jpg`,
 * `Downloads/mug.jpg`, `mug.jpg`), inside one of the folders that may be read. Links are resolved first, so that a link inside a
 * folder cannot lead out of it, and the opened file is checked again. Throws VALIDATION_FAILED; for a folder, the message lists the
 * names in it (with `/` behind folders), since sellers often name the folder of their photos.
 */
export async function openLocalFile(path: string, roots: readonly string[]): Promise<LocalFile> {
  const real_roots = await Promise.all(roots.map((root) => realpath(root).catch(() => resolve(root))));
  for (const candidate of listCandidates(path, real_roots)) {
    const real = await realpath(candidate).catch(() => undefined);
    if (real === undefined || !isInside(real, real_roots)) continue;
    const file = await openAt(real);
    if (!file) continue;
    try {
      if (await isWanted(file, real, real_roots)) return { file, name: basename(real) };
    } catch (cause) {
      await file.close();
      throw cause;
    }
    await file.close();
  }
  // The same words for a missing file and a forbidden one: outside the folders a caller cannot find out what exists.
  const folders = roots.join(', ') || 'none';
  throw buildValidationError(
    [{ path: 'path', message: `is not a file inside the folders that may be read: ${folders}` }],
    'Name one of these folders as path to see what is in it. Else move the file there, or add its folder to UPLOAD_ROOTS and start the server again.',
  );
}

/** A relative path counts from each folder and from the folder's parent: people write both `mug.jpg` and `Downloads/mug.jpg`. */
function listCandidates(path: string, roots: readonly string[]): string[] {
  if (path.includes('\0')) return [];
  if (isAbsolute(path)) return [path];
  const relative = path.replace(/^~[\\/]/, '');
  return roots.flatMap((root) => [join(dirname(root), relative), join(root, relative)]);
}

/** Undefined for a file that is gone meanwhile, or has become a link. */
async function openAt(real: string): Promise<FileHandle | undefined> {
  // Without O_NONBLOCK the open of a named pipe would wait until another process writes to it.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  return await open(real, flags).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EACCES' && cause.code !== 'EPERM') return undefined;
    throw buildValidationError([
      { path: 'path', message: 'could not be read: the system does not allow it' },
    ]);
  });
}

async function isWanted(file: FileHandle, real: string, roots: readonly string[]): Promise<boolean> {
  if (!(await isOpenedInside(file, real, roots))) return false;
  const found = await file.stat();
  if (!found.isDirectory()) return found.isFile();
  // By its descriptor where that is possible, since its name may lead elsewhere by now.
  const entries = await readdir(toDescriptorPath(file), { withFileTypes: true }).catch(() =>
    readdir(real, { withFileTypes: true }),
  );
  if (!(await isOpenedInside(file, real, roots))) return false;
  throw buildFolderError(
    entries
      .filter((entry) => !entry.name.startsWith('.') && (entry.isFile() || entry.isDirectory()))
      .map((entry) => (entry.isFile() ? entry.name : `${entry.name}/`)),
  );
}

function buildFolderError(names: string[]) {
  const shown = names
    .sort()
    .slice(0, MAX_NAMES)
    .map((name) => cleanForeign(name));
  const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : '';
  const inside =
    shown.length > 0 ? `it holds ${shown.join(', ')}${more}; upload each by its own path` : 'it is empty';
  return buildValidationError(
    [{ path: 'path', message: `is a folder; ${inside}` }],
    'Call file_upload once for each file; a folder is answered with the names in it.',
  );
}

import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { buildValidationError } from '../issues/issues.js';
import { findAlike, showName, type Alike } from './find_alike.js';
import { isInside, isOpenedInside, listOpenedInside } from './opened_file.js';
import { normalize } from '../text/normalize.js';

const MAX_NAMES = 50;
const SHOW_FOLDER = 'Name one of these folders as path to see what is in it.';

/** An opened file; the caller closes it. */
type LocalFile = { file: FileHandle; name: string };

/**
 * Opens the file that a local caller names by a path: absolute, or as people write it (`~/Downloads/mug.jpg`,
 * `Downloads/mug.jpg`, `mug.jpg`), inside one of the folders that may be read. Resolves links first, so that a link inside a
 * folder cannot lead out of it, and checks the opened file again. Throws VALIDATION_FAILED; for a folder, the message lists
 * the names in it (with `/` after folders), since sellers often name the folder of their photos.
 */
export async function openLocalFile(path: string, roots: readonly string[]): Promise<LocalFile> {
  const real_roots = await Promise.all(roots.map((root) => realpath(root).catch(() => resolve(root))));
  const candidates = listCandidates(path, real_roots);
  for (const candidate of candidates) {
    const found = await openInside(candidate, real_roots);
    if (found) return found;
  }
  const inside = candidates.flatMap((candidate) =>
    real_roots.flatMap((real_root, index) => {
      const below = cutRoot(candidate, real_root) ?? cutRoot(candidate, roots[index] ?? real_root);
      return below === undefined ? [] : [{ real_root, below }];
    }),
  );
  const alike: Alike[] = [];
  for (const { real_root, below } of inside) alike.push(await findAlike(below, real_root, real_roots));
  const [first, ...others] = new Set(alike.flatMap(({ files }) => files));
  if (first !== undefined && others.length === 0) {
    const found = await openInside(first, real_roots);
    if (found) return found;
  }
  if (first !== undefined && others.length > 0) throw buildSeveralError([first, ...others]);
  throw buildMissingError(roots, inside.length > 0, alike);
}

async function openInside(candidate: string, roots: readonly string[]): Promise<LocalFile | undefined> {
  const real = await realpath(candidate).catch(() => undefined);
  if (real === undefined || !isInside(real, roots)) return undefined;
  const file = await openAt(real);
  if (!file) return undefined;
  try {
    if (await isWanted(file, real, roots)) return { file, name: basename(real) };
  } catch (cause) {
    await file.close();
    throw cause;
  }
  await file.close();
  return undefined;
}

/** The part of a path below a folder; undefined if it is not below it. Treats decomposed and composed letters as equal. */
function cutRoot(path: string, root: string): string | undefined {
  const below = relative(normalize(root), normalize(path));
  return below === '' || isAbsolute(below) || below.split(sep).includes('..') ? undefined : below;
}

function buildSeveralError(files: string[]) {
  const paths = files.map((file) => join(dirname(file), showName(file)));
  return buildValidationError(
    [{ code: 'path_ambiguous', at: 'path', params: { paths } }],
    'Give the path with the characters of the one that is meant, or rename it.',
  );
}

/** The same message for a missing file and a forbidden one: a caller must not find out what exists outside the folders. */
function buildMissingError(roots: readonly string[], isNamedInside: boolean, alike: readonly Alike[]) {
  const folders = roots.join(', ') || 'none';
  if (!isNamedInside) {
    return buildValidationError(
      [{ code: 'path_outside', at: 'path', params: { folders } }],
      `${SHOW_FOLDER} Or move the file there, or add its folder to UPLOAD_ROOTS and start the server again.`,
    );
  }
  const [nearest] = alike
    .flatMap((found) => found.nearest ?? [])
    .sort((one, other) => other.likeness - one.likeness);
  return buildValidationError(
    [{ code: 'path_unknown', at: 'path', params: { folders, nearest: nearest?.path } }],
    SHOW_FOLDER,
  );
}

/**
 * A relative path is tried from each folder and from the folder's parent: people write both `mug.jpg` and
 * `Downloads/mug.jpg`.
 */
function listCandidates(path: string, roots: readonly string[]): string[] {
  if (path.includes('\0')) return [];
  if (isAbsolute(path)) return [path];
  const relative = path.replace(/^~[\\/]/, '');
  return roots.flatMap((root) => [join(dirname(root), relative), join(root, relative)]);
}

/** Undefined if the file is gone in the meantime, or has become a link. */
async function openAt(real: string): Promise<FileHandle | undefined> {
  // Without O_NONBLOCK, opening a named pipe would wait until another process writes to it.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  return await open(real, flags).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EACCES' && cause.code !== 'EPERM') return undefined;
    throw buildValidationError([{ code: 'path_forbidden', at: 'path', params: {} }]);
  });
}

async function isWanted(file: FileHandle, real: string, roots: readonly string[]): Promise<boolean> {
  if (!(await isOpenedInside(file, real, roots))) return false;
  const found = await file.stat();
  if (!found.isDirectory()) return found.isFile();
  const entries = await listOpenedInside(file, real, roots);
  if (!entries) return false;
  throw buildFolderError(
    entries
      .filter((entry) => !entry.name.startsWith('.') && (entry.isFile() || entry.isDirectory()))
      .map((entry) => (entry.isFile() ? entry.name : `${entry.name}/`)),
  );
}

function buildFolderError(names: string[]) {
  const shown = names.sort().slice(0, MAX_NAMES);
  return buildValidationError(
    [{ code: 'path_is_folder', at: 'path', params: { names: shown, more: names.length - shown.length } }],
    'Call file_upload once for each file; a folder is answered with the names in it.',
  );
}

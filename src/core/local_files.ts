import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { buildValidationError, cleanForeign } from './errors.js';

const MAX_NAMES = 50;

/**
 * The file that a local caller means by a path: absolute, or as people say it (`~/Downloads/mug.jpg`, `Downloads/mug.jpg`,
 * `mug.jpg`), inside one of the folders that may be read. Links are resolved first, so that one inside a folder cannot lead
 * out of it. Throws VALIDATION_FAILED; for a folder with the names in it, since a folder is what sellers have.
 */
export async function resolveLocalFile(path: string, roots: readonly string[]): Promise<string> {
  const real_roots = await Promise.all(roots.map((root) => realpath(root).catch(() => resolve(root))));
  for (const candidate of listCandidates(path, real_roots)) {
    const real = await realpath(candidate).catch(() => undefined);
    if (real === undefined || !real_roots.some((root) => isInside(real, root))) continue;
    const found = await stat(real);
    if (found.isDirectory()) throw await buildFolderError(real);
    if (found.isFile()) return real;
  }
  // The same words for a missing file and a forbidden one: outside the folders nobody learns what exists.
  const folders = roots.join(', ') || 'none';
  throw buildValidationError(
    [{ path: 'path', message: `is not a file inside the folders that may be read: ${folders}` }],
    'Name the file with its folder, move it there, or add its folder to UPLOAD_ROOTS and start the server again.',
  );
}

/** A relative path counts from each folder and from the one it is in: both `mug.jpg` and `Downloads/mug.jpg` are said. */
function listCandidates(path: string, roots: readonly string[]): string[] {
  if (path.includes('\0')) return [];
  if (isAbsolute(path)) return [path];
  const relative = path.replace(/^~[\\/]/, '');
  return roots.flatMap((root) => [join(dirname(root), relative), join(root, relative)]);
}

function isInside(real: string, root: string): boolean {
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}

async function buildFolderError(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name);
  const shown = names
    .sort()
    .slice(0, MAX_NAMES)
    .map((name) => cleanForeign(name));
  const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : '';
  const inside =
    shown.length > 0 ? `it holds ${shown.join(', ')}${more}; upload each by its own path` : 'it has no files';
  return buildValidationError(
    [{ path: 'path', message: `is a folder; ${inside}` }],
    'Call file_upload once for each file.',
  );
}

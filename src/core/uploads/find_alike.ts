import { realpath } from 'node:fs/promises';
import { basename, join, parse, sep } from 'node:path';
import { isInside, listInside } from './opened_file.js';
import { normalize } from '../text/normalize.js';

/** A less similar name has too little in common with the requested one to be suggested. */
const LEAST_LIKENESS = 0.5;
const MAX_ALIKE = 20;

/**
 * Files whose paths differ only in spaces or Unicode normalization; if there are none, the existing name that is most like
 * the missing one.
 */
export type Alike = { files: string[]; nearest?: { path: string; likeness: number } };

/**
 * Searches for a file whose name an assistant wrote the way it reads: macOS screenshots have U+202F before PM, and files from
 * other systems have decomposed letters. Reads only folders that are inside the roots, by an opened descriptor; links that
 * lead outside count as missing.
 * @param below the path from `root`, without `..`
 * @param roots without links, as realpath returns them; `root` is one of them
 */
export async function findAlike(below: string, root: string, roots: readonly string[]): Promise<Alike> {
  const parts = below.split(sep);
  let folders = [root];
  for (const [index, part] of parts.entries()) {
    const found = await findIn(folders, part, roots);
    const isLast = index === parts.length - 1;
    if (found.paths.length === 0 || isLast) return { files: found.paths, ...found.nearest };
    folders = found.paths;
  }
  return { files: [] };
}

async function findIn(folders: readonly string[], part: string, roots: readonly string[]) {
  const wanted = foldName(part);
  const paths: string[] = [];
  let nearest: Alike['nearest'];
  for (const folder of folders) {
    for (const entry of (await listInside(folder, roots)) ?? []) {
      const path = join(folder, entry.name);
      const name = foldName(entry.name);
      if (name === wanted) {
        const real = await realpath(path).catch(() => undefined);
        if (real !== undefined && isInside(real, roots)) paths.push(real);
      } else if (!entry.name.startsWith('.') && (entry.isFile() || entry.isDirectory())) {
        const likeness = compareNames(name, wanted);
        if (likeness >= LEAST_LIKENESS && likeness > (nearest?.likeness ?? 0)) nearest = { path, likeness };
      }
    }
  }
  return { paths: [...new Set(paths)].slice(0, MAX_ALIKE), nearest: nearest && { nearest } };
}

/** A name in which every character that could be mistaken for another is escaped, such as `\u202f`. */
export function showName(path: string): string {
  return basename(path).replace(UNUSUAL, (character) =>
    character.replace(/[^]/g, (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** Spaces other than the plain one, combining marks, and invisible characters. */
const UNUSUAL = /(?! )[\p{Z}\p{M}\p{C}]/gu;

function foldName(name: string): string {
  return normalize(name).replace(/\s+/g, ' ').trim();
}

/**
 * Dice's coefficient of the letter pairs in both names, without their extensions: 1 for the same name, 0 without a shared
 * pair.
 */
function compareNames(one: string, other: string): number {
  const [pairs, others] = [listPairs(one), listPairs(other)];
  const shared = [...pairs].filter((pair) => others.has(pair)).length;
  return (2 * shared) / Math.max(pairs.size + others.size, 1);
}

function listPairs(name: string): Set<string> {
  const text = parse(name).name.toLowerCase();
  return new Set(Array.from({ length: Math.max(text.length - 1, 0) }, (_, at) => text.slice(at, at + 2)));
}

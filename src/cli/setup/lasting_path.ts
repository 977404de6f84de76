import { realpathSync } from 'node:fs';

/**
 * The path of Node that stays after an upgrade. Homebrew keeps each version in a folder of its own under Cellar, which the next
 * upgrade removes, and links the one in use from `opt` and `bin`.
 * @param isSame whether two paths lead to one file; a link to another version is not taken
 */
export function findLastingPath(path: string, isSame: (one: string, other: string) => boolean): string {
  const [, prefix, formula, rest] = CELLAR.exec(path) ?? [];
  if (prefix === undefined) return path;
  const links = [`${prefix}/opt/${formula}/${rest}`, `${prefix}/${rest}`];
  return links.find((link) => isSame(link, path)) ?? path;
}

/** False where one of them leads nowhere. */
export function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}

/** `/opt/homebrew/Cellar/node@24/24.3.0/bin/node`: prefix, formula, and what is below the version. */
const CELLAR = /^(.+)\/Cellar\/([^/]+)\/[^/]+\/(.+)$/;

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAME = 'marketplace-listing-service';
/** This file is two or three folders below the package's root, built or not. */
const MAX_UP = 4;

/** The folder of the package, and its version. */
export function readPackage(): { root: string; version: string } {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let up = 0; up < MAX_UP; up += 1) {
    const found = readVersion(join(folder, 'package.json'));
    if (found !== undefined) return { root: folder, version: found };
    folder = dirname(folder);
  }
  throw new Error('The package.json of the service was not found beside it.');
}

function readVersion(file: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string };
    return name === NAME ? version : undefined;
  } catch {
    return undefined;
  }
}

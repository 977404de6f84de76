import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAME = 'marketplace-listing-service';
/** This file is two or three folders below the package's root, built or not. */
const MAX_UP = 4;

/** The folder of the package, its version, and the oldest Node that it runs on. */
export function readPackage(): { root: string; version: string; least_node: string } {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let up = 0; up < MAX_UP; up += 1) {
    const found = readDescription(join(folder, 'package.json'));
    if (found !== undefined) return { root: folder, ...found };
    folder = dirname(folder);
  }
  throw new Error('The package.json of the service was not found beside it.');
}

function readDescription(file: string): { version: string; least_node: string } | undefined {
  try {
    const { name, version, engines } = JSON.parse(readFileSync(file, 'utf8')) as {
      name?: string;
      version: string;
      engines: { node: string };
    };
    if (name !== NAME) return undefined;
    return { version, least_node: engines.node.replace(/^>=/, '') };
  } catch {
    return undefined;
  }
}

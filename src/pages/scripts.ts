import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { buildAsset, type Asset } from './assets.js';

/** The compiled folder client/. A service that runs from source has none, and its pages work without. */
export const SCRIPTS: readonly Asset[] = readScripts(new URL('client/', import.meta.url));

const BY_NAME = new Map(
  SCRIPTS.map((script) => [script.path.replace(/^\/assets\/(.*)-[0-9a-f]+\.js$/, '$1'), script]),
);

/** The path of a script in client/, by its file name without the extension. */
export function scriptPath(name: string): string | undefined {
  return BY_NAME.get(name)?.path;
}

function readScripts(folder: URL): Asset[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  return names.map((name) => buildAsset(name, readFileSync(new URL(name, folder))));
}

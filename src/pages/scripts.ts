import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { buildAsset, type Asset } from './assets.js';

/** The compiled folder client/. Run from its sources the service has none, and pages do without, as they can. */
export const SCRIPTS: readonly Asset[] = readScripts(new URL('client/', import.meta.url));

const BY_NAME = new Map(
  SCRIPTS.map((script) => [script.path.replace(/^\/assets\/(.*)-[0-9a-f]+\.js$/, '$1'), script]),
);

/** Where a script of client/ is, by its file's name without the ending. */
export function scriptPath(name: string): string | undefined {
  return BY_NAME.get(name)?.path;
}

function readScripts(folder: URL): Asset[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  return names.map((name) => buildAsset(name, readFileSync(new URL(name, folder))));
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file that pages refer to. Its path changes with its bytes, so that a browser may cache it forever. */
export type Asset = { path: string; content_type: string; body: Buffer };

/** For every asset: a year is the longest that caches honor. */
export const ASSET_CACHE = 'public, max-age=31536000, immutable';

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** @param name the beginning of the path; its extension determines the type */
export function buildAsset(name: string, body: Buffer): Asset {
  const extension = extname(name);
  const content_type = CONTENT_TYPES[extension];
  if (content_type === undefined) throw new Error(`${name} has a type that no page refers to.`);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `/assets/${basename(name, extension)}-${hash}${extension}`, content_type, body };
}

/** Joins all parts into one file, in the order of their names. */
function readStyle(folder: URL): Buffer {
  const names = readdirSync(folder).filter((name) => name.endsWith('.css'));
  return Buffer.concat(names.sort().map((name) => readFileSync(new URL(name, folder))));
}

export const STYLE = buildAsset('style.css', readStyle(new URL('style/', import.meta.url)));
export const ICON = buildAsset('icon.svg', readFileSync(fileURLToPath(new URL('icon.svg', import.meta.url))));

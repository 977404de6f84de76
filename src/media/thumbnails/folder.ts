import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { THUMBNAIL_WIDTHS, type ThumbnailWidth } from '../../core/ports/media.js';
import { ignoreMissing } from '../staging.js';
import type { Rendered } from './render.js';

/**
 * Thumbnails on disk, `<key>-<width>.webp`. A missing thumbnail is made again, so files here may be deleted
 * at any time.
 */
type ThumbnailFolder = {
  read(key: string, width: ThumbnailWidth): Promise<Buffer | undefined>;
  write(key: string, rendered: readonly Rendered[]): Promise<void>;
  remove(key: string): Promise<void>;
  /**
   * Deletes thumbnails that were made before the time, and the oldest ones beyond the folder's size limit.
   * Returns how many.
   */
  sweep(made_before: Date): Promise<number>;
};

export function createThumbnailFolder(dir: string, limit_bytes: number): ThumbnailFolder {
  const toPath = (key: string, width: ThumbnailWidth): string => join(dir, `${key}-${width}${SUFFIX}`);
  let written_bytes = 0;

  async function sweep(made_before: Date): Promise<number> {
    const files = (await listFiles(dir)).sort((a, b) => b.mtime_ms - a.mtime_ms);
    let kept_bytes = 0;
    let removed_count = 0;
    for (const { path, mtime_ms, size_bytes } of files) {
      const isKept = mtime_ms >= made_before.getTime() && kept_bytes + size_bytes <= limit_bytes;
      if (isKept) {
        kept_bytes += size_bytes;
      } else {
        await rm(path, { force: true });
        removed_count += 1;
      }
    }
    return removed_count;
  }

  return {
    read: (key, width) => readFile(toPath(key, width)).catch(ignoreMissing),
    async write(key, rendered) {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      for (const { width, bytes } of rendered) {
        const path = toPath(key, width);
        const unfinished = `${path}.${randomUUID()}${UNFINISHED}`;
        await writeFile(unfinished, bytes, { mode: 0o600 });
        await rename(unfinished, path);
        written_bytes += bytes.length;
      }
      if (written_bytes < limit_bytes / SWEPT_AFTER) return;
      written_bytes = 0;
      await sweep(new Date(0));
    },
    async remove(key) {
      await Promise.all(THUMBNAIL_WIDTHS.map((width) => rm(toPath(key, width), { force: true })));
    },
    sweep,
  };
}

async function listFiles(dir: string): Promise<{ path: string; mtime_ms: number; size_bytes: number }[]> {
  const names = (await readdir(dir).catch(ignoreMissing)) ?? [];
  const files = [];
  for (const name of names) {
    if (!name.endsWith(SUFFIX) && !name.endsWith(UNFINISHED)) continue;
    const path = join(dir, name);
    const found = await stat(path).catch(ignoreMissing);
    if (found) files.push({ path, mtime_ms: found.mtimeMs, size_bytes: found.size });
  }
  return files;
}

const SUFFIX = '.webp';
const UNFINISHED = '.part';
/** The folder may exceed its size by this fraction until it is swept. */
const SWEPT_AFTER = 10;

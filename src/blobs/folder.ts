import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Blobs } from '../core/ports/index.js';

/** Blobs as files of a folder, `ab/cdef...`. It has to be on the file system of staged files, which are moved into it. */
export function createBlobFolder(blob_dir: string): Blobs {
  const toPath = (sha256: string): string => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) {
      throw new Error('sha256 must be 64 lower-case hexadecimal characters.');
    }
    return join(blob_dir, sha256.slice(0, 2), sha256.slice(2));
  };

  return {
    async put(staged) {
      const path = toPath(staged.sha256);
      const blob = { sha256: staged.sha256, size_bytes: staged.size_bytes };
      try {
        await syncPath(staged.path);
      } catch (error) {
        // The move may have happened before a crash: then the bytes are in their place and nothing is staged.
        if (await findFile(path)) return blob;
        throw error;
      }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(staged.path, path);
      await syncPath(dirname(path));
      await syncPath(blob_dir);
      return blob;
    },
    async open(sha256) {
      const path = toPath(sha256);
      const found = await findFile(path);
      return found && { size_bytes: found.size_bytes, stream: readFile(path, found.size_bytes) };
    },
    async delete(sha256, put_before) {
      const path = toPath(sha256);
      const found = await findFile(path);
      if (!found || found.put_ms >= put_before.getTime()) return false;
      await rm(path, { force: true });
      return true;
    },
    async list(put_before) {
      const files = await readdir(blob_dir, { recursive: true }).catch(ignoreMissing);
      const old: string[] = [];
      for (const file of files ?? []) {
        const sha256 = file.replace(/[\\/]/g, '');
        if (!/^[0-9a-f]{64}$/.test(sha256)) continue;
        const found = await findFile(join(blob_dir, file));
        if (found && found.put_ms < put_before.getTime()) old.push(sha256);
      }
      return old;
    },
  };
}

async function findFile(path: string): Promise<{ size_bytes: number; put_ms: number } | undefined> {
  const found = await stat(path).catch(ignoreMissing);
  return found?.isFile() === true ? { size_bytes: found.size, put_ms: found.mtimeMs } : undefined;
}

/**
 * A generator opens the file when its first piece is wanted. With its end told no memory is taken for more than it has bytes, nor
 * for a last piece that is empty.
 */
async function* readFile(path: string, size_bytes: number): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { highWaterMark: PIECE_BYTES, end: Math.max(0, size_bytes - 1) });
}

/** Flushes a file, or a folder's list of names. */
async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Larger pieces than this gain nothing, and smaller ones take more trips to another thread. */
const PIECE_BYTES = 512 * 1024;

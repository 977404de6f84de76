import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Blobs } from '../core/ports/index.js';
import { checkSha256, isSha256 } from './sha256.js';

/**
 * Blobs as files of a folder, `ab/cdef...`, which several computers may share. Staged files are moved into
 * it, and copied first if they are on another file system. Opening and reading a file is synchronous instead
 * of a trip to another thread, which a listing with ten photos made a hundred times, as
 * test/bench/rows/publishing_cpu.mjs showed. Everything else is asynchronous.
 */
export function createBlobFolder(blob_dir: string): Blobs {
  const toPath = (sha256: string): string => {
    checkSha256(sha256);
    return join(blob_dir, sha256.slice(0, 2), sha256.slice(2));
  };

  return {
    async put(staged) {
      const path = toPath(staged.sha256);
      const blob = { sha256: staged.sha256, size_bytes: staged.size_bytes };
      try {
        await syncPath(staged.path);
      } catch (error) {
        // The move may have happened before a crash: then the bytes are in place and nothing is staged.
        if (await findFile(path)) return blob;
        throw error;
      }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await move(staged.path, path);
      await syncPath(dirname(path));
      await syncPath(blob_dir);
      return blob;
    },
    async open(sha256) {
      const path = toPath(sha256);
      const found = toFound(statSync(path, { throwIfNoEntry: false }));
      return (
        found && {
          size_bytes: found.size_bytes,
          stream: readFile(path, found.size_bytes, takeMemory),
          streamThrough: (memory) => readFile(path, found.size_bytes, () => memory),
        }
      );
    },
    async delete(sha256, put_before) {
      const path = toPath(sha256);
      const found = await findFile(path);
      if (!found || found.put_ms >= put_before.getTime()) return false;
      // The same bytes may be put again at any moment, under the same name; only the bytes put so far are set
      // aside.
      const aside = `${path}.${randomUUID()}${ASIDE}`;
      if (!(await rename(path, aside).then(() => true, ignoreMissing))) return false;
      const set_aside = await findFile(aside);
      // Another process has listed the folder, and put it back.
      if (!set_aside) return false;
      if (set_aside.put_ms >= put_before.getTime()) {
        await rename(aside, path).catch(ignoreMissing);
        return false;
      }
      await rm(aside, { force: true });
      return true;
    },
    async list(put_before) {
      const files = await readdir(blob_dir, { recursive: true }).catch(ignoreMissing);
      const old: string[] = [];
      for (const file of files ?? []) {
        const sha256 = file.replace(/[\\/]/g, '');
        const path = join(blob_dir, file);
        if (file.endsWith(ASIDE)) await putBack(path);
        if (!isSha256(sha256) && !file.endsWith(COPIED)) continue;
        const found = await findFile(path);
        if (!found || found.put_ms >= put_before.getTime()) continue;
        if (isSha256(sha256)) old.push(sha256);
        // Left over from a crash.
        else await rm(path, { force: true });
      }
      return old;
    },
  };
}

/** Also works across file systems: the file appears under its name only when it is complete. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EXDEV') throw cause;
    // Each staged file has a name of its own, so that several may arrive at once.
    const copy = `${to}.${basename(from)}${COPIED}`;
    try {
      await copyFile(from, copy);
      await syncPath(copy);
      await rename(copy, to);
    } catch (error) {
      await rm(copy, { force: true });
      throw error;
    }
    await rm(from, { force: true });
  }
}

/**
 * Puts back bytes that a crash left set aside, unless they were put again since: whether they are needed is
 * then checked again, as for new bytes. If they are being deleted at this moment, they are deleted later.
 */
async function putBack(aside: string): Promise<void> {
  const [name = ''] = basename(aside).split('.');
  const path = join(dirname(aside), name);
  if (await findFile(path)) {
    await rm(aside, { force: true });
    return;
  }
  const now = new Date();
  await utimes(aside, now, now).catch(ignoreMissing);
  await rename(aside, path).catch(ignoreMissing);
}

type FoundFile = { size_bytes: number; put_ms: number };

async function findFile(path: string): Promise<FoundFile | undefined> {
  return toFound(await stat(path).catch(ignoreMissing));
}

function toFound(stats: Stats | undefined): FoundFile | undefined {
  return stats?.isFile() === true ? { size_bytes: stats.size, put_ms: stats.mtimeMs } : undefined;
}

/** A generator opens the file when its first piece is requested. */
async function* readFile(
  path: string,
  size_bytes: number,
  getMemory: (left_bytes: number) => Buffer,
): AsyncGenerator<Buffer> {
  const file = openSync(path, 'r');
  try {
    for (let left_bytes = size_bytes; left_bytes > 0;) {
      const piece = fill(file, getMemory(left_bytes).subarray(0, left_bytes));
      if (piece.length === 0) return;
      left_bytes -= piece.length;
      yield piece;
    }
  } finally {
    closeSync(file);
  }
}

/** The part of the memory that the file fills: all of it, except at the end of the file. */
function fill(file: number, memory: Buffer): Buffer {
  let filled_bytes = 0;
  while (filled_bytes < memory.length) {
    const read_bytes = readSync(file, memory, filled_bytes, memory.length - filled_bytes, null);
    if (read_bytes === 0) break;
    filled_bytes += read_bytes;
  }
  return memory.subarray(0, filled_bytes);
}

function takeMemory(left_bytes: number): Buffer {
  return Buffer.allocUnsafeSlow(Math.min(left_bytes, PIECE_BYTES));
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

/** The suffix of a file that is being copied. */
const COPIED = '.copied';
/** The suffix of a file that is being deleted. */
const ASIDE = '.aside';
const PIECE_BYTES = 256 * 1024;

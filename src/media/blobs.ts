import { statSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Blob, StagedFile } from '../core/ports/media.js';
import { ignoreMissing } from './staging.js';

/** The folder of kept bytes: `ab/cdef...` by SHA-256. Throws an Error for what is no SHA-256 in lower-case hexadecimal. */
export type BlobFolder = {
  /** Atomic and idempotent: also when the same bytes were committed before a crash. */
  commit: (staged: StagedFile) => Promise<Blob>;
  findPath: (sha256: string) => Promise<string | undefined>;
  delete: (sha256: string, committed_before: Date) => Promise<boolean>;
  /** Committing the same bytes again makes them new. */
  list: (committed_before: Date) => Promise<string[]>;
};

export function createBlobFolder(blob_dir: string): BlobFolder {
  const toPath = (sha256: string): string => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) {
      throw new Error('sha256 must be 64 lower-case hexadecimal characters.');
    }
    return join(blob_dir, sha256.slice(0, 2), sha256.slice(2));
  };
  // Of a local disk this is told sooner than another thread could be asked.
  const findPath = async (sha256: string): Promise<string | undefined> => {
    const path = toPath(sha256);
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : undefined;
  };

  return {
    async commit(staged) {
      const path = toPath(staged.sha256);
      const blob = { sha256: staged.sha256, size_bytes: staged.size_bytes };
      try {
        await syncPath(staged.path);
      } catch (error) {
        // The move may have happened before a crash: then the bytes are in their place and nothing is staged.
        if ((await findPath(staged.sha256)) !== undefined) return blob;
        throw error;
      }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(staged.path, path);
      await syncPath(dirname(path));
      await syncPath(blob_dir);
      return blob;
    },
    findPath,
    async delete(sha256, committed_before) {
      const path = toPath(sha256);
      const found = await stat(path).catch(ignoreMissing);
      if (!found || found.mtimeMs >= committed_before.getTime()) return false;
      await rm(path, { force: true });
      return true;
    },
    async list(committed_before) {
      const files = await readdir(blob_dir, { recursive: true }).catch(ignoreMissing);
      const old: string[] = [];
      for (const file of files ?? []) {
        const sha256 = file.replace(/[\\/]/g, '');
        if (!/^[0-9a-f]{64}$/.test(sha256)) continue;
        const found = await stat(join(blob_dir, file)).catch(ignoreMissing);
        if (found && found.mtimeMs < committed_before.getTime()) old.push(sha256);
      }
      return old;
    },
  };
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

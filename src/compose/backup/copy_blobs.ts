import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Blobs, StagedFile } from '../../core/ports/index.js';

/** How many were copied, and those that could not be: they are gone, or their bytes have changed. */
export type CopiedBlobs = { files: number; size_bytes: number; lost: string[] };

/**
 * Copies the stored bytes that `to` does not have. Bytes that are already there count as copied, so that
 * copying can be repeated at any time.
 * @param options `staging_dir`: on the file system of `to`, if that is a folder
 */
export async function copyBlobs(
  { from, to, staging_dir }: { from: Blobs; to: Blobs; staging_dir: string },
  report: (progress: { done: number; total: number }) => void,
): Promise<CopiedBlobs> {
  const kept = new Set(await to.list(FUTURE));
  const missing = (await from.list(FUTURE)).filter((sha256) => !kept.has(sha256));
  const copied: CopiedBlobs = { files: 0, size_bytes: 0, lost: [] };
  await mkdir(staging_dir, { recursive: true, mode: 0o700 });
  for (const [done, sha256] of missing.entries()) {
    report({ done, total: missing.length });
    const staged = await stageBlob(from, sha256, staging_dir);
    if (staged?.sha256 === sha256) {
      const { size_bytes } = await to.put(staged);
      copied.files += 1;
      copied.size_bytes += size_bytes;
    } else {
      if (staged) await rm(staged.path, { force: true });
      copied.lost.push(sha256);
    }
  }
  if (missing.length > 0) report({ done: missing.length, total: missing.length });
  await rm(staging_dir, { recursive: true, force: true });
  return copied;
}

/** All stored files are older. */
const FUTURE = new Date('9999-12-31T00:00:00.000Z');

/** Undefined if the bytes were removed since they were listed. */
async function stageBlob(from: Blobs, sha256: string, staging_dir: string): Promise<StagedFile | undefined> {
  const blob = await from.open(sha256);
  if (!blob) return undefined;
  const path = join(staging_dir, randomUUID());
  const hash = createHash('sha256');
  let size_bytes = 0;
  const count = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece);
      size_bytes += piece.length;
      done(undefined, piece);
    },
  });
  try {
    await pipeline(blob.stream, count, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return { path, sha256: hash.digest('hex'), size_bytes };
}

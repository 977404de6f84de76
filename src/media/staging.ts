import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobsError } from '../core/ports/blobs.js';
import { MediaError, type StagedFile } from '../core/ports/media.js';
import type { DiskSpace, Room } from './disk_space.js';

type StageOptions = {
  staging_dir: string;
  limit_bytes: number;
  disk: DiskSpace;
  /** How many bytes will come, if the sender announced it. */
  expected_bytes?: number | undefined;
  /** Called with the size of every chunk as it arrives. */
  onChunk?: (size_bytes: number) => void;
};

/**
 * Writes a source to a new 0600 file while counting and hashing. Chunks are written after later ones have
 * been requested: the source must not reuse their memory. Throws MediaError too_large or empty, the
 * MediaError or BlobsError that the source threw, or truncated if the source failed otherwise; disk errors
 * are rethrown unchanged. After any of them, the file is gone.
 */
export async function stageSource(
  source: AsyncIterable<unknown>,
  options: StageOptions,
): Promise<StagedFile> {
  await mkdir(options.staging_dir, { recursive: true, mode: 0o700 });
  const room = await options.disk.hold(options.staging_dir, options.expected_bytes);
  try {
    return await writeFile(source, options, room);
  } finally {
    room.release();
  }
}

async function writeFile(
  source: AsyncIterable<unknown>,
  options: StageOptions,
  room: Room,
): Promise<StagedFile> {
  const path = join(options.staging_dir, `${randomUUID()}${SUFFIX}`);
  const file = await open(path, 'wx', 0o600);
  try {
    const written = await writeCounted(file, source, options, room);
    await file.close();
    return { path, ...written };
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}

export async function discardStaged(staged: StagedFile): Promise<void> {
  await rm(staged.path, { force: true });
}

/** Deletes files that were staged before a time and returns how many; a missing folder counts as empty. */
export async function sweepStaging(dir: string, staged_before: Date): Promise<number> {
  const names = await readdir(dir).catch(ignoreMissing);
  let removed_count = 0;
  for (const name of names ?? []) {
    if (!name.endsWith(SUFFIX)) continue;
    const path = join(dir, name);
    const found = await stat(path).catch(ignoreMissing);
    if (found === undefined || found.mtimeMs >= staged_before.getTime()) continue;
    await rm(path, { force: true });
    removed_count += 1;
  }
  return removed_count;
}

export function tooLarge(limit_bytes: number): MediaError {
  return new MediaError('too_large', `The file is larger than ${limit_bytes} bytes.`);
}

/** For a catch: returns undefined if the file or folder does not exist, otherwise throws the error again. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function writeCounted(
  file: FileHandle,
  source: AsyncIterable<unknown>,
  options: StageOptions,
  room: Room,
): Promise<{ sha256: string; size_bytes: number }> {
  const hash = createHash('sha256');
  let size_bytes = 0;
  let gathered: Buffer[] = [];
  let gathered_bytes = 0;
  let writing = Promise.resolve();
  const write = async () => {
    await writing;
    await room.take(gathered_bytes);
    // The next chunks arrive and are hashed in the meantime; a failed write throws where it is awaited.
    writing = writeAll(file, gathered, gathered_bytes);
    writing.catch(() => undefined);
    gathered = [];
    gathered_bytes = 0;
  };
  for await (const item of readSource(source)) {
    const chunk = toBuffer(item);
    size_bytes += chunk.length;
    if (size_bytes > options.limit_bytes) throw tooLarge(options.limit_bytes);
    options.onChunk?.(chunk.length);
    hash.update(chunk);
    gathered.push(chunk);
    gathered_bytes += chunk.length;
    if (gathered_bytes >= WRITTEN_AFTER_BYTES || gathered.length >= MOST_GATHERED) await write();
  }
  if (gathered_bytes > 0) await write();
  await writing;
  if (size_bytes === 0) throw new MediaError('empty', 'The file is empty.');
  return { sha256: hash.digest('hex'), size_bytes };
}

async function writeAll(file: FileHandle, chunks: readonly Buffer[], size_bytes: number): Promise<void> {
  const { bytesWritten } = await file.writev(chunks);
  // A disk that is nearly full writes a part; its error for the rest is thrown.
  if (bytesWritten < size_bytes) await file.appendFile(Buffer.concat(chunks).subarray(bytesWritten));
}

async function* readSource(source: AsyncIterable<unknown>): AsyncGenerator {
  try {
    yield* source;
  } catch (cause) {
    if (cause instanceof MediaError || cause instanceof BlobsError) throw cause;
    throw new MediaError('truncated', 'The file broke off before its end.', { cause });
  }
}

function toBuffer(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk;
  if (typeof chunk === 'string') return Buffer.from(chunk);
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  throw new TypeError('A stream of bytes was expected.');
}

const SUFFIX = '.part';
/** Each write is a trip to another thread, which costs more than copying 64 KiB. */
const WRITTEN_AFTER_BYTES = 256 * 1024;
/**
 * Maximum number of chunks held: each takes memory in addition to its bytes, and the sender chooses how small
 * they are.
 */
const MOST_GATHERED = 64;

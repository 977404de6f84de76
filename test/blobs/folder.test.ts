import { createHash } from 'node:crypto';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Blobs } from '../../src/core/ports/index.js';
import { makeMedia } from '../media/sample.js';

const LIMIT = { limit_bytes: 1_000 };
const sha256 = createHash('sha256').update('hello').digest('hex');

async function readBlob(blobs: Blobs): Promise<string | undefined> {
  const opened = await blobs.open(sha256);
  if (!opened) return undefined;
  const bytes = await buffer(opened.stream);
  expect(opened.size_bytes).toBe(bytes.length);
  return bytes.toString();
}

describe('blobs in a folder', () => {
  it('lie under their hash, in files and folders of the owner alone', async () => {
    const { media, blobs, dir, listStaged } = await makeMedia();
    const path = join(dir, 'blobs', sha256.slice(0, 2), sha256.slice(2));
    expect(await readBlob(blobs)).toBeUndefined();
    expect(await blobs.put(await media.stage(Readable.from(['hello']), LIMIT))).toEqual({
      sha256,
      size_bytes: 5,
    });
    expect([await readBlob(blobs), await readFile(path, 'utf8')]).toEqual(['hello', 'hello']);
    const modes = [path, join(path, '..'), join(dir, 'blobs')].map(
      async (at) => (await stat(at)).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o600, 0o700, 0o700]);
    expect(await listStaged()).toEqual([]);
  });

  it('are stored once however often and however close together they are committed', async () => {
    const { media, blobs, dir } = await makeMedia();
    const staged = await Promise.all(
      Array.from({ length: 8 }, async () => await media.stage(Readable.from(['hello']), LIMIT)),
    );
    const kept = await Promise.all(staged.map(async (one) => await blobs.put(one)));
    expect(kept).toEqual(staged.map(() => ({ sha256, size_bytes: 5 })));
    expect(await readdir(join(dir, 'blobs', sha256.slice(0, 2)))).toEqual([sha256.slice(2)]);
  });

  it('are found again when the process ended right after the move', async () => {
    const { media, blobs } = await makeMedia();
    const staged = await media.stage(Readable.from(['hello']), LIMIT);
    await blobs.put(staged);
    expect(await blobs.put(staged)).toEqual({ sha256, size_bytes: 5 });
  });

  it('are not claimed to exist when the staged file is gone', async () => {
    const { media, blobs } = await makeMedia();
    const staged = await media.stage(Readable.from(['hello']), LIMIT);
    await media.discard(staged);
    await expect(blobs.put(staged)).rejects.toThrow('ENOENT');
  });

  it('can be deleted, also twice', async () => {
    const { media, blobs } = await makeMedia();
    await blobs.put(await media.stage(Readable.from(['hello']), LIMIT));
    const soon = new Date(Date.now() + 60_000);
    expect(await blobs.delete(sha256, soon)).toBe(true);
    expect(await blobs.delete(sha256, soon)).toBe(false);
    expect(await readBlob(blobs)).toBeUndefined();
  });

  it('stay when they were committed after the time', async () => {
    const { media, blobs } = await makeMedia();
    await blobs.put(await media.stage(Readable.from(['hello']), LIMIT));
    expect(await blobs.delete(sha256, new Date(Date.now() - 60_000))).toBe(false);
    expect(await readBlob(blobs)).toBe('hello');
  });

  it.each([
    '',
    '../../etc/passwd',
    `../${'a'.repeat(61)}`,
    'A'.repeat(64),
    'g'.repeat(64),
    'a'.repeat(65),
    `${'a'.repeat(64)}\n`,
  ])('take no path from %j', async (hostile) => {
    const { blobs } = await makeMedia();
    const message = 'sha256 must be 64 lower-case hexadecimal characters.';
    await expect(blobs.open(hostile)).rejects.toThrow(message);
    await expect(blobs.delete(hostile, new Date())).rejects.toThrow(message);
    await expect(blobs.put({ path: '/tmp/x', sha256: hostile, size_bytes: 1 })).rejects.toThrow(message);
  });

  it.runIf(process.platform === 'linux')('are held open while they are read, and no longer', async () => {
    const { media, blobs, dir } = await makeMedia();
    const bytes = Buffer.alloc(3_000_000, 7);
    const { sha256: large } = await blobs.put(
      await media.stage(Readable.from([bytes]), { limit_bytes: bytes.length }),
    );
    const listOpen = async () => {
      const names = await readdir('/proc/self/fd');
      const targets = await Promise.all(names.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
      return targets.filter((target) => target.startsWith(dir)).length;
    };
    const unread = await blobs.open(large);
    expect([unread?.size_bytes, await listOpen()]).toEqual([bytes.length, 0]);
    const opened = await blobs.open(large);
    for await (const piece of opened?.stream ?? []) {
      expect([piece.length < bytes.length, await listOpen()]).toEqual([true, 1]);
      break;
    }
    await expect.poll(listOpen).toBe(0);
  });
});

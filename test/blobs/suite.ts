import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Blobs } from '../../src/core/ports/index.js';
import type { SampleMedia } from '../media/sample.js';

const LIMIT = { limit_bytes: 10_000_000 };
const toHash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const sha256 = toHash('hello');

async function readBlob(blobs: Blobs, wanted = sha256): Promise<string | undefined> {
  const opened = await blobs.open(wanted);
  if (!opened) return undefined;
  const bytes = await buffer(opened.stream);
  expect(opened.size_bytes).toBe(bytes.length);
  return bytes.toString();
}

const soon = () => new Date(Date.now() + 60_000);
const before = () => new Date(Date.now() - 60_000);

/** The tests that blobs must pass everywhere. @param make makes a separate place for each test */
export function describeBlobs(name: string, make: () => Promise<SampleMedia>): void {
  describe(`blobs in ${name}`, () => {
    it('are found under their hash, and the staged file is gone', async () => {
      const { media, blobs, listStaged } = await make();
      expect(await readBlob(blobs)).toBeUndefined();
      expect(await blobs.put(await media.stage(Readable.from(['hello']), LIMIT))).toEqual({
        sha256,
        size_bytes: 5,
      });
      expect([await readBlob(blobs), await readBlob(blobs)]).toEqual(['hello', 'hello']);
      expect(await listStaged()).toEqual([]);
    });

    it('count once, however often and however close together they are put', async () => {
      const { media, blobs } = await make();
      const staged = await Promise.all(
        Array.from({ length: 8 }, async () => await media.stage(Readable.from(['hello']), LIMIT)),
      );
      const kept = await Promise.all(staged.map(async (one) => await blobs.put(one)));
      expect(kept).toEqual(staged.map(() => ({ sha256, size_bytes: 5 })));
      expect(await blobs.list(soon())).toEqual([sha256]);
      expect(await readBlob(blobs)).toBe('hello');
    });

    it('are found again if the process ended right after the put', async () => {
      const { media, blobs } = await make();
      const staged = await media.stage(Readable.from(['hello']), LIMIT);
      await blobs.put(staged);
      expect(await blobs.put(staged)).toEqual({ sha256, size_bytes: 5 });
    });

    it('are not stored if the staged file is gone', async () => {
      const { media, blobs } = await make();
      const staged = await media.stage(Readable.from(['hello']), LIMIT);
      await media.discard(staged);
      await expect(blobs.put(staged)).rejects.toThrow('ENOENT');
    });

    it('can be deleted, also twice', async () => {
      const { media, blobs } = await make();
      await blobs.put(await media.stage(Readable.from(['hello']), LIMIT));
      expect(await blobs.delete(sha256, soon())).toBe(true);
      expect(await blobs.delete(sha256, soon())).toBe(false);
      expect(await readBlob(blobs)).toBeUndefined();
    });

    it('stay if they were put after the time given to the deletion', async () => {
      const { media, blobs } = await make();
      await blobs.put(await media.stage(Readable.from(['hello']), LIMIT));
      expect([await blobs.list(before()), await blobs.delete(sha256, before())]).toEqual([[], false]);
      expect(await readBlob(blobs)).toBe('hello');
    });

    it('are read in pieces of one memory, full except for the last', async () => {
      const { media, blobs } = await make();
      const bytes = randomBytes(700_000);
      const { sha256: large } = await blobs.put(await media.stage(Readable.from([bytes]), LIMIT));
      const memory = Buffer.alloc(256 * 1024);
      const pieces: Buffer[] = [];
      for await (const piece of (await blobs.open(large))?.streamThrough(memory) ?? []) {
        expect(piece.buffer).toBe(memory.buffer);
        pieces.push(Buffer.from(piece));
      }
      expect(pieces.map(({ length }) => length)).toEqual([262_144, 262_144, 175_712]);
      expect(toHash(Buffer.concat(pieces))).toBe(large);
    });

    it.each([
      '',
      '../../etc/passwd',
      `../${'a'.repeat(61)}`,
      'A'.repeat(64),
      'g'.repeat(64),
      'a'.repeat(65),
      `${'a'.repeat(64)}\n`,
    ])('refuse the name %j', async (hostile) => {
      const { blobs } = await make();
      const message = 'sha256 must be 64 lower-case hexadecimal characters.';
      await expect(blobs.open(hostile)).rejects.toThrow(message);
      await expect(blobs.delete(hostile, new Date())).rejects.toThrow(message);
      await expect(blobs.put({ path: '/tmp/x', sha256: hostile, size_bytes: 1 })).rejects.toThrow(message);
    });
  });
}

import { createHash } from 'node:crypto';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { sweepStaging } from '../../src/media/staging.js';
import { failureOf, makeFolder, makeMedia } from './sample.js';

const sha256Of = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
const LIMIT = { limit_bytes: 1_000 };

describe('stage', () => {
  it('writes a stream to a file only its owner can read, with size and hash', async () => {
    const { media } = await makeMedia();
    const staged = await media.stage(Readable.from([Buffer.from('ab'), 'ü', new Uint8Array([1])]), LIMIT);
    const bytes = Buffer.from('abü\u0001');
    expect(staged).toEqual({ path: expect.any(String), sha256: sha256Of(bytes), size_bytes: 5 });
    expect(await readFile(staged.path)).toEqual(bytes);
    expect((await stat(staged.path)).mode & 0o777).toBe(0o600);
  });

  it('keeps the order of chunks of every size', async () => {
    const { media } = await makeMedia();
    const sizes = [
      ...Array<number>(300).fill(1),
      70_000,
      70_000,
      300_000,
      ...Array<number>(20).fill(65_536),
      5,
    ];
    const chunks = sizes.map((size, index) => Buffer.alloc(size, index));
    const bytes = Buffer.concat(chunks);
    const staged = await media.stage(Readable.from(chunks), { limit_bytes: bytes.length });
    expect(staged).toMatchObject({ sha256: sha256Of(bytes), size_bytes: bytes.length });
    expect(bytes.equals(await readFile(staged.path))).toBe(true);
  });

  it('accepts exactly the limit, refuses one byte more, and releases the stream', async () => {
    const { media, listStaged } = await makeMedia();
    expect(await media.stage(Readable.from([Buffer.alloc(1_000)]), LIMIT)).toMatchObject({
      size_bytes: 1_000,
    });
    const stream = Readable.from([Buffer.alloc(1_000), Buffer.alloc(1), Buffer.alloc(1)]);
    expect(await failureOf(media.stage(stream, LIMIT))).toBe('too_large');
    expect([stream.destroyed, (await listStaged()).length]).toEqual([true, 1]);
  });

  it('refuses an empty stream and one that breaks, and leaves nothing', async () => {
    const { media, listStaged } = await makeMedia();
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('start');
        throw new Error('the line went dead');
      })(),
    );
    expect(await failureOf(media.stage(Readable.from([]), LIMIT))).toBe('empty');
    expect(await failureOf(media.stage(broken, LIMIT))).toBe('truncated');
    expect(await listStaged()).toEqual([]);
  });

  it('discards a file, also twice', async () => {
    const { media, listStaged } = await makeMedia();
    const staged = await media.stage(Readable.from(['x']), LIMIT);
    await media.discard(staged);
    await media.discard(staged);
    expect(await listStaged()).toEqual([]);
  });
});

describe('sweepStaging', () => {
  it('removes old files of ours, and returns their number', async () => {
    const dir = await makeFolder();
    const now = new Date('2026-11-20T12:00:00Z');
    for (const [name, age_hours] of [
      ['old.part', 30],
      ['new.part', 1],
      ['old.other', 30],
    ] as const) {
      await writeFile(join(dir, name), 'x');
      const at = new Date(now.getTime() - age_hours * 3_600_000);
      await utimes(join(dir, name), at, at);
    }
    expect(await sweepStaging(dir, new Date(now.getTime() - 24 * 3_600_000))).toBe(1);
    expect((await readdir(dir)).toSorted()).toEqual(['new.part', 'old.other']);
  });

  it('finds nothing in a folder that does not exist', async () => {
    expect(await sweepStaging(join(await makeFolder(), 'none'), new Date())).toBe(0);
  });
});

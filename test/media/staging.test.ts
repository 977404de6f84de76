import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { sweepStaging } from '../../src/media/staging.js';
import { failureOf, fixture, makeFolder, makeMedia } from './sample.js';

const sha256Of = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
const LIMIT = { limit_bytes: 1_000 };

describe('stage', () => {
  it('writes a stream to a file of the owner alone, with size and hash', async () => {
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

  it('takes exactly the limit, refuses one byte more, and lets go of the stream', async () => {
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

  it('discards, also twice', async () => {
    const { media, listStaged } = await makeMedia();
    const staged = await media.stage(Readable.from(['x']), LIMIT);
    await media.discard(staged);
    await media.discard(staged);
    expect(await listStaged()).toEqual([]);
  });
});

describe('stageLocal', () => {
  it('copies a file', async () => {
    const { media } = await makeMedia();
    const bytes = await readFile(fixture('pattern.pdf'));
    const staged = await media.stageLocal(fixture('pattern.pdf'), LIMIT);
    expect([staged.sha256, await readFile(staged.path)]).toEqual([sha256Of(bytes), bytes]);
  });

  it('refuses links, folders, pipes, what is missing and what is too large', async () => {
    const { media, listStaged } = await makeMedia();
    const dir = await makeFolder();
    await symlink(fixture('notes.txt'), join(dir, 'link'));
    execFileSync('mkfifo', [join(dir, 'pipe')]);
    for (const path of [join(dir, 'link'), dir, join(dir, 'pipe'), join(dir, 'missing'), '/dev/zero']) {
      expect([path, await failureOf(media.stageLocal(path, LIMIT))]).toEqual([path, 'unreadable']);
    }
    expect(await failureOf(media.stageLocal(fixture('mug-front.jpg'), LIMIT))).toBe('too_large');
    expect(await listStaged()).toEqual([]);
  });
});

describe('sweepStaging', () => {
  it('removes what is old and ours, and answers how many', async () => {
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

describe('kept bytes', () => {
  const sha256 = sha256Of('hello');

  it('lie under their hash, in files and folders of the owner alone', async () => {
    const { media, dir, listStaged } = await makeMedia();
    const path = join(dir, 'blobs', sha256.slice(0, 2), sha256.slice(2));
    expect(await media.findBlobPath(sha256)).toBeUndefined();
    expect(await media.commit(await media.stage(Readable.from(['hello']), LIMIT))).toEqual({
      sha256,
      size_bytes: 5,
    });
    expect([await media.findBlobPath(sha256), await readFile(path, 'utf8')]).toEqual([path, 'hello']);
    const modes = [path, join(path, '..'), join(dir, 'blobs')].map(
      async (at) => (await stat(at)).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o600, 0o700, 0o700]);
    expect(await listStaged()).toEqual([]);
  });

  it('are stored once however often and however close together they are committed', async () => {
    const { media, dir } = await makeMedia();
    const staged = await Promise.all(
      Array.from({ length: 8 }, async () => await media.stage(Readable.from(['hello']), LIMIT)),
    );
    const blobs = await Promise.all(staged.map(async (one) => await media.commit(one)));
    expect(blobs).toEqual(staged.map(() => ({ sha256, size_bytes: 5 })));
    expect(await readdir(join(dir, 'blobs', sha256.slice(0, 2)))).toEqual([sha256.slice(2)]);
  });

  it('are found again when the move happened but nobody was told', async () => {
    const { media } = await makeMedia();
    const staged = await media.stage(Readable.from(['hello']), LIMIT);
    await media.commit(staged);
    expect(await media.commit(staged)).toEqual({ sha256, size_bytes: 5 });
  });

  it('are not claimed to exist when the staged file is gone', async () => {
    const { media } = await makeMedia();
    const staged = await media.stage(Readable.from(['hello']), LIMIT);
    await media.discard(staged);
    await expect(media.commit(staged)).rejects.toThrow('ENOENT');
  });

  it('can be deleted, also twice', async () => {
    const { media } = await makeMedia();
    await media.commit(await media.stage(Readable.from(['hello']), LIMIT));
    const soon = new Date(Date.now() + 60_000);
    expect(await media.deleteBlob(sha256, soon)).toBe(true);
    expect(await media.deleteBlob(sha256, soon)).toBe(false);
    expect(await media.findBlobPath(sha256)).toBeUndefined();
  });

  it('stay when they were committed after the time', async () => {
    const { media } = await makeMedia();
    await media.commit(await media.stage(Readable.from(['hello']), LIMIT));
    expect(await media.deleteBlob(sha256, new Date(Date.now() - 60_000))).toBe(false);
    expect(await media.findBlobPath(sha256)).toBeDefined();
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
    const { media } = await makeMedia();
    const message = 'sha256 must be 64 lower-case hexadecimal characters.';
    await expect(media.findBlobPath(hostile)).rejects.toThrow(message);
    await expect(media.deleteBlob(hostile, new Date())).rejects.toThrow(message);
    await expect(media.commit({ path: '/tmp/x', sha256: hostile, size_bytes: 1 })).rejects.toThrow(message);
  });
});

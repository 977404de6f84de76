import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { existsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBlobFolder } from '../../src/blobs/index.js';
import { makeMedia } from '../media/sample.js';

const LIMIT = { limit_bytes: 1_000 };
const sha256 = createHash('sha256').update('hello').digest('hex');
const OTHER_DISK = '/dev/shm';
const hasOtherDisk = existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync(tmpdir()).dev;

describe('blobs in a folder', () => {
  it('are stored under their hash, once, in files and folders that only the owner can access', async () => {
    const { media, blobs, dir } = await makeMedia();
    const path = join(dir, 'blobs', sha256.slice(0, 2), sha256.slice(2));
    await blobs.put(await media.stage(Readable.from(['hello']), LIMIT));
    await blobs.put(await media.stage(Readable.from(['hello']), LIMIT));
    expect(await readFile(path, 'utf8')).toBe('hello');
    expect(await readdir(join(path, '..'))).toEqual([sha256.slice(2)]);
    const modes = [path, join(path, '..'), join(dir, 'blobs')].map(
      async (at) => (await stat(at)).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o600, 0o700, 0o700]);
  });

  it.runIf(hasOtherDisk)(
    'arrive complete from another disk, and the remains of a crash are removed',
    async () => {
      const far = await mkdtemp(join(OTHER_DISK, 'blobs-'));
      onTestFinished(() => rm(far, { recursive: true }));
      const { media, blobs, listStaged } = await makeMedia({}, () => createBlobFolder(far));
      await blobs.put(await media.stage(Readable.from(['hello']), LIMIT));
      const folder = join(far, sha256.slice(0, 2));
      expect([await readFile(join(folder, sha256.slice(2)), 'utf8'), await listStaged()]).toEqual([
        'hello',
        [],
      ]);
      const left = join(folder, `${sha256.slice(2)}.x.part.copied`);
      await writeFile(left, 'hel');
      await utimes(left, 1, 1);
      expect(await blobs.list(new Date(Date.now() - 60_000))).toEqual([]);
      expect(await readdir(folder)).toEqual([sha256.slice(2)]);
    },
  );

  it('that are put again while they are being deleted stay', async () => {
    const { media, blobs, dir } = await makeMedia();
    const path = join(dir, 'blobs', sha256.slice(0, 2), sha256.slice(2));
    // One must come between two steps of the other, so it starts at different moments.
    for (let times = 0; times < 300; times += 1) {
      await blobs.put(await media.stage(Readable.from(['hello']), LIMIT));
      await utimes(path, 1, 1);
      const again = await media.stage(Readable.from(['hello']), LIMIT);
      const putting = blobs.put(again);
      for (let turns = times % 30; turns > 0; turns -= 1) await nextTurn();
      await Promise.all([putting, blobs.delete(sha256, new Date(Date.now() - 60_000))]);
      expect([times, await readFile(path, 'utf8')]).toEqual([times, 'hello']);
      expect(await readdir(join(path, '..'))).toEqual([sha256.slice(2)]);
    }
  });

  it('left half deleted by a crash are available again from the next lookup on', async () => {
    const { media, blobs, dir } = await makeMedia();
    await blobs.put(await media.stage(Readable.from(['hello']), LIMIT));
    const folder = join(dir, 'blobs', sha256.slice(0, 2));
    const path = join(folder, sha256.slice(2));
    const aside = `${path}.${randomUUID()}.aside`;
    await rename(path, aside);
    await utimes(aside, 1, 1);
    // As if just put, so no lookup at this moment takes them for old.
    expect(await blobs.list(new Date(Date.now() - 60_000))).toEqual([]);
    expect([await readdir(folder), await readFile(path, 'utf8')]).toEqual([[sha256.slice(2)], 'hello']);
    // If they were put again since, there is nothing to restore.
    await writeFile(aside, 'hello');
    expect(await blobs.list(new Date(Date.now() + 60_000))).toEqual([sha256]);
    expect(await readdir(folder)).toEqual([sha256.slice(2)]);
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

import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { findFault } from '../../src/core/faults.js';
import { createDiskSpace } from '../../src/media/disk_space.js';
import { makeFolder, makeMedia, serve } from './sample.js';

const MEGABYTE = 1_000_000;
const FULL = 'disk_full';

/** The code of the failure's fault, or 'ok'. */
const tell = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (cause: unknown) => findFault(cause)?.code,
  );

/** The bytes to keep free so that files of about `size_bytes` still fit. */
async function leaveRoom(size_bytes: number): Promise<number> {
  const { bavail, bsize } = await statfs(tmpdir());
  return bavail * bsize - size_bytes;
}

it('a file that would leave too little free space is refused before it is read, in every way it can arrive', async () => {
  const min_free_bytes = 1e15;
  const { media, listStaged } = await makeMedia({ min_free_bytes });
  const unread = Readable.from([Buffer.alloc(10)]);
  expect(await tell(media.stage(unread, { limit_bytes: 100 }))).toBe(FULL);
  const { base_url } = await serve((_request, response) => response.end('bytes'));
  const limits = { named_by: 'caller' as const, owner: 'test', limit_bytes: 100, deadline_ms: 5_000 };
  expect(await tell(media.fetchFile(`${base_url}/a`, limits))).toBe(FULL);
  expect(unread.readableDidRead).toBe(false);
  expect(await listStaged()).toEqual([]);
});

it('space reserved for one file is not given to another until it is released', async () => {
  const folder = await makeFolder();
  const disk = createDiskSpace(await leaveRoom(10_000 * MEGABYTE));
  const first = await disk.hold(folder, 9_000 * MEGABYTE);
  expect(await tell(disk.hold(folder, 9_000 * MEGABYTE))).toBe(FULL);
  first.release();
  const again = await disk.hold(folder, 9_000 * MEGABYTE);
  expect(await tell(Promise.resolve(again.take(9_000 * MEGABYTE)))).toBe('ok');
  // Written bytes may not have reached the disk yet.
  expect(await tell(disk.hold(folder, 9_000 * MEGABYTE))).toBe(FULL);
  again.release();
  expect(await tell(disk.hold(folder, 9_000 * MEGABYTE))).toBe('ok');
});

it('a file that grows beyond its reserved space is refused midway', async () => {
  const folder = await makeFolder();
  const disk = createDiskSpace(await leaveRoom(10_000 * MEGABYTE));
  const room = await disk.hold(folder);
  const other = await disk.hold(folder, 9_990 * MEGABYTE);
  const takeAll = async () => {
    for (let taken = 0; taken < 1_000; taken += 10) await room.take(10 * MEGABYTE);
  };
  expect(await tell(takeAll())).toBe(FULL);
  other.release();
  room.release();
});

/** A disk of its own, which only an administrator can mount. */
const canMount = await (async () => {
  const folder = await mkdtemp(join(tmpdir(), 'probe-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  if (status === 0) spawnSync('umount', [folder]);
  await rm(folder, { recursive: true });
  return status === 0;
})();

it.skipIf(!canMount)(
  'parallel downloads fill a small disk only up to the reserve, and leave nothing behind',
  async () => {
    const folder = await makeFolder();
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder]);
    onTestFinished(() => void spawnSync('umount', [folder]));
    const bytes = randomBytes(6 * MEGABYTE);
    const { base_url } = await serve((request, response) => {
      // One announces its size, the other does not.
      if (request.url === '/told') response.setHeader('content-length', bytes.length);
      response.end(bytes);
    });
    const staging_dir = join(folder, 'staging');
    for (const path of ['/told', '/untold']) {
      const { media } = await makeMedia({ staging_dir, min_free_bytes: 2 * MEGABYTE });
      const limits = {
        named_by: 'caller' as const,
        owner: 'test',
        limit_bytes: 100 * MEGABYTE,
        deadline_ms: 20_000,
      };
      const all = await Promise.allSettled(
        Array.from({ length: 8 }, () => media.fetchFile(base_url + path, limits)),
      );
      const staged = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const reported = all.flatMap((one) => (one.status === 'rejected' ? [findFault(one.reason)?.code] : []));
      expect(new Set(reported)).toEqual(new Set([FULL]));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(staged.map((file) => file.sha256)).toEqual(staged.map(() => sha256));
      expect((await readdir(staging_dir)).length).toBe(staged.length);
      const { bavail, bsize } = await statfs(folder);
      expect(bavail * bsize).toBeGreaterThanOrEqual(2 * MEGABYTE);
      await Promise.all(staged.map((file) => media.discard(file)));
    }
  },
);

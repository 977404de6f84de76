import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createDiskCheck } from '../../src/compose/disk_check.js';

const folder = await mkdtemp(join(tmpdir(), 'disk-'));
/** A disk of its own, which only an administrator can mount; otherwise the tests that need it are skipped. */
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0;
afterAll(async () => {
  if (isMounted) spawnSync('umount', [folder]);
  await rm(folder, { recursive: true });
});

it('a writable disk with room has no troubles, and the check leaves nothing on it', async () => {
  expect(await createDiskCheck(folder).listTroubles()).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
});

it('a missing folder is reported', async () => {
  const check = createDiskCheck(join(folder, 'gone'));
  expect(await check.listTroubles()).toEqual(['DATA_DIR cannot be written to (ENOENT)']);
  expect(await check.getFreeBytes()).toBeUndefined();
});

it('the disk is checked once for all simultaneous callers', async () => {
  const check = createDiskCheck(folder);
  const [first, ...others] = Array.from({ length: 1_000 }, () => check.listTroubles());
  expect(new Set([first, ...others]).size).toBe(1);
  await first;
});

it.skipIf(!isMounted)('a full disk and a read-only one are reported', async () => {
  const filler = join(folder, 'filler');
  await writeFile(filler, Buffer.alloc(2_000_000)).catch(() => undefined);
  expect(await createDiskCheck(folder).listTroubles()).toContain(
    'the disk of DATA_DIR is full: files must leave its last 100 MB free',
  );
  await rm(filler);
  spawnSync('mount', ['-o', 'remount,ro', folder]);
  expect(await createDiskCheck(folder).listTroubles()).toEqual(['DATA_DIR cannot be written to (EROFS)']);
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openRig } from './harness.js';

/** A disk of its own, which only an administrator can make: elsewhere this file says that it did not run. */
const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder]).status === 0;
afterAll(() => {
  if (isMounted) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true });
});

it.skipIf(!isMounted)('a sandbox on a full disk says so, and goes on when there is room', async () => {
  const rig = await openRig({ database_file: join(folder, 'sandbox.db') });
  try {
    const filler = join(folder, 'filler');
    try {
      writeFileSync(filler, Buffer.alloc(4 * 1024 * 1024));
    } catch {
      // As much as there is room for stays.
    }
    await expect(rig.createMug({ description: 'x'.repeat(500_000) })).rejects.toThrow('the disk is full');
    rmSync(filler);
    expect(await rig.createMug()).toBeGreaterThan(0);
  } finally {
    await rig.sandbox.close();
  }
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { mountSmallDisk } from '../small_disk.js';
import { openRig } from './harness.js';

/** A disk of its own, which only an administrator can mount; otherwise this file's tests are skipped. */
const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
const disk = mountSmallDisk(folder, 3);
afterAll(() => {
  disk?.close();
  rmSync(folder, { recursive: true });
});

it.skipIf(!disk)('a sandbox on a full disk reports it, and continues when there is room', async () => {
  const rig = await openRig({ database_file: join(folder, 'sandbox.db') });
  try {
    disk?.fill();
    await expect(rig.createMug({ description: 'x'.repeat(500_000) })).rejects.toThrow('the disk is full');
    disk?.free();
    expect(await rig.createMug()).toBeGreaterThan(0);
  } finally {
    await rig.sandbox.close();
  }
});

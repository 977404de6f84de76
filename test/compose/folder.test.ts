import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { claimFolder } from '../../src/compose/folder.js';

it('a folder stays bound to the marketplace it was first used with', async () => {
  const data_dir = await mkdtemp(join(tmpdir(), 'listing-folder-'));
  try {
    await Promise.all([1, 2, 3].map(() => claimFolder(data_dir, 'sandbox')));
    await expect(claimFolder(data_dir, 'etsy')).rejects.toThrow(
      `DATA_DIR ${data_dir} was created with MARKETPLACE=sandbox. Choose another folder for MARKETPLACE=etsy.`,
    );
  } finally {
    await rm(data_dir, { recursive: true, force: true });
  }
});

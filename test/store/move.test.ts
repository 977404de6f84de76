import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openFolderTarget } from '../../src/store/index.js';

it('does not replace a database that was created in the folder during a move', async () => {
  const data_dir = await mkdtemp(join(tmpdir(), 'move-'));
  onTestFinished(() => rm(data_dir, { recursive: true }));
  const target = await openFolderTarget(data_dir);
  onTestFinished(() => target.close());
  const begun = join(data_dir, 'service.db');
  await writeFile(begun, 'of another program');
  await expect(target.finish()).rejects.toThrow('has got a database while this one was moved');
  expect(await readFile(begun, 'utf8')).toBe('of another program');
});

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { replaceConfigFile } from '../../../src/cli/setup/config_file.js';

it('a file that another program changed or created in the meantime is left alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'config-file-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'mcp.json');
  await writeFile(file, 'newer');
  for (const old of ['older', undefined]) {
    await expect(replaceConfigFile(file, { old, text: 'mine' })).rejects.toThrow(
      `${file} was just changed by another program, so it was not updated. Try again.`,
    );
  }
  expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual(['newer', ['mcp.json']]);
});

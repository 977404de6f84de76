import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { AddonError, loadAddon } from '../../../src/sqlite.js';
import { openSqlite } from '../../../src/store/engine/sqlite/sqlite.js';

const require = createRequire(import.meta.url);

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'addon-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** The error message: one sentence on one line. */
const SENTENCE = new RegExp(
  `^The SQLite addon of this copy \\(better-sqlite3 [\\d.]+\\) does not load in Node ${process.versions.node} on [^\\n]+$`,
);

it('reports in one sentence that an addon was built for another platform', async () => {
  const file = join(await makeFolder(), 'foreign.node');
  await writeFile(file, 'of another computer');
  const load = () => loadAddon((): unknown => require(file));
  expect(load).toThrow(AddonError);
  expect(load).toThrow(SENTENCE);
});

it('reports in one sentence that an addon is missing', async () => {
  const file = join(await makeFolder(), 'missing.node');
  expect(() => loadAddon((): unknown => require(file))).toThrow(SENTENCE);
});

it('passes database errors through unchanged', async () => {
  const file = join(await makeFolder(), 'no', 'folder', 'x.db');
  expect(() => openSqlite(file)).toThrow(/directory does not exist/);
});

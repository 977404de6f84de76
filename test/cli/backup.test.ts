import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

const run = promisify(execFile);
const CLI = join(import.meta.dirname, '..', '..', 'dist', 'src', 'cli.js');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'listing-backup-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function runCli(...args: string[]) {
  const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' };
  return run(process.execPath, [CLI, ...args], { env });
}

it('backup copies the database, readable only by its owner, and never overwrites a file', async () => {
  const file = join(folder, 'copy.db');
  await expect(runCli('backup', file)).rejects.toThrow('There is no database at');
  await runCli('keys', 'create');
  const { stdout } = await runCli('backup', file);
  expect(stdout).toMatch(new RegExp(`^${file}, \\d+ bytes, checked\\.\\n$`));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await expect(runCli('backup', file)).rejects.toThrow('exists already');
});

it('backup --all copies everything into a folder, says what a restore needs, and can be restored into an empty place', async () => {
  await runCli('keys', 'create');
  const copy = join(folder, 'all');
  const { stdout } = await runCli('backup', '--all', copy);
  expect(stdout).toMatch(new RegExp(`^${copy}: the database \\(\\d+ bytes, checked\\) and 0 files`));
  expect(stdout).toContain(
    'It does not include the key. A restore also needs the file master.key of the data folder',
  );
  await expect(runCli('restore', copy)).rejects.toThrow('is not empty');
  const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'restored'), LOG_LEVEL: 'silent' };
  const restored = await run(process.execPath, [CLI, 'restore', copy], { env });
  expect(restored.stdout).toContain('The backup has no key: put the master.key from that time into');
  await expect(run(process.execPath, [CLI, 'keys', 'list'], { env })).rejects.toThrow(
    'master.key is missing',
  );
});

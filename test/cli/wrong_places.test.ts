import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { buildEnvironment, runCli } from '../surfaces/faces.js';

const folder = await mkdtemp(join(tmpdir(), 'places-'));
const file = join(folder, 'file');
await writeFile(file, '');
const read_only = join(folder, 'read-only');
await mkdir(read_only);
/** Only an administrator can make one; otherwise the tests that need it are skipped. */
const isMounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', read_only]).status === 0;
if (isMounted) {
  await mkdir(join(read_only, 'data'), { mode: 0o700 });
  spawnSync('mount', ['-o', 'remount,ro', read_only]);
}
afterAll(async () => {
  if (isMounted) spawnSync('umount', [read_only]);
  await chmod(read_only, 0o700);
  await rm(folder, { recursive: true });
});

const run = async (args: string[], env: Record<string, string>) => {
  const { code, stderr } = await runCli(args, { ...buildEnvironment(join(folder, 'data')), ...env });
  return [code, stderr.trim()];
};
const WRONG_KIND = 'Expected a folder but found a file, or the reverse.';

const describeWrong = (path: string) => [
  1,
  expect.stringMatching(`^listing-service: ${path}: ${WRONG_KIND}`),
];

it('a data folder that is a file, or is inside one, is reported in one sentence', async () => {
  expect(await run(['keys', 'list'], { DATA_DIR: file })).toEqual(describeWrong(file));
  expect(await run(['serve'], { DATA_DIR: join(file, 'data') })).toEqual(describeWrong(join(file, 'data')));
  const BLOB_STORE = `file://${file}`;
  expect(await run(['shops'], { BLOB_STORE })).toEqual(describeWrong(join(file, 'installation')));
});

it('a key file that is a folder is reported in one sentence', async () => {
  const DATA_DIR = join(folder, 'keyless');
  await mkdir(join(DATA_DIR, 'master.key'), { recursive: true, mode: 0o700 });
  expect(await run(['keys', 'list'], { DATA_DIR })).toEqual([1, expect.stringContaining(WRONG_KIND)]);
});

it.skipIf(!isMounted)('a read-only disk is reported in one sentence', async () => {
  const printed = [
    1,
    expect.stringMatching(
      /^listing-service: .*The service has no permission to read or write its data folder\. Give the user/,
    ),
  ];
  expect(await run(['keys', 'list'], { DATA_DIR: join(read_only, 'data') })).toEqual(printed);
  const unmade = [1, expect.stringMatching(/^listing-service: .+ make sure that the disk is not read-only/)];
  expect(await run(['keys', 'list'], { DATA_DIR: join(read_only, 'new') })).toEqual(unmade);
  expect(await run(['shops'], { BLOB_STORE: `file://${read_only}/files` })).toEqual(unmade);
});

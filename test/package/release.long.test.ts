import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/sources.js';
import { IS_WHOLE } from '../whole.js';

/* Does not cover the package and the bundle, which .ci/run builds and starts. */

let folder: string;
let clone: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'listing-release-test-'));
  clone = join(folder, 'clone');
  execFileSync('git', ['clone', '-q', ROOT, clone]);
  await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function release(...args: string[]) {
  const script = join(clone, '.ci', 'release.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--quick', ...args], {
    cwd: clone,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const readJson = async (file: string) =>
  JSON.parse(await readFile(join(clone, file), 'utf8')) as { version: string };
const listChanged = () =>
  execFileSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' }).trim();

describe('npm run release', () => {
  // Only in full: a dry run repeats the whole release in a second clone.
  it.runIf(IS_WHOLE)('only prints its steps with --dry-run', () => {
    const { stdout } = release('9.8.7', '--dry-run');
    expect(stdout).toContain('passed  changelog\npassed  tag\n');
    expect(stdout).toContain('passed  versions, manifests and image\n');
    expect(stdout).toContain('git tag v9.8.7');
    expect(listChanged()).toBe('');
  });

  it('refuses a changelog without the version, an existing tag, and a manifest of another version', async () => {
    const { version } = await readJson('package.json');
    const manifest = await readFile(join(clone, 'manifest.json'), 'utf8');
    await writeFile(join(clone, 'manifest.json'), manifest.replace(`"${version}"`, '"9.9.9"'));
    execFileSync('git', ['tag', `v${version}`], { cwd: clone });
    const { status, stdout } = release();
    expect(status).toBe(1);
    expect(stdout).toContain('FAILED  changelog: its first section is "Unreleased".');
    expect(stdout).toContain(`FAILED  tag: v${version} is released.`);
    expect(stdout).toContain('FAILED  versions, manifests and image');
  });

  it('writes the version into every description and the changelog', async () => {
    const { stdout } = release('9.8.7');
    expect(stdout).toContain('passed  changelog\npassed  tag\n');
    expect(stdout).toContain('passed  versions, manifests and image\n');
    const files = [
      'package.json',
      'package-lock.json',
      'manifest.json',
      'server.json',
      'gemini-extension.json',
    ];
    for (const file of [...files, '.claude-plugin/plugin.json']) {
      expect({ file, version: (await readJson(file)).version }).toEqual({ file, version: '9.8.7' });
    }
    expect(await readFile(join(clone, 'CHANGELOG.md'), 'utf8')).toMatch(/^## 9\.8\.7 \(\d{4}-\d\d-\d\d\)$/m);
  });

  it.each([['1.x'], ['1.2.3', '1.2.4'], ['--draft']])('refuses %s', (...args) => {
    const { status, stdout, stderr } = release(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('npm run release -- [VERSION] [--dry-run] [--quick]');
  });
});

import { mkdir, mkdtemp, open, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLocalFile } from '../../../src/core/uploads/local_files.js';
import { isFoundInside, isInside } from '../../../src/core/uploads/opened_file.js';
import { startSwapping } from './swapping.js';

let home: string;
let roots: string[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'listing-home-'));
  roots = [join(home, 'Downloads'), join(home, 'Pictures')];
  await mkdir(join(home, 'Downloads', 'mug'), { recursive: true });
  await writeFile(join(home, 'Downloads', 'mug', 'front.jpg'), 'x');
  await writeFile(join(home, 'Downloads', 'mug', '.hidden'), 'x');
  await writeFile(join(home, 'secret.txt'), 'x');
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function read(path: string): Promise<string> {
  const { file, name } = await openLocalFile(path, roots);
  try {
    return `${name}: ${await file.readFile('utf8')}`;
  } finally {
    await file.close();
  }
}

const refuse = (path: string) =>
  read(path).then(
    () => 'taken',
    (error: Error) => error.message,
  );

describe('openLocalFile', () => {
  it.each([
    ['absolute', () => join(home, 'Downloads', 'mug', 'front.jpg')],
    ['from home', () => '~/Downloads/mug/front.jpg'],
    ['from the folder that holds the root', () => 'Downloads/mug/front.jpg'],
    ['from the root', () => 'mug/front.jpg'],
  ])('understands a path %s', async (_how, build) => {
    expect(await read(build())).toBe('front.jpg: x');
  });

  it('answers a folder with the names in it', async () => {
    expect(await refuse('Downloads/mug')).toBe(
      'path: is a folder; it holds front.jpg; upload each by its own path',
    );
    expect(await refuse(roots[0] ?? '')).toBe(
      'path: is a folder; it holds mug/; upload each by its own path',
    );
  });

  it('says the same of what is missing, forbidden, or led to by a link', async () => {
    await symlink(join(home, 'secret.txt'), join(home, 'Downloads', 'link.txt'));
    const paths = [
      'nothing.jpg',
      join(home, 'secret.txt'),
      '../secret.txt',
      'Downloads/../secret.txt',
      'link.txt',
      '/etc/passwd',
      'a\0b',
    ];
    const answers = await Promise.all(paths.map(refuse));
    expect(new Set(answers)).toEqual(
      new Set([`path: is not a file inside the folders that may be read: ${roots.join(', ')}`]),
    );
  });
});

describe('a folder that is swapped for a link to one outside, again and again', () => {
  const TRIES = 2_000;

  beforeEach(async () => {
    await mkdir(join(home, 'outside'));
    await writeFile(join(home, 'outside', 'front.jpg'), 'secret');
    await writeFile(join(home, 'outside', 'secret.jpg'), 'secret');
  });

  it('lets nothing outside be read', { timeout: 60_000 }, async () => {
    const swapping = await startSwapping(join(home, 'Downloads', 'mug'), join(home, 'outside'));
    const seen = new Set<string>();
    for (let n = 0; n < TRIES; n += 1) {
      seen.add(await read('mug/front.jpg').catch((error: Error) => error.message.slice(0, 20)));
      seen.add(await refuse('Downloads/mug'));
    }
    await swapping.stop();
    expect([...seen].filter((text) => text.includes('secret'))).toEqual([]);
    expect([...seen]).toContain('front.jpg: x');
    expect([...seen]).toContain('path: is not a file ');
  });

  it('does so too where only device and inode tell', { timeout: 60_000 }, async () => {
    const path = join(home, 'Downloads', 'mug', 'front.jpg');
    const folders = [await realpath(join(home, 'Downloads'))];
    const swapping = await startSwapping(join(home, 'Downloads', 'mug'), join(home, 'outside'));
    const seen = { inside: 0, refused: 0, outside: 0 };
    const isSeen = () => seen.inside > 0 && seen.refused > 0;
    // Beside other load the other process may not come to its turn for a while.
    for (let n = 0; n < TRIES || (!isSeen() && n < 100 * TRIES); n += 1) {
      const real = await realpath(path).catch(() => '');
      if (!isInside(real, folders)) continue;
      const file = await open(real).catch(() => undefined);
      if (!file) continue;
      if (!(await isFoundInside(file, real, folders))) seen.refused += 1;
      else if ((await file.readFile('utf8')) === 'x') seen.inside += 1;
      else seen.outside += 1;
      await file.close();
    }
    await swapping.stop();
    expect(seen.outside).toBe(0);
    expect(seen.inside).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0);
  });
});

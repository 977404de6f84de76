import { mkdir, mkdtemp, open, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLocalFile } from '../../../src/core/uploads/local_files.js';
import { isFoundInside, isInside } from '../../../src/core/uploads/opened_file.js';
import { IS_WHOLE } from '../../whole.js';
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
  ])('accepts a path %s', async (_how, build) => {
    expect(await read(build())).toBe('front.jpg: x');
  });

  it('lists the names in a folder', async () => {
    expect(await refuse('Downloads/mug')).toBe(
      'path: is a folder that contains "front.jpg"; upload each file by its own path',
    );
    expect(await refuse(roots[0] ?? '')).toBe(
      'path: is a folder that contains "mug/"; upload each file by its own path',
    );
  });

  it('gives the same answer for missing and forbidden files outside the folders', async () => {
    const paths = [join(home, 'secret.txt'), join(home, 'none.txt'), '../secret.txt', '/etc/passwd', 'a\0b'];
    expect(new Set(await Promise.all(paths.map(refuse)))).toEqual(
      new Set([
        `path: is outside the folders that the service can read (${roots.join(', ')}); move the file there, or send its content in file`,
      ]),
    );
  });

  it('gives the same answer for missing files inside the folders and links that lead out', async () => {
    await symlink(join(home, 'secret.txt'), join(home, 'Downloads', 'link.txt'));
    await symlink(join(home, 'none.txt'), join(home, 'Downloads', 'dead.txt'));
    await symlink(join(home, 'secret.txt'), join(home, 'Downloads', 'a\u202fb.txt'));
    await symlink(home, join(home, 'Downloads', 'out'));
    const paths = [
      'nothing.jpg',
      'Downloads/../secret.txt',
      'link.txt',
      'links.txt',
      'dead.txt',
      'a b.txt',
      'out/secret.txt',
      'out/secrets.txt',
      'out/none.txt',
      'mug/none/none.jpg',
    ];
    expect(new Set(await Promise.all(paths.map(refuse)))).toEqual(
      new Set([`path: was not found in the folders that the service can read (${roots.join(', ')})`]),
    );
  });

  it.each([
    [
      'a narrow space',
      'Screenshot 2026-11-20 at 3.14.15\u202fPM.png',
      'Screenshot 2026-11-20 at 3.14.15 PM.png',
    ],
    ['a space without a break', 'blue\u00a0mug.jpg', 'blue mug.jpg'],
    ['two spaces', 'blue  mug.jpg', 'blue mug.jpg'],
    ['decomposed letters', 'Grün.jpg'.normalize('NFD'), 'Grün.jpg'],
  ])('finds a file with %s in its name for a path that looks the same', async (_what, name, asked) => {
    await mkdir(join(home, 'Pictures', name), { recursive: true });
    await writeFile(join(home, 'Pictures', name, name), 'y');
    for (const path of [
      join(asked, asked),
      join(roots[1] ?? '', asked, asked),
      `~/Pictures/${asked}/${asked}`,
    ]) {
      expect(await read(path)).toBe(`${name}: y`);
    }
  });

  it('lists the files if several differ only in spaces, and accepts the exact name', async () => {
    await writeFile(join(home, 'Downloads', 'a\u202fb.jpg'), '1');
    await writeFile(join(home, 'Downloads', 'a\u00a0b.jpg'), '2');
    const answer = await refuse('a b.jpg');
    expect(answer).toMatch(/^path: matches several files that differ only in spaces or accents: /);
    expect(answer).toContain(join(home, 'Downloads', String.raw`a\u202fb.jpg`));
    expect(answer).toContain(join(home, 'Downloads', String.raw`a\u00a0b.jpg`));
    expect(await read('a\u00a0b.jpg')).toBe('a\u00a0b.jpg: 2');
  });

  it('suggests the nearest file if none has that name', async () => {
    const nearest = `; did you mean "${join(home, 'Downloads', 'mug', 'front.jpg')}"?`;
    expect(await refuse('mug/frnt.jpg')).toMatch(
      /^path: was not found in the folders that the service can read \(/,
    );
    expect(await refuse('mug/frnt.jpg')).toContain(nearest);
    expect(await refuse('mug/FRONT.JPEG')).toContain(nearest);
    expect(await refuse('mug/.hiden')).not.toContain('nearest');
    expect(await refuse('mugs/front.jpg')).toContain(`; did you mean "${join(home, 'Downloads', 'mug')}"?`);
  });
});

describe('a folder that is swapped for a link to an outside folder, again and again', () => {
  const TRIES = IS_WHOLE ? 2_000 : 300;

  beforeEach(async () => {
    await mkdir(join(home, 'outside'));
    await writeFile(join(home, 'outside', 'front.jpg'), 'secret');
    await writeFile(join(home, 'outside', 'secret.jpg'), 'secret');
  });

  it('gives access to nothing outside', { timeout: 60_000 }, async () => {
    const swapping = await startSwapping(join(home, 'Downloads', 'mug'), join(home, 'outside'));
    const seen = new Set<string>();
    for (let n = 0; n < TRIES; n += 1) {
      seen.add(await read('mug/front.jpg').catch((error: Error) => error.message.slice(0, 20)));
      seen.add(await refuse('Downloads/mug'));
      seen.add(await refuse('mug/secre.jpg'));
    }
    await swapping.stop();
    expect([...seen].filter((text) => text.includes('secret'))).toEqual([]);
    expect([...seen]).toContain('front.jpg: x');
    expect([...seen]).toContain('path: was not found ');
  });

  it('gives no access either if only device and inode differ', { timeout: 60_000 }, async () => {
    const path = join(home, 'Downloads', 'mug', 'front.jpg');
    const folders = [await realpath(join(home, 'Downloads'))];
    const swapping = await startSwapping(join(home, 'Downloads', 'mug'), join(home, 'outside'));
    const seen = { inside: 0, refused: 0, outside: 0 };
    const isSeen = () => seen.inside > 0 && seen.refused > 0;
    // Under load the other process may not run for a while.
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

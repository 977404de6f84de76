import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveLocalFile } from '../../src/core/local_files.js';

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

const refuse = (path: string) =>
  resolveLocalFile(path, roots).then(
    () => 'taken',
    (error: Error) => error.message,
  );

describe('resolveLocalFile', () => {
  it.each([
    ['absolute', () => join(home, 'Downloads', 'mug', 'front.jpg')],
    ['from home', () => '~/Downloads/mug/front.jpg'],
    ['from the folder that holds the root', () => 'Downloads/mug/front.jpg'],
    ['from the root', () => 'mug/front.jpg'],
  ])('understands a path %s', async (_how, build) => {
    expect(await resolveLocalFile(build(), roots)).toBe(join(home, 'Downloads', 'mug', 'front.jpg'));
  });

  it('answers a folder with the names in it', async () => {
    expect(await refuse('Downloads/mug')).toBe(
      'path: is a folder; it holds front.jpg; upload each by its own path',
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

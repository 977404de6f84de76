import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../../src/core/make_folder.js';
import { closeDirectory } from '../../src/store/engine/sqlite/files.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'folders-'));
});
afterEach(() => rm(dir, { recursive: true }));

describe('a folder', () => {
  it('is created with its parents, private to its owner, and is left unchanged if it exists', async () => {
    const path = join(dir, 'a', 'b');
    makeFolder(path);
    makeFolder(path);
    for (const made of [join(dir, 'a'), path]) expect((await stat(made)).mode & 0o777).toBe(0o700);
  });

  it('is refused if there is a file in its place or above it', async () => {
    const file = join(dir, 'file');
    await writeFile(file, '');
    expect(() => makeFolder(file)).toThrow('EEXIST');
    expect(() => makeFolder(join(file, 'a', 'b'))).toThrow('ENOTDIR');
  });

  it.runIf(existsSync('/proc/self'))('is refused at once below a folder that accepts no other', () => {
    expect(() => makeFolder('/proc/nowhere/data')).toThrow('ENOENT');
    expect(() => closeDirectory('/proc/nowhere/data')).toThrow(
      'DATA_DIR /proc/nowhere/data cannot be made there. Name a folder on a disk.',
    );
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './sources.js';

/** As a module, also in a program written by a test; types load nothing. */
const LOADS =
  /(?<!import type \w+ )\bfrom '(better-sqlite3[\w-]*)'|(?:require|import)\(\W(better-sqlite3[\w-]*)\W\)/;

it('only src/sqlite.ts chooses between the two packages of the SQLite addon, also for tests and benchmarks', () => {
  const files = ['.ci', 'schemas', 'src', 'test', 'tools'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|mjs|sh)$/.test(name))
      .map((name) => join(folder, name)),
  );
  expect(files).toContain(join('test', 'bench', 'harness', 'engines.mjs'));
  expect(files.filter((file) => LOADS.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './sources.js';

/** The run leaves out how the call arrives and is answered, and the operation, which is outside of src. */
const NOT_RECORDED = /^(cli|transports|compose|tools)\b/;

it('the walkthrough of src/README.md names only files that a creation runs through', () => {
  const page = readFileSync(join(ROOT, 'src', 'README.md'), 'utf8');
  const walk = page.split('\n## One walkthrough')[1]?.split('\n## ')[0] ?? '';
  const named = [...walk.matchAll(/`([\w./-]+)\.ts`/g)].map(([, path = '']) => path);
  const measure = join(ROOT, 'test', 'architecture', 'measure.mjs');
  const recorded = execFileSync(process.execPath, [measure, '--files'], { encoding: 'utf8' }).split('\n');
  expect(
    named.filter((path) => !existsSync(join(ROOT, 'src', `${path}.ts`)) && !path.startsWith('tools/')),
  ).toEqual([]);
  const core = named.filter((path) => !NOT_RECORDED.test(path));
  expect(core.length).toBeGreaterThan(7);
  expect(core.filter((path) => !recorded.includes(path))).toEqual([]);
});

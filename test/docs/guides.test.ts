import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listSettings } from '../../src/config.js';
import { operations } from '../../tools/index.js';
import { readSources, ROOT } from '../architecture/sources.js';
import { buildTable } from '../table.js';

const GUIDES = join(ROOT, 'src', 'docs');

it('warnings.md explains every code that a listing can come with, and no other', async () => {
  const text = await readFile(join(GUIDES, 'warnings.md'), 'utf8');
  const explained = [...text.matchAll(/^\| `(\w+)`/gm)].map(([, code = '']) => code);
  const given = readSources()
    .filter(({ file }) =>
      /^src\/core\/(listings\/|operations\/unknown_keys\/|uploads\/photos\.ts)/.test(file),
    )
    .flatMap((source) => [...source.text.matchAll(/\bcode: '([a-z_]+)'/g)].map(([, code = '']) => code));
  expect(explained.toSorted()).toEqual([...new Set(given)].sort());
});

it('developers.md lists every operation; npm run readme writes it', async () => {
  const file = join(GUIDES, 'developers.md');
  const [before = '', after = ''] = (await readFile(file, 'utf8')).split(
    /(?<=operations: made by npm run readme -->)[^]*?(?=<!-- \/operations)/,
  );
  const rows = operations.map(({ id, title, route }) => [
    `\`${id}\``,
    title,
    `\`${route.method} ${route.path}\``,
  ]);
  const table = buildTable(['Operation', 'What it does', 'Route'], rows);
  await expect(`${before}\n\n${table}\n\n${after}`).toMatchFileSnapshot(file);
});

it('operators.md lists every setting; npm run readme writes it', async () => {
  const file = join(GUIDES, 'operators.md');
  const [before = '', after = ''] = (await readFile(file, 'utf8')).split(
    /(?<=made by npm run readme -->)[^]*?(?=<!-- \/settings)/,
  );
  // Of a folder that differs from one computer to the next, only that there is one.
  const rows = listSettings().map(({ variable, default: fallback, description }) => [
    `\`${variable}\``,
    description,
    fallback.includes(homedir()) ? 'in your home folder' : fallback,
  ]);
  const table = buildTable(['Variable', 'What it is', 'Default'], rows);
  await expect(`${before}\n\n${table}\n\n${after}`).toMatchFileSnapshot(file);
});

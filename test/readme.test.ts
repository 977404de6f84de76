import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { operations } from '../tools/index.js';
import { buildTable } from './table.js';

const README = join(import.meta.dirname, '..', 'README.md');
const OPEN = '<!-- operations: made by npm run readme -->';
const CLOSE = '<!-- /operations -->';

it("holds README's table of operations against the operations; npm run readme writes it", async () => {
  const text = await readFile(README, 'utf8');
  const [before, rest = ''] = text.split(OPEN);
  const [, after] = rest.split(CLOSE);
  expect(after, 'the markers of the table are missing').toBeDefined();
  const rows = operations.map(({ id, title, route }) => [
    `\`${id}\``,
    title,
    `\`${route.method} ${route.path}\``,
  ]);
  const table = buildTable(['Operation', 'What it does', 'Route'], rows);
  await expect(`${before}${OPEN}\n\n${table}\n\n${CLOSE}${after}`).toMatchFileSnapshot(README);
});

it("shows at most five rows of the bench's table, as they stand there", async () => {
  const shown = listRows(await readFile(README, 'utf8'));
  const all = listRows(await readFile(join(import.meta.dirname, 'bench', 'README.md'), 'utf8'));
  expect(shown.filter((row) => !all.includes(row))).toEqual([]);
  expect(shown.length).toBeLessThanOrEqual(5);
});

/** Of the table that `npm run bench` writes, without its head; columns are as wide as each table needs. */
function listRows(text: string): string[] {
  const table = /<!-- speed: [^>]*-->(.*)<!-- \/speed -->/s.exec(text)?.[1];
  if (table === undefined) throw new Error('the markers of the table are missing');
  const rows = table.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => row.replace(/ +/g, ' '));
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { operations } from '../tools/index.js';

const README = join(import.meta.dirname, '..', 'README.md');
const OPEN = '<!-- operations: made by npm run readme -->';
const CLOSE = '<!-- /operations -->';

it("holds README's table of operations against the operations; npm run readme writes it", async () => {
  const text = await readFile(README, 'utf8');
  const [before, rest = ''] = text.split(OPEN);
  const [, after] = rest.split(CLOSE);
  expect(after, 'the markers of the table are missing').toBeDefined();
  await expect(`${before}${OPEN}\n\n${buildTable()}\n\n${CLOSE}${after}`).toMatchFileSnapshot(README);
});

function buildTable(): string {
  const rows = operations.map(({ id, title, route }) => [
    `\`${id}\``,
    title,
    `\`${route.method} ${route.path}\``,
  ]);
  const head = ['Operation', 'What it does', 'Route'];
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const rule = widths.map((width) => '-'.repeat(width));
  const toLine = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [head, rule, ...rows].map(toLine).join('\n');
}

import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

/**
 * Writes rows into the table of a README between the marks `<!-- NAME: made by … -->` and `<!-- /NAME -->`. A
 * row replaces the one with the same first cell; other rows stay.
 */
export async function updateTable(readme, name, heads, rows) {
  const text = readFileSync(readme, 'utf8');
  const place = new RegExp(`(?<=<!-- ${name}: made by [^>]* -->)[^]*?(?=<!-- /${name} -->)`);
  const [table = ''] = place.exec(text) ?? [];
  const before = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const all = new Map([...before, ...rows].map((row) => [row[0], row]));
  const lines = [heads, heads.map(() => '---'), ...all.values()].map((cells) => `| ${cells.join(' | ')} |`);
  const written = text.replace(place, () => `\n\n${lines.join('\n')}\n\n`);
  writeFileSync(readme, await format(written, { ...(await resolveConfig(readme)), filepath: readme }));
}

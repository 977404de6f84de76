import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { updateTable } from '../readme_table.mjs';
import { PLANTED } from './planted.mjs';

/** The tables of the README.md in this folder, which --write fills in. */

const README = join(import.meta.dirname, 'README.md');
const FIGURES = ['virtual_hours', 'calls', 'requests', 'faults', 'crashes'];

/** @param found by name, the number of seeds until a planted fault was found; undefined if it was not found */
export async function writePlanted(found) {
  const rows = PLANTED.flatMap(({ name, what }) =>
    found.has(name) ? [[`${name}: ${what}`, String(found.get(name) ?? 'not found')]] : [],
  );
  await updateTable(README, 'planted', ['fault', 'seeds'], rows);
}

/** Adds the row for these seeds, or replaces it. @param lines the output of a run, one line per seed */
export async function writeLived(lines) {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  const sum = (pick) => lines.reduce((total, line) => total + pick(line), 0);
  const row = [
    `${lines[0].seed} to ${lines.at(-1).seed}`,
    commit.trim(),
    ...FIGURES.map((name) => Math.round(sum((line) => line[name])).toLocaleString('en')),
    String(sum(({ found }) => (found.length > 0 ? 1 : 0))),
    (sum(({ cpu_ms }) => cpu_ms) / 1000 / (sum(({ virtual_hours }) => virtual_hours) / 24)).toFixed(2),
  ];
  const heads = [
    'seeds',
    'commit',
    ...FIGURES.map((name) => name.replace('_', ' ')),
    'found',
    's of processor a virtual day',
  ];
  await updateTable(README, 'lived', heads, [row]);
}

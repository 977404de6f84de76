/*
 * Plays the behavior of assistants against the service, over MCP, each on a separate marketplace, and prints
 * the results. node test/eval/run.mjs [word ...]: only scenarios whose name has one of the words.
 * EVAL_RECORDINGS: another folder of recordings. Exits with 1 if an intent was not met, something was made
 * twice, or an unintended fee was paid.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadRecordings } from './harness/recording.mjs';
import { play } from './harness/play.mjs';
import { formatRows } from './harness/table.mjs';

const folder = import.meta.dirname;
const words = process.argv.slice(2);

async function loadScripts() {
  const files = (await readdir(join(folder, 'scenarios'))).sort();
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(folder, 'scenarios', file)).href)),
  );
  return modules.flatMap((module) => module.default);
}

const recordings = await loadRecordings(process.env.EVAL_RECORDINGS ?? join(folder, 'recordings'));
const all = [...(await loadScripts()), ...recordings];
const chosen = all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const rows = [];
for (const scenario of chosen) {
  const row = await play(scenario);
  rows.push(row);
  process.stderr.write(`${row.is_met ? 'met' : 'NOT MET'}: ${row.name}\n`);
}
process.stdout.write(formatRows(rows));
process.exitCode = rows.length > 0 && rows.every(({ is_met }) => is_met) ? 0 : 1;

/*
 * Measures the delays and costs that a user notices, each compared with a reference in the same run, prints a
 * table of ratios and writes it into the README next to this file. Needs a build, and Linux, whose /proc has
 * the processor time of a process.
 *
 *   npm run bench                       everything
 *   npm run bench -- --only start,upload    prints only, because the table has every row
 *   npm run bench -- --quick            a few rounds each, to check that everything works; prints only
 *   npm run bench -- --print            everything, without writing the file
 *   npm run bench -- --costs            only the cost of a listing, an order and a page, for src/docs/scale.md
 */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from './harness/postgres.mjs';
import { buildReport } from './harness/table.mjs';

const ROWS = join(import.meta.dirname, 'rows');
const ROW = join(import.meta.dirname, 'harness', 'row.mjs');
const REPORT = join(import.meta.dirname, 'README.md');
const COSTS = join(import.meta.dirname, '..', '..', 'src', 'docs', 'scale.md');
const OPEN = '<!-- speed: made by npm run bench -->';
const CLOSE = '<!-- /speed -->';
const WITHOUT_POSTGRES =
  'There is no PostgreSQL server here (apt-get install postgresql), so SQLite is measured alone.';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean' },
    print: { type: 'boolean' },
    costs: { type: 'boolean' },
  },
});
const names = (await readdir(ROWS)).map((file) => file.replace(/\.mjs$/, '')).sort();
const chosen = values.only?.split(',') ?? names;
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) stop(`--only: there is no ${unknown.join(', ')}. There are ${names.join(', ')}.`);
if (!existsSync('/proc/self/schedstat'))
  stop('This system does not tell the processor time of a process in /proc.');

const postgres = await startPostgres();
if (!postgres) process.stderr.write(`${WITHOUT_POSTGRES}\n`);
const lines = [];
try {
  if (values.costs) {
    await write(
      COSTS,
      await measureAlone('costs'),
      '<!-- costs: made by npm run bench -- --costs -->',
      '<!-- /costs -->',
    );
  } else {
    for (const name of chosen) {
      process.stderr.write(`${name}\n`);
      lines.push(...(await measureAlone(name)));
    }
  }
} finally {
  await postgres?.remove();
}
if (values.costs) process.exit(0);
const report = buildReport(lines);
process.stdout.write(`${report}\n`);
if (!values.only && !values.quick && !values.print) {
  await write(REPORT, report, OPEN, CLOSE);
}

/** In a separate process, so no row pays for what another one left in V8's heap and code. */
function measureAlone(name) {
  const child = fork(ROW, [name, values.quick ? 'quick' : 'all'], {
    env: { ...process.env, ...(postgres && { BENCH_POSTGRES_URL: postgres.url }) },
  });
  return new Promise((resolve, reject) => {
    let measured;
    child.once('message', (told) => {
      measured = told;
    });
    child.once('exit', () =>
      measured ? resolve(measured) : reject(new Error(`${name} could not be measured.`)),
    );
  });
}

async function write(file, text, open, close) {
  const page = await readFile(file, 'utf8');
  const [before, rest = ''] = page.split(open);
  const [, after] = rest.split(close);
  if (after === undefined) stop(`${file} has no section between ${open} and ${close}.`);
  await writeFile(file, `${before}${open}\n\n${text}\n\n${close}${after}`);
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

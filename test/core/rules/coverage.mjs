// Holds the tests against the resources table of the interface: every row has a test that begins with its field. Prints the
// rows that have none, and fails when there are any. The interface document lies beside the project, if it is there at all.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const document = new URL('../../../../shared/spec/service-api.md', import.meta.url);
const HEADING = '### Listing create request body';

const print = (text) => process.stdout.write(`${text}\n`);

if (!existsSync(document)) {
  print('rules:coverage: skipped, the interface document is not beside the project');
  process.exit(0);
}
const fields = listFields(readFileSync(document, 'utf8'));
const titles = listTitles();
const rows = fields.map((field) => ({
  field,
  tests: titles.filter((title) => isAbout(title, field)).length,
}));
const without = rows.filter(({ tests }) => tests === 0);

for (const { field, tests } of rows) print(`${String(tests).padStart(4)}  ${field}`);
print(`${fields.length} fields, ${without.length} without a test`);
for (const { field } of without) print(`no test: ${field}`);
process.exit(without.length > 0 || fields.length === 0 ? 1 : 0);

/** The first column of the table; a row for several fields counts as several rows. */
function listFields(text) {
  const section = text.split(HEADING)[1]?.split('\n#')[0] ?? '';
  const cells = [...section.matchAll(/^\| ([a-z][^|]*?) \|/gm)].map(([, cell]) => cell);
  return cells.flatMap((cell) => {
    const [first, ...others] = cell.split(', ');
    const parent = first.slice(0, first.lastIndexOf('.') + 1);
    return [first, ...others.map((other) => (other.includes('.') ? other : parent + other))];
  });
}

/** As the runner itself names them, with the values of tables filled in: suites and test, from the outside in. */
function listTitles() {
  const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url));
  const args = [vitest, 'list', '--json', '--config', 'test/vitest.config.ts', 'test/core'];
  const { stdout, status, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  if (status !== 0) throw new Error(`the tests could not be listed: ${stderr}`);
  return JSON.parse(stdout.slice(stdout.indexOf('['))).map(({ name }) => name);
}

/** A suite or test is about the fields that its name begins with: `shops[].price`, or `a.b, a.c and a.d: both`. */
function isAbout(title, field) {
  return title.split(' > ').some((part) => {
    const named =
      /^[a-z_]+(?:\[\]|\.(?:<\w+>|[a-z_]+))*(?:(?:, | and )[a-z_]+(?:\[\]|\.(?:<\w+>|[a-z_]+))*)*/.exec(
        part,
      )?.[0];
    return named?.split(/, | and /).includes(field) ?? false;
  });
}

// Compares the tests with the fields of listing_create in the interface: every field must have a test whose
// name begins with it. Prints the fields that have none, and fails if there are any.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const facts = new URL('../../published/interface.json', import.meta.url);

const print = (text) => process.stdout.write(`${text}\n`);

const fields = Object.keys(JSON.parse(readFileSync(facts, 'utf8')).listing_create);
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

/** Named as by the runner, with the values of tables filled in: suites and test, outermost first. */
function listTitles() {
  const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url));
  const args = [vitest, 'list', '--json', '--config', 'test/vitest.config.ts', 'test/core'];
  const { stdout, status, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  if (status !== 0) throw new Error(`the tests could not be listed: ${stderr}`);
  // The set-up prints a sentence after the list.
  return JSON.parse(stdout.slice(stdout.indexOf('['), stdout.lastIndexOf(']') + 1)).map(({ name }) => name);
}

/** A suite or test covers the fields its name begins with: `shops[].price`, or `a.b, a.c and a.d: both`. */
function isAbout(title, field) {
  return title.split(' > ').some((part) => {
    const named =
      /^[a-z_]+(?:\[\]|\.(?:<\w+>|[a-z_]+))*(?:(?:, | and )[a-z_]+(?:\[\]|\.(?:<\w+>|[a-z_]+))*)*/.exec(
        part,
      )?.[0];
    return named?.split(/, | and /).includes(field) ?? false;
  });
}

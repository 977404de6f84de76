/* oxlint-disable no-console -- a command reports */
/* Runs every suite in full, in sequence: npm run test:nightly [-- WORD ...], only suites whose name contains
   one of the words. Writes each result into test/README.md as soon as it is known. Exits with 1 if a suite
   failed. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { updateTable } from '../test/readme_table.mjs';
import { root, run } from './package.mjs';

const README = join(root, 'test', 'README.md');
const HEADS = ['suite', 'day', 'commit', 'minutes', 'outcome'];
const NODES = [20, 22, 24, 26];
const logs = join(root, 'node_modules', '.cache', 'nightly');

/** A newcomer's commands, in a clone with the packages that npm installs for this Node. */
function testOn(node) {
  const borrowed = `npx --yes --package node@${node} -- bash -c 'node --version && npm ci && npm test && npm run test:long'`;
  return `folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && git clone -q . "$folder" && cd "$folder" && ${borrowed}`;
}

const SUITES = [
  ...NODES.map((node) => ({ name: `tests on Node ${node}`, command: testOn(node) })),
  // Suites that other runs only sample.
  { name: 'npm test, whole', command: 'WHOLE=on npm test' },
  { name: 'long tests', command: 'WHOLE=on npm run -s test:long' },
  { name: 'PostgreSQL', command: 'TEST_POSTGRES=all npm run -s test:postgres' },
  { name: 'simulator', command: 'npm run -s sim -- --seeds 2000' },
  { name: 'simulator, twice', command: 'npm run -s sim -- --seeds 50 --twice' },
  { name: 'planted faults', command: 'npm run -s sim -- --planted --write' },
  { name: 'crash', command: 'npm run -s test:crash' },
  {
    name: 'crash over PostgreSQL',
    command: 'TEST_POSTGRES=required npm run -s test:crash -- --engine postgres --long',
  },
  { name: 'rolling restart', command: 'TEST_POSTGRES=required npm run -s test:instances' },
  { name: 'move', command: 'TEST_POSTGRES=required MOVE_LISTINGS=100000 npm run -s test:move' },
  { name: 'fuzz', command: 'WHOLE=on npm run -s test:fuzz' },
  { name: 'hardening', command: 'npm run -s test:hardening' },
  { name: 'soak', command: 'npm run -s test:soak' },
  { name: 'conformance', command: 'npm run -s test:conformance' },
  { name: 'eval', command: 'npm run -s eval' },
  { name: 'plugin and skills', command: 'node .ci/check_skills.mjs' },
  { name: 'browser', command: 'npm run -s test:browser' },
  { name: 'image', command: 'npx --yes dockerfile-utils@0.16.3 lint Dockerfile && npm run -s docker:replay' },
  { name: 'bench', command: 'npm run -s bench' },
];

mkdirSync(logs, { recursive: true });
const words = process.argv.slice(2);
const chosen = SUITES.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
if (chosen.length === 0) {
  console.error(`No suite has this name. There are: ${SUITES.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
const commit = run('git', ['rev-parse', '--short', 'HEAD'], root).trim();
for (const { name, command } of chosen) {
  console.log(`== ${name}: ${command}`);
  const started_ms = Date.now();
  const log = join(logs, `${name.replaceAll(/\W+/g, '_')}.log`);
  const script = `{ ${command}; } 2>&1 | tee '${log}'`;
  const { status } = spawnSync('bash', ['-o', 'pipefail', '-c', script], { cwd: root, stdio: 'inherit' });
  const hasPassed = status === 0;
  const minutes = ((Date.now() - started_ms) / 60_000).toFixed(1);
  const outcome = hasPassed ? describe(readFileSync(log, 'utf8')) : 'failed';
  if (!hasPassed) process.exitCode = 1;
  console.log(`== ${name} took ${minutes} min: ${outcome}${hasPassed ? '' : `, see ${log}`}`);
  const row = [name, new Date().toISOString().slice(0, 10), commit, minutes, outcome];
  await updateTable(README, 'nightly', HEADS, [row]);
}

/** The runner's total of tests, or the last line of a suite that prints a total of its own. */
function describe(text) {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const tests = lines.findLast((line) => /^Tests +\d/.test(line));
  const last = lines.at(-1) ?? '';
  const own = /^(seeds|activations|all|duplicates|kills)\b/.test(last) ? last : undefined;
  return (own ?? tests?.replace(/^Tests +/, '') ?? 'passed').replaceAll('|', ',').replaceAll(/ {2,}/g, ' ');
}

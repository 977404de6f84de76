/* oxlint-disable no-console -- a command tells */
/*
 * Runs worlds. npm run sim -- --seeds 200 [--from N] [--twice] [--hours H] [--jobs N] | --seed N [--trace]
 * [--without a,b] [--with FAULT] | --planted [NAME ...] [--seeds 400]. Exits with 1 if anything was found;
 * with --planted, if a fault was not found.
 * --write puts the figures into README.md.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { bundleSimulator } from './bundle.mjs';
import { writeLived, writePlanted } from './figures.mjs';
import { PLANTED } from './planted.mjs';
import { print, reportUnrepeated, reportSeed, toLastLine } from './report.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    hours: { type: 'string' },
    without: { type: 'string' },
    with: { type: 'string' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    trace: { type: 'boolean', default: false },
    twice: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const unknown = [values.with, ...(values.planted ? positionals : [])].filter(
  (name) => name !== undefined && PLANTED.every((fault) => fault.name !== name),
);
if (unknown.length > 0) {
  console.error(`No fault is named ${unknown.join(', ')}. There are:`);
  for (const { name, what } of PLANTED) console.error(`  ${name}: ${what}`);
  process.exit(2);
}

/** A process is replaced after this many seeds, because it never frees the databases it has opened. */
const SEEDS_A_PROCESS = 100;
/**
 * A world that takes longer in real time hangs, if it does so once more with no other world of this run in
 * parallel.
 */
const HANG_MS = 180_000;
const HANGS = 'hangs';
/** Extra time while a world is made smaller, which runs many worlds without reporting any. */
const SHRINKING_TIMES = 6;

const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'sim-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await bundleSimulator(folder);

const common = {
  ...(values.hours !== undefined && { hours: Number(values.hours) }),
  ...(values.without !== undefined && { without: values.without.split(',') }),
  ...(values.with !== undefined && { planted: values.with }),
  is_twice: values.twice,
};
process.exitCode = values.planted ? await findPlanted() : await liveThrough();

async function liveThrough() {
  const began_ms = Date.now();
  const isOne = values.seed !== undefined;
  const from = Number(isOne ? values.seed : values.from);
  const count = isOne ? 1 : Number(values.seeds ?? 200);
  const seeds = Array.from({ length: count }, (_, index) => from + index);
  const toWork = (part) => ({ ...common, seeds: part, is_traced: isOne && values.trace });
  const reportFound = ({ seed, found }) => {
    if (!isOne && found.length > 0) print(`seed ${seed}: ${found.join('; ')}`);
  };
  const lived = await share(seeds, toWork, (line) => {
    if (!hasHung(line)) reportFound(line);
  });
  const lines = [];
  for (const line of lived) {
    if (!hasHung(line)) {
      lines.push(line);
      continue;
    }
    lines.push(await liveAgain(line, toWork([line.seed])));
    reportFound(lines.at(-1));
  }
  const bad = lines.filter(({ found }) => found.length > 0);
  if (isOne) reportSeed(lines[0], { is_traced: values.trace, hours: values.hours, is_twice: values.twice });
  else if (bad.length > 0) await reportSmallest(bad);
  console.log(toLastLine(lines, Date.now() - began_ms));
  if (values.write) await writeLived(lines);
  return bad.length > 0 ? 1 : 0;
}

function hasHung({ found }) {
  return found.includes(HANGS);
}

/** Others may have used the processors during the wait. */
async function liveAgain({ seed }, work) {
  print(`seed ${seed}: took longer than ${HANG_MS / 1000} s, and is lived once more alone`);
  const [again] = await run({ ...work, seeds: [seed] });
  return again;
}

/** The first of the findings, shrunk as far as possible, with its trace. */
async function reportSmallest([first]) {
  const [smallest] = await run({
    ...common,
    is_twice: false,
    seeds: [first.seed],
    is_shrunk: true,
    is_traced: true,
  });
  const hasComeAgain = smallest.found.length > 0 && smallest.lines.length > 0;
  if (hasComeAgain) reportSeed(smallest, { is_traced: true, hours: values.hours });
  else reportUnrepeated(first, { hours: values.hours, planted: values.with, is_twice: values.twice });
}

/** How many seeds each planted fault takes until it is found by a seed that finds nothing without it. */
async function findPlanted() {
  const most = Number(values.seeds ?? 400);
  const names = positionals.length > 0 ? positionals : PLANTED.map(({ name }) => name);
  let missed = 0;
  const seeds_of = new Map();
  await inLanes(names, async (planted) => {
    const line = await findFirst(planted, most);
    seeds_of.set(planted, line?.seed);
    if (line)
      print(`${planted}: found with ${line.seed} ${line.seed === 1 ? 'seed' : 'seeds'}: ${line.found[0]}`);
    else {
      missed += 1;
      print(`${planted}: NOT FOUND with ${most} seeds`);
    }
  });
  if (values.write) await writePlanted(seeds_of);
  return missed > 0 ? 1 : 0;
}

function hasFound({ found }) {
  return found.length > 0;
}

async function findFirst(planted, most) {
  let from = 1;
  while (from <= most) {
    const count = Math.min(SEEDS_A_PROCESS, most - from + 1);
    const seeds = Array.from({ length: count }, (_, index) => from + index);
    const found = (await run({ ...common, seeds, planted }, { isEnough: hasFound })).find(hasFound);
    const first = found && hasHung(found) ? await liveAgain(found, { ...common, planted }) : found;
    if (first && !hasFound(first)) {
      from = first.seed + 1;
      continue;
    }
    if (!first) {
      from += count;
      continue;
    }
    const [clean] = await run({ ...common, seeds: [first.seed], planted: undefined });
    if (clean.found.length === 0) return first;
    print(`${planted}: of seed ${first.seed} this is found without it too: ${clean.found[0]}`);
    from = first.seed + 1;
  }
  return undefined;
}

/** In up to the allowed number of processes at a time; returns the lines in the order of the seeds. */
async function share(seeds, toWork, onLine) {
  const parts = [];
  for (let at = 0; at < seeds.length; at += SEEDS_A_PROCESS)
    parts.push(seeds.slice(at, at + SEEDS_A_PROCESS));
  const lines = new Map();
  await inLanes(parts, async (part) => {
    for (const line of await run(toWork(part), { onLine })) lines.set(line.seed, line);
  });
  return seeds.map((seed) => lines.get(seed));
}

async function inLanes(items, work) {
  const waiting = [...items];
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, lane));
}

/** Undefined for a line that its process died before finishing. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One process. If it dies or hangs, that is a finding of the first seed without a line. */
async function run(work, { isEnough = () => false, onLine = () => undefined } = {}) {
  // Stack traces are only for readers of a trace, and cost a tenth of the time.
  const stacks = work.is_traced ? '--enable-source-maps' : '--stack-trace-limit=0';
  const child = spawn(
    process.execPath,
    [stacks, '--expose-gc', join(folder, 'main.mjs'), JSON.stringify(work)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let hanging;
  let isHung = false;
  const watch = () => {
    clearTimeout(hanging);
    hanging = setTimeout(
      () => {
        isHung = true;
        child.kill('SIGKILL');
      },
      HANG_MS * (work.is_shrunk ? SHRINKING_TIMES : 1),
    );
  };
  watch();
  const lines = [];
  for await (const text of createInterface({ input: child.stdout })) {
    watch();
    const line = parse(text);
    if (line === undefined) break;
    lines.push(line);
    onLine(line);
    if (isEnough(lines.at(-1))) child.kill();
  }
  clearTimeout(hanging);
  const done = new Set(lines.map(({ seed }) => seed));
  const missing = work.seeds.filter((seed) => !done.has(seed));
  if (missing.length === 0 || (lines.length > 0 && isEnough(lines.at(-1)))) return lines;
  const found = [isHung ? HANGS : 'ends its process'];
  const nothing = {
    hash: '',
    virtual_hours: 0,
    calls: 0,
    requests: 0,
    faults: 0,
    crashes: 0,
    cpu_ms: 0,
    lines: [],
    without: work.without ?? [],
    planted: work.planted,
  };
  const [first, ...others] = missing;
  lines.push({ ...nothing, seed: first, found });
  onLine(lines.at(-1));
  if (others.length === 0) return lines;
  return [...lines, ...(await run({ ...work, seeds: others }, { isEnough, onLine }))];
}

import { execFileSync, spawn } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const CLI = join(import.meta.dirname, '..', '..', '..', 'dist', 'src', 'cli.js');
const SERVERS = join(import.meta.dirname, '..', 'servers');
const START_MS = 60_000;

/** Processor time of all threads of a process since it started, in milliseconds. */
export function readCpu(pid) {
  let ns = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    ns += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
  }
  return ns / 1e6;
}

/** Resident memory in MiB, now or (VmHWM) at its peak. */
export function readMemory(pid, name = 'VmRSS') {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

export async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'bench-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Settings under which only the work itself takes time. */
export function buildSettings(data_dir, extra = {}) {
  return {
    DATA_DIR: data_dir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_PER_DAY: '1000000000',
    SANDBOX_RATE: '10000',
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'on',
    ...extra,
  };
}

const bind = (pid, cores) =>
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)]);

/**
 * Binds this process and the given ones to one core, and those in `apart` to the others, with util-linux's
 * taskset. Returns a function that gives this process its cores back.
 */
export function shareOneCore(pids, apart = []) {
  const had = execFileSync('taskset', ['--cpu-list', '--pid', String(process.pid)], { encoding: 'utf8' })
    .split(': ')[1]
    .trim();
  const cores = had.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
  });
  const shared = cores.at(-1);
  const others = cores.length > 1 ? cores.slice(0, -1).join(',') : shared;
  for (const pid of [process.pid, ...pids]) bind(pid, shared);
  for (const pid of apart) bind(pid, others);
  return () => bind(process.pid, had);
}

/** Running processes: a row that fails must not leave them behind. */
const running = new Set();
process.once('exit', () => running.forEach((child) => child.kill()));

/** A process with lines in and out. Its errors are shown, unless they go to a file. */
export function start(args, settings = {}, errors = 'inherit') {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME, ...settings },
    stdio: ['pipe', 'pipe', errors],
  });
  running.add(child);
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  void ended.then(() => running.delete(child));
  return {
    pid: child.pid,
    child,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** A server of the folder servers that prints its port. */
export async function startReference(name, ...args) {
  const server = start([join(SERVERS, name), ...args]);
  const port = await findLine(server.child, /^(\d+)$/);
  return { ...server, url: `http://127.0.0.1:${port[1]}` };
}

/** `serve` on a new folder, with its log in a file next to it if there is one. */
export async function startServe(data_dir, extra) {
  const settings = buildSettings(data_dir);
  const log = extra?.LOG_LEVEL && openSync(`${data_dir}.log`, 'a');
  const server = start([CLI, 'serve'], { ...settings, ...extra }, log);
  const [, url] = await findLine(server.child, /^REST\s+(\S+)\/api\/v1$/);
  const made = start([CLI, 'keys', 'create', '--json'], { ...settings, ...extra, LOG_LEVEL: 'silent' });
  const [, key] = await findLine(made.child, /"key":\s*"(mls_\w+)"/);
  return { ...server, url, key };
}

export function findLine(child, pattern) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no line like ${pattern}`)), START_MS);
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      const found = pattern.exec(line);
      if (!found) return;
      clearTimeout(late);
      resolve(found);
    });
    child.once('exit', (code) => {
      clearTimeout(late);
      reject(new Error(`ended with ${code} before a line like ${pattern}`));
    });
  });
}

/** Sends requests over stdio, one message per line; each resolves with the next line of output, in order. */
export function createLineClient({ child }) {
  const waiting = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line));
  return (line) =>
    new Promise((resolve) => {
      waiting.push(resolve);
      child.stdin.write(`${line}\n`);
    });
}

/**
 * Milliseconds of processor time of one of several consecutive calls, in this process, which does nothing
 * else.
 */
export async function timeCalls(calls, run) {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / calls;
}

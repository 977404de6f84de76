import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/*
 * Programs of others that need a newer Node than the product does. Node is downloaded with them for one run,
 * and is not a dependency.
 */

const NODE = 'node@24';
export const NOT_BORROWED = 'no Node 22 or later could be borrowed';
const INSTALL_MS = 240_000;
const RUN_MS = 280_000;

export type Ended = { code: number; stdout: string; stderr: string };

type Program = (args: string[]) => Promise<Ended>;

const borrowed = new Map<string, Promise<Program | undefined>>();

/**
 * Undefined if it is not available here (no registry, no room): this is reported on stderr, and is not a
 * failure.
 */
export function borrow(package_name: string, command: string): Promise<Program | undefined> {
  const program = borrowed.get(package_name) ?? find(package_name, command);
  borrowed.set(package_name, program);
  return program;
}

async function find(package_name: string, command: string): Promise<Program | undefined> {
  const npx = (args: string[], timeout: number) =>
    run('npx', ['--yes', '--package', NODE, '--package', package_name, ...args], timeout);
  const probe = await npx(['--', 'node', '--version'], INSTALL_MS);
  if (probe.code === 0 && /^v2[2-9]/.test(probe.stdout))
    return (args) => npx(['--', command, ...args], RUN_MS);
  const why =
    probe.stderr.split('\n').find((line) => line.startsWith('npm error')) ?? `npx ended with ${probe.code}`;
  process.stderr.write(
    `\nSKIPPED: ${package_name} needs Node 22 or later, which could not be borrowed: ${why}\n`,
  );
  return undefined;
}

async function run(file: string, args: string[], timeout: number): Promise<Ended> {
  // A folder of its own: in ours, npm would mistake the product's packages for the requested ones.
  const cwd = mkdtempSync(join(tmpdir(), 'borrowed-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  return new Promise((resolve) => {
    execFile(file, args, { cwd, timeout, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ code, stdout, stderr });
    });
  });
}

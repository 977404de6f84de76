import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { CLI, type Environment } from '../surfaces/faces.js';

/** The content of a line of the program's progress. */
export type Step = { done: number; total: number; message: string };

export type Moving = {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  /** Its output apart from progress. */
  said: string[];
  steps: Step[];
  /** The peak of its memory, in MiB; 0 if the system does not report it (only Linux does). */
  peak_mib: number;
  seconds: number;
};

/** `listing-service move` as a process. @param follow is called at each step, and may kill it then or later */
export async function runMove(
  args: readonly string[],
  env: Environment,
  follow: (step: Step, kill: () => void) => void = () => undefined,
): Promise<Moving> {
  const since = performance.now();
  const child = spawn(process.execPath, [CLI, 'move', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const steps: Step[] = [];
  const said: string[] = [];
  let stdout = '';
  let peak_mib = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const watch = setInterval(() => (peak_mib = Math.max(peak_mib, readPeak(child.pid))), 50);
  createInterface({ input: child.stderr }).on('line', (line) => {
    const [, done, total, message] = /^(\d+)\/(\d+) (.*)$/.exec(line) ?? [];
    if (message === undefined) {
      said.push(line);
      return;
    }
    const step = { done: Number(done), total: Number(total), message };
    steps.push(step);
    follow(step, () => child.kill('SIGKILL'));
  });
  const { code, signal } = await new Promise<Pick<Moving, 'code' | 'signal'>>((resolve) =>
    child.once('close', (...end) => resolve({ code: end[0], signal: end[1] })),
  );
  clearInterval(watch);
  return { code, signal, stdout, said, steps, peak_mib, seconds: (performance.now() - since) / 1_000 };
}

function readPeak(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

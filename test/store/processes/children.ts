import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export type Children = {
  /**
   * Starts the given number of processes, releases them together once all are ready, and returns the last line of
   * each, parsed as JSON.
   */
  run(task: string, data_dir: string, count: number): Promise<unknown[]>;
  /** Starts a process, kills it (SIGKILL) after it has printed the given number of lines, and returns those lines. */
  kill(task: string, data_dir: string, after_lines: number): Promise<string[]>;
  /** Kills the processes that are still running, and deletes the folder. */
  remove(): void;
};

/**
 * Compiles child.ts and its imports into a separate folder, because the children run under plain Node, without
 * Vitest's TypeScript support.
 */
export function compileChildren(): Children {
  const directory = mkdtempSync(join(tmpdir(), 'store-children-'));
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(buildConfig(directory)));
  mkdirSync(join(directory, 'out'));
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  try {
    execFileSync(process.execPath, [compiler, '-p', directory], { stdio: 'pipe' });
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  const script = join(directory, 'out', 'test', 'store', 'processes', 'child.js');
  const running = new Set<ChildProcess>();
  const start = (task: string, data_dir: string) => {
    const child = spawn(process.execPath, [script, data_dir, task], { stdio: 'pipe' });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return followChild(child);
  };
  return {
    run: async (task, data_dir, count) => {
      const children = Array.from({ length: count }, () => start(task, data_dir));
      await Promise.all(children.map((child) => child.ready));
      for (const child of children) child.go();
      const lines = await Promise.all(children.map((child) => child.ended));
      return lines.map((printed) => JSON.parse(printed.at(-1) ?? 'null') as unknown);
    },
    kill: async (task, data_dir, after_lines) => {
      const child = start(task, data_dir);
      await child.ready;
      child.killAfter(after_lines);
      child.go();
      return child.ended;
    },
    remove: () => {
      for (const child of running) child.kill('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

type Child = {
  ready: Promise<void>;
  go(): void;
  killAfter(lines: number): void;
  /** The output after `ready`; rejects with the error output if the process failed. */
  ended: Promise<string[]>;
};

function followChild(child: ChildProcess): Child {
  const lines: string[] = [];
  const errors: string[] = [];
  let limit = Infinity;
  child.stderr?.on('data', (text: Buffer) => errors.push(text.toString()));
  const ready = new Promise<void>((resolve, reject) => {
    child.once('exit', () => {
      reject(new Error(`the process ended early: ${errors.join('')}`));
    });
    if (!child.stdout) return;
    createInterface(child.stdout).on('line', (line) => {
      if (line === 'ready') resolve();
      else lines.push(line);
      if (lines.length >= limit) child.kill('SIGKILL');
    });
  });
  const ended = new Promise<string[]>((resolve, reject) => {
    child.once('close', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve(lines);
      else reject(new Error(`the process failed: ${errors.join('')}`));
    });
  });
  return {
    ready,
    ended,
    go: () => child.stdin?.end('go\n'),
    killAfter: (wanted) => {
      limit = wanted;
    },
  };
}

function buildConfig(directory: string): object {
  return {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { rootDir: ROOT, outDir: join(directory, 'out') },
    files: [join(ROOT, 'test', 'store', 'processes', 'child.ts')],
    include: [],
  };
}

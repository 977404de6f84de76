import { spawn } from 'node:child_process';
import { CLI } from '../surfaces/faces.js';
import type { World } from './world.js';

const START_MS = 30_000;

export type End = { signal: NodeJS.Signals | null; code: number | null; stderr: string };

/** One life of the server. */
export type Life = {
  pid: number;
  /** Its address; rejects when it ends before it has one. */
  url: Promise<string>;
  ended: Promise<End>;
  kill(): void;
  /** In good order; the exit code. */
  stop(): Promise<number | null>;
};

/** The server as a process, again and again on one data directory; never two at once. */
export type Server = {
  start(extra?: Record<string, string>): Life;
  /** The address of the life that is on, or of the next one that comes so far. */
  getUrl(): Promise<string>;
  close(): Promise<void>;
};

export function createServer(world: Pick<World, 'environment'>): Server {
  let waiting: ((url: string) => void)[] = [];
  let current: string | undefined;
  let last: Life | undefined;

  return {
    start(extra = {}) {
      const { PATH = '' } = process.env;
      const born = spawn(process.execPath, [CLI, 'serve'], {
        env: { PATH, ...world.environment, ...extra },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let stdout = '';
      let stderr = '';
      born.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-4000)));
      const ended = new Promise<End>((resolve) => {
        born.once('close', (code, signal) => {
          current = undefined;
          resolve({ code, signal, stderr });
        });
      });
      const url = new Promise<string>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`the server did not start: ${stderr}`)), START_MS);
        const stopWaiting = () => clearTimeout(late);
        born.stdout.setEncoding('utf8').on('data', (text: string) => {
          stdout += text;
          const found = /^REST\s+(\S+)\/api\/v1$/m.exec(stdout)?.[1];
          // What it said before it was killed may be heard after.
          if (found === undefined || current !== undefined || born.killed) return;
          stopWaiting();
          current = found;
          resolve(found);
          for (const tell of waiting.splice(0)) tell(found);
        });
        born.once('close', (_code, signal) => {
          stopWaiting();
          reject(new Error(`the server ended (${signal}) before it had an address: ${stderr}`));
        });
      });
      // Whoever kills it before it is up does not ask where it is.
      url.catch(() => undefined);
      last = {
        pid: born.pid ?? 0,
        url,
        ended,
        kill() {
          current = undefined;
          born.kill('SIGKILL');
        },
        async stop() {
          born.kill('SIGTERM');
          return (await ended).code;
        },
      };
      return last;
    },
    getUrl: () =>
      current === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(current),
    async close() {
      waiting = [];
      last?.kill();
      await last?.ended;
    },
  };
}

import { spawn } from 'node:child_process';
import { CLI } from '../surfaces/faces.js';
import { ENTRY } from '../wrapped/entry_file.js';
import type { World } from './world.js';

const START_MS = 30_000;
/** Settings of the entry file; without them, the built program runs. */
const WRAPPED = ['CRASH_AT', 'RECORD_CALLS', 'CLOCK_STEPS'];

export type End = { signal: NodeJS.Signals | null; code: number | null; stderr: string };

/** One life of the server. */
export type Life = {
  pid: number;
  /** Its address; rejects if it ends before it has one. */
  url: Promise<string>;
  ended: Promise<End>;
  kill(): void;
  /** Does nothing until `wake`, like on a sleeping computer, and keeps its locks and connections. */
  sleep(): void;
  wake(): void;
  /** Stops it cleanly. Returns the exit code. */
  stop(): Promise<number | null>;
};

/** The server as a process that is started again and again on one data directory. */
export type Server = {
  start(extra?: Record<string, string>): Life;
  /** The address of the latest (or chosen) life that is running and awake, or else of the next one to start. */
  getUrl(): Promise<string>;
  close(): Promise<void>;
};

type Awake = { life: Life; url: string };

/** @param choose which running life is called next, in order of their start; the latest by default */
export function createServer(
  world: Pick<World, 'environment'>,
  choose: (awake: readonly Awake[]) => Awake | undefined = (awake) => awake.at(-1),
): Server {
  let waiting: ((url: string) => void)[] = [];
  let awake: Awake[] = [];
  const lives = new Set<Life>();

  function open(life: Life, url: string): void {
    awake.push({ life, url });
    for (const tell of waiting.splice(0)) tell(url);
  }
  function shut(life: Life): void {
    awake = awake.filter((one) => one.life !== life);
  }

  return {
    start(extra = {}) {
      const { PATH = '' } = process.env;
      const program = WRAPPED.some((name) => name in extra) ? ENTRY : CLI;
      const born = spawn(process.execPath, [program, 'serve'], {
        env: { PATH, ...world.environment, ...extra },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let stdout = '';
      let stderr = '';
      let address: string | undefined;
      born.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      const ended = new Promise<End>((resolve) => {
        born.once('close', (code, signal) => {
          shut(life);
          lives.delete(life);
          resolve({ code, signal, stderr });
        });
      });
      const url = new Promise<string>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`the server did not start: ${stderr}`)), START_MS);
        const stopWaiting = () => clearTimeout(late);
        born.stdout.setEncoding('utf8').on('data', (text: string) => {
          stdout += text;
          const found = /^REST\s+(\S+)\/api\/v1$/m.exec(stdout)?.[1];
          // Output written before the kill may arrive after it.
          if (found === undefined || address !== undefined || born.killed) return;
          stopWaiting();
          address = found;
          resolve(found);
          open(life, found);
        });
        born.once('close', (_code, signal) => {
          stopWaiting();
          reject(new Error(`the server ended (${signal}) before it had an address: ${stderr}`));
        });
      });
      // A server killed before it is up has no URL, and no caller waits for it.
      url.catch(() => undefined);
      const life: Life = {
        pid: born.pid ?? 0,
        url,
        ended,
        kill() {
          shut(life);
          born.kill('SIGKILL');
        },
        sleep() {
          shut(life);
          process.kill(life.pid, 'SIGSTOP');
        },
        wake() {
          process.kill(life.pid, 'SIGCONT');
          if (address !== undefined) open(life, address);
        },
        async stop() {
          born.kill('SIGTERM');
          return (await ended).code;
        },
      };
      lives.add(life);
      return life;
    },
    getUrl() {
      const current = choose(awake);
      return current ? Promise.resolve(current.url) : new Promise((resolve) => waiting.push(resolve));
    },
    async close() {
      waiting = [];
      for (const life of lives) {
        life.kill();
        await life.ended;
      }
    },
  };
}

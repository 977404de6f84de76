import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Where distributions install the server's programs; PATH mostly has only the client's. */
const DISTRIBUTION = '/usr/lib/postgresql';

/** A PostgreSQL server on this computer, on a free port and in its own folder, for the duration of a test. */
export type Server = {
  /** For its superuser and the database `postgres`. */
  url: string;
  port: number;
  /**
   * Stops it. `immediate` simulates a crash: it neither notifies clients nor writes what is not in its log
   * yet.
   */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** On the same folder and port. */
  start(): Promise<void>;
  /** Stops it and deletes its folder. */
  remove(): Promise<void>;
};

/** The folder of PostgreSQL's programs (the server's by default); undefined if none is installed. */
export function findPrograms(wanted: readonly string[] = ['postgres', 'initdb']): string | undefined {
  const versions = existsSync(DISTRIBUTION) ? readdirSync(DISTRIBUTION) : [];
  const newest = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((name) => join(DISTRIBUTION, name, 'bin'));
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...newest];
  return folders.find((folder) => wanted.every((name) => existsSync(join(folder, name))));
}

/** @param settings lines of postgresql.conf */
export async function startServer(programs: string, settings: readonly string[] = []): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-test-'));
  const data = join(folder, 'data');
  const user = findUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const port = await findPort();
  const initdb = [
    join(programs, 'initdb'),
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '-N',
  ];
  const [command, ...args] = asUser(user, initdb);
  execFileSync(command ?? '', args, { stdio: 'pipe', cwd: folder });
  const all = [
    "listen_addresses = '127.0.0.1'",
    `port = ${port}`,
    `unix_socket_directories = '${folder}'`,
    'fsync = off',
    'max_connections = 300',
    'shared_buffers = 64MB',
    ...settings,
  ];
  writeFileSync(join(data, 'postgresql.auto.conf'), `${all.join('\n')}\n`);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let running: ChildProcess | undefined;

  async function start(): Promise<void> {
    const [program = '', ...options] = asUser(user, [join(programs, 'postgres'), '-D', data]);
    const child = spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder });
    const lines: string[] = [];
    child.stderr.on('data', (text: Buffer) => lines.push(text.toString()));
    running = child;
    while (!(await answers(url))) {
      if (child.exitCode !== null) throw new Error(`the server has ended:\n${lines.join('')}`);
      await pause(50);
    }
  }

  async function stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const child = running;
    running = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  await start();
  return {
    url,
    port,
    stop,
    start,
    async remove() {
      await stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type User = { uid: number; gid: number };

/**
 * The server refuses to run as root, so it runs as a user that its package created, or one every computer has.
 */
export function findUser(): User | undefined {
  if (userInfo().uid !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const read = (what: string) =>
        Number(execFileSync('id', [what, name], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: read('-u'), gid: read('-g') };
    } catch {
      // The user does not exist.
    }
  }
  return undefined;
}

function asUser(user: User | undefined, command: readonly string[]): string[] {
  if (!user) return [...command];
  return ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', ...command];
}

export async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

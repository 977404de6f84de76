import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer, type Life, type Server } from '../server.js';
import type { World } from '../world.js';
import { startDatabaseProxy, type DatabaseProxy } from './database_proxy.js';

/** A supervisor's delay before it restarts a program that has ended. */
const RESTART_MS = 300;

/**
 * One of several computers: its own folder, its connection to the database, and a supervisor that restarts the
 * service whenever it ends.
 */
export type Instance = {
  name: string;
  proxy: DatabaseProxy;
  /** The current life, or the last one. */
  life(): Life;
  /** Kills it; `extra` are the settings of the next life. Resolves to that life. */
  kill(extra?: Record<string, string>): Promise<Life>;
};

/** Instances of the built program on one database and one bucket. */
export type Fleet = {
  instances: readonly Instance[];
  /** Each call goes to the next instance that is awake. */
  server: Server;
  /** Stops all of them, and returns what happened in their lives. */
  close(): Promise<Lives>;
};

type Lives = {
  /** Lives that ended by anything but a kill, and unexpected log lines. */
  faults: string[];
  /**
   * How often a process noticed that another one had adopted its job, or may have: its writes were refused, or
   * it stopped its calls.
   */
  refused_writers: number;
  /** Starts prevented by an unreachable database or bucket. */
  refused_starts: number;
};

/**
 * The messages of a start that fails because its database or bucket is unreachable, or because the database
 * server goes down during it.
 */
const REFUSED_START =
  /^listing-service: .*(No database server answers|is not ready|cannot be reached|does not answer|does not respond|is not available now|cannot be used: )/m;
const TAKEN_OVER = /another process has taken over the job|the claim of a job has run out/;
/** Log lines that are allowed while the database or bucket is unreachable. */
const EXPECTED = /DATABASE_UNAVAILABLE|BLOBS_UNAVAILABLE/;

export async function startFleet(world: World, database_port: number, count: number): Promise<Fleet> {
  let turn = 0;
  const server = createServer(world, (awake) => awake[turn++ % awake.length]);
  const instances: (Instance & { run: Promise<void> })[] = [];
  const lives: Lives = { faults: [], refused_writers: 0, refused_starts: 0 };
  let isClosed = false;

  function read(name: string, { code, signal, stderr }: Awaited<Life['ended']>): void {
    lives.refused_writers += stderr.split(TAKEN_OVER).length - 1;
    for (const line of stderr.split('\n')) {
      if (line.includes('"level":50') && !EXPECTED.test(line)) lives.faults.push(`${name}: ${line}`);
    }
    if (signal === 'SIGKILL') return;
    if (code === 1 && REFUSED_START.test(stderr)) lives.refused_starts += 1;
    else lives.faults.push(`${name} ended with ${code} (${signal}): ${stderr}`);
  }

  async function openInstance(name: string): Promise<Instance & { run: Promise<void> }> {
    const proxy = await startDatabaseProxy(database_port);
    const url = new URL(world.environment['DATABASE_URL'] ?? '');
    url.port = String(proxy.port);
    const own = { DATA_DIR: join(world.folder, name), DATABASE_URL: url.href };
    let next: Record<string, string> = {};
    let life = server.start(own);
    let onNext: ((life: Life) => void)[] = [];

    async function keep(): Promise<void> {
      for (;;) {
        read(name, await life.ended);
        if (!isClosed) await delay(RESTART_MS);
        if (isClosed) return;
        life = server.start({ ...own, ...next });
        next = {};
        for (const tell of onNext.splice(0)) tell(life);
      }
    }

    return {
      name,
      proxy,
      run: keep(),
      life: () => life,
      kill(extra = {}) {
        next = extra;
        const coming = new Promise<Life>((resolve) => (onNext = [...onNext, resolve]));
        life.kill();
        return coming;
      },
    };
  }

  for (let number = 1; number <= count; number += 1) {
    instances.push(await openInstance(`instance-${number}`));
  }

  return {
    instances,
    server,
    async close() {
      isClosed = true;
      await server.close();
      for (const { run, proxy } of instances) {
        await run;
        await proxy.close();
      }
      return lives;
    },
  };
}

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer, type End, type Life } from '../crash/server.js';
import type { World } from '../crash/world.js';
import { findPort } from '../postgres/server.js';

const LOOK_MS = 50;
const READY_MS = 30_000;

/** One computer of several: a folder and a port of its own. */
export type Machine = {
  port: number;
  url: string;
  /** Stops the service in an orderly way, and returns how it ended. */
  stop(): Promise<End>;
  /** Starts it on the same port; resolves when it is ready. */
  start(): Promise<void>;
};

type Machines = { machines: readonly Machine[]; close(): Promise<void> };

/** Starts the built program this many times over one database and one bucket. */
export async function startMachines(
  world: Pick<World, 'environment' | 'folder'>,
  count: number,
): Promise<Machines> {
  const server = createServer(world);
  const machines: Machine[] = [];
  for (let number = 1; number <= count; number += 1) {
    const port = await findPort();
    const url = `http://127.0.0.1:${port}`;
    const settings = { DATA_DIR: join(world.folder, `machine-${number}`), PORT: String(port) };
    let life: Life;
    const start = async (): Promise<void> => {
      life = server.start(settings);
      await life.url;
      await whenReady(url);
    };
    await start();
    machines.push({
      port,
      url,
      start,
      async stop() {
        await life.stop();
        return life.ended;
      },
    });
  }
  return { machines, close: () => server.close() };
}

async function whenReady(url: string): Promise<void> {
  for (let waited_ms = 0; waited_ms < READY_MS; waited_ms += LOOK_MS) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await delay(LOOK_MS);
  }
  throw new Error(`${url} is not ready`);
}

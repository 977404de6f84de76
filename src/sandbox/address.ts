import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { SandboxPorts } from './ports.js';
import type { Database } from './store/database.js';

/* Several processes may each serve the sandbox of one folder, and none of them knows which will exit first.
   So links to listings and photos lead to one address of the folder, stored in its database. One process at
   a time listens there; when it exits, another one takes its place. */

const HOST = '127.0.0.1';
/** How soon a process takes over the address after the previous one has exited. */
const RETRY_MS = 500;
const ASK_TIMEOUT_MS = 2_000;
/**
 * Returns the folder's name, so that a process can distinguish a sibling from a foreign program on the port.
 */
export const IDENTITY_PATH = '/_folder';

export type Address = {
  /** The origin of links, as in http://127.0.0.1:4610. */
  getOrigin(): string;
  close(): Promise<void>;
};

/**
 * Listens at the folder's address, or waits for it while another process of this folder does. If a foreign
 * program has its port, the address changes.
 * @param first_port tried if the folder has no address yet
 */
export async function holdAddress(
  db: Database,
  ports: SandboxPorts,
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  first_port: number,
): Promise<Address> {
  const folder = getFolderName(db, ports);
  const wanted = readPort(db) ?? first_port;
  let server = await listen(serve, wanted);
  let retry: NodeJS.Timeout | undefined;
  if (!server && (await askWho(wanted)) !== folder) server = await listen(serve, 0);
  const port = server ? getPort(server) : wanted;
  if (server) savePort(db, port);
  else retry = setInterval(() => void takeOver(), RETRY_MS).unref();

  async function takeOver(): Promise<void> {
    const taken = await listen(serve, port);
    if (!taken) return;
    clearInterval(retry);
    if (retry === undefined) taken.close();
    else server = taken;
  }

  return {
    getOrigin: () => `http://${HOST}:${port}`,
    async close() {
      clearInterval(retry);
      retry = undefined;
      const closing = server;
      if (!closing) return;
      closing.closeAllConnections();
      await new Promise((resolve) => closing.close(resolve));
    },
  };
}

/** Random, and the same for all processes on the database. */
export function getFolderName(db: Database, ports: SandboxPorts): string {
  db.run("INSERT INTO meta VALUES ('folder', ?) ON CONFLICT (name) DO NOTHING", ports.randomUuid());
  return db.find<{ value: string }>("SELECT value FROM meta WHERE name = 'folder'")?.value ?? '';
}

function readPort(db: Database): number | undefined {
  const row = db.find<{ value: string }>("SELECT value FROM meta WHERE name = 'port'");
  return row && Number(row.value);
}

function savePort(db: Database, port: number): void {
  db.run(
    "INSERT INTO meta VALUES ('port', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    String(port),
  );
}

/** Undefined if the port is taken. */
function listen(
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  port: number,
): Promise<Server | undefined> {
  const server = createServer(serve);
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, HOST, () => resolve(server.unref()));
  });
}

function getPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server that listens has a port');
  return address.port;
}

/** The name of the folder whose sandbox listens there; undefined for anything else. */
async function askWho(port: number): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
    const response = await fetch(`http://${HOST}:${port}${IDENTITY_PATH}`, { signal, redirect: 'manual' });
    return response.ok ? (await response.text()).slice(0, 100) : undefined;
  } catch {
    return undefined;
  }
}

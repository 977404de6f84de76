import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openRig, type Rig } from './harness.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function nameDatabase(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-address-'));
  folders.push(folder);
  return join(folder, 'sandbox.db');
}

async function listenAnywhere(): Promise<{ server: Server; port: number }> {
  const server = createServer((_request, response) => response.end('a stranger'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on a port');
  return { server, port: address.port };
}

async function findFreePort(): Promise<number> {
  const { server, port } = await listenAnywhere();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The origin of the link to a new listing. */
async function readLinkOrigin(rig: Rig): Promise<string> {
  const listing_id = await rig.createMug();
  return new URL((await rig.call('GET', `/listings/${listing_id}`)).body.url).origin;
}

describe("links to a folder's sandbox", () => {
  it('lead to one address for the listings of both processes, and keep working when its holder ends', async () => {
    const database_file = nameDatabase();
    const address_port = await findFreePort();
    const first = await openRig({ database_file, address_port });
    const second = await openRig({ database_file, address_port });
    try {
      const origin = `http://127.0.0.1:${address_port}`;
      const origins = [await readLinkOrigin(first), await readLinkOrigin(second)];
      expect(origins).toEqual([origin, origin]);
      const listing_id = await second.createMug();
      await first.sandbox.close();

      const page = await vi.waitFor(() => fetch(`${origin}/listing/${listing_id}`), { timeout: 10_000 });
      expect(page.status).toBe(200);
      expect(await page.text()).toContain('Speckled Mug');
    } finally {
      await second.sandbox.close();
    }
  });

  it('keep their address over a restart', async () => {
    const database_file = nameDatabase();
    const address_port = await findFreePort();
    const before = await openRig({ database_file, address_port });
    await before.sandbox.close();
    const after = await openRig({ database_file, address_port: await findFreePort() });
    try {
      expect(await readLinkOrigin(after)).toBe(`http://127.0.0.1:${address_port}`);
    } finally {
      await after.sandbox.close();
    }
  });

  it('lead elsewhere if another program has the port', async () => {
    const { server, port } = await listenAnywhere();
    const rig = await openRig({ database_file: nameDatabase(), address_port: port });
    try {
      const origin = await readLinkOrigin(rig);
      expect(origin).not.toBe(`http://127.0.0.1:${port}`);
      expect((await fetch(`${origin}/listing/1`)).status).toBe(404);
    } finally {
      await rig.sandbox.close();
      server.close();
    }
  });
});

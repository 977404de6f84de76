import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openOnPort, toListenError } from '../../src/cli/serving/listen.js';
import { loadConfig, type Config } from '../../src/config.js';

const open: Server[] = [];
// The test runner sets its own.
beforeEach(() => vi.stubEnv('BASE_URL', undefined));
afterEach(() => vi.unstubAllEnvs());
afterEach(() => open.splice(0).forEach((server) => server.close()));

describe('opening a port', () => {
  it('tries another free one if a program takes it at the last moment', async () => {
    const ports: number[] = [];
    const opened = await openOnPort(loadConfig({ PORT: '0' }, {}), { PORT: '0' }, async (config) => {
      ports.push(config.port);
      if (ports.length <= 2) await listen(config);
      await listen(config);
      return config;
    });
    expect(new Set(ports).size).toBe(3);
    expect(opened.port).toBe(ports[2]);
    expect(opened.base_url).toContain(`:${ports[2]}`);
  });

  it('gives up with a clear error if each is taken', async () => {
    const trial = openOnPort(loadConfig({ PORT: '0' }, {}), { PORT: '0' }, async (config) => {
      await listen(config);
      await listen(config);
    });
    await expect(trial).rejects.toThrow(/^Port \d+ on 127\.0\.0\.1 is taken\. Choose another with --port/);
  });

  it('stays with the requested port', async () => {
    const taken = await listen({ host: '127.0.0.1', port: 0 });
    const asked = loadConfig({ PORT: String(taken) }, {});
    let attempts = 0;
    const trial = openOnPort(asked, {}, async (config) => {
      attempts += 1;
      await listen(config);
    });
    await expect(trial).rejects.toThrow(`Port ${taken} on 127.0.0.1 is taken.`);
    expect(attempts).toBe(1);
  });

  it('reports any other error immediately', async () => {
    let attempts = 0;
    const trial = openOnPort(loadConfig({ PORT: '0' }, {}), { PORT: '0' }, async () => {
      attempts += 1;
      throw new Error('something else');
    });
    await expect(trial).rejects.toThrow('something else');
    expect(attempts).toBe(1);
  });
});

/** The port. Rejects like the service's server if it is taken. */
async function listen({ host, port }: Pick<Config, 'host' | 'port'>): Promise<number> {
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening').catch((cause: unknown) => {
    throw toListenError(cause, { host, port });
  });
  open.push(server);
  return (server.address() as AddressInfo).port;
}

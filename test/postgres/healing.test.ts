import { setTimeout as pause } from 'node:timers/promises';
import { expect, inject, it, onTestFinished } from 'vitest';
import { createHttpFace } from '../../src/transports/index.js';
import { openStore } from '../../src/store/index.js';
import { systemRandomness } from '../../src/world/randomness.js';
import { buildMug, startService, TARGETS } from '../service.js';
import { createRealClock, createTestIds, createTestLog } from '../store/ports.js';
import { startDatabaseProxy } from '../crash/instances/database_proxy.js';
import { createDatabase } from './databases.js';
import { requireProgram } from './required.js';
import { findPrograms, startServer, type Server } from './server.js';

const PATIENT = { timeout: 40_000, interval: 100 };

/**
 * The tests take down a server they started themselves, because they cannot stop the one of TEST_DATABASE_URL.
 */
const programs = requireProgram(findPrograms(), { name: 'a PostgreSQL server', install: 'postgresql' });

/** The server does not ask for it. */
const PASSWORD = 'pa55word-of-the-database';

/** A service with its HTTP transport, on a server that can be stopped. */
async function open() {
  expect(inject('postgres_url')).toBeDefined();
  const server = await startServer(programs ?? '', ['fsync = on']);
  onTestFinished(() => server.remove());
  await createDatabase(server.url, 'listings', 'template0');
  const proxy = await startDatabaseProxy(Number(new URL(server.url).port));
  onTestFinished(() => proxy.close());
  const { href: database_url } = Object.assign(new URL(server.url), {
    port: String(proxy.port),
    pathname: '/listings',
    password: PASSWORD,
  });
  const service = await startService({
    MARKETPLACE: 'sandbox',
    DATABASE_URL: database_url,
  });
  onTestFinished(() => service.close());
  const face = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  onTestFinished(() => face.close(0));
  const url = `http://127.0.0.1:${face.port}`;
  const { account_id } = await service.app.core.accounts.getDefault();
  const { key } = await service.app.core.accounts.createKey(account_id, 'test');
  return {
    server,
    proxy,
    service,
    /** The log of another instance on the same database. */
    async watchLog() {
      const log = createTestLog();
      const store = await openStore({
        data_dir: service.data_dir,
        database: { url: database_url, max_connections: 2 },
        clock: createRealClock(),
        randomness: systemRandomness,
        ids: createTestIds(),
        log,
      });
      onTestFinished(() => store.close());
      return log.lines;
    },
    readMetrics: async () => (await fetch(`${url}/metrics`)).text(),
    async ask(path: string) {
      const answer = await fetch(`${url}${path}`, { headers: { 'x-service-api-key': key } });
      const text = await answer.text();
      expect(text).not.toContain(PASSWORD);
      const body = JSON.parse(text) as { error?: { code: string; message: string }; reasons?: string[] };
      return { ...body, status: answer.status, retry_after: answer.headers.get('retry-after') };
    },
  };
}

async function restart(server: Server): Promise<void> {
  await server.stop('immediate');
  await server.start();
}

it.runIf(programs)(
  'reports a server that is gone, and recovers once it is back',
  { timeout: 120_000 },
  async () => {
    const { server, service, ask, readMetrics, watchLog } = await open();
    expect(await ask('/api/v1/stores')).toMatchObject({ status: 200 });
    expect(await ask('/readyz')).toMatchObject({ status: 200 });
    const lines = await watchLog();
    await server.stop('immediate');
    const refused = {
      status: 500,
      error: { code: 'INTERNAL', message: "The service's database does not respond." },
    };
    const answer = await ask('/api/v1/stores');
    expect(answer).toMatchObject(refused);
    expect(Number(answer.retry_after)).toBeGreaterThanOrEqual(1);
    expect(await ask('/readyz')).toMatchObject({ status: 503, reasons: ['the database does not answer'] });
    const figures = await readMetrics();
    expect(figures.split('\n')).toContain('listing_service_ready 0');
    expect(figures).not.toMatch(new RegExp(`${PASSWORD}|listing_service_jobs`));
    expect(await service.refuse('stores_list')).toMatchObject({ code: 'INTERNAL' });
    await expect
      .poll(() => lines.map(({ level, message }) => `${level} ${message}`), PATIENT)
      .toContain('warn this instance could not renew its presence in the database');
    await server.start();
    await expect.poll(() => ask('/readyz'), PATIENT).toMatchObject({ status: 200 });
    expect(await ask('/api/v1/stores')).toMatchObject({ status: 200 });
    await expect
      .poll(() => lines.map(({ level, message }) => `${level} ${message}`), PATIENT)
      .toContain('info the database answers again');
  },
);

it.runIf(programs)(
  'answers status requests without delay when the server has gone silent',
  { timeout: 60_000 },
  async () => {
    const { proxy, ask, readMetrics } = await open();
    expect(await readMetrics()).toContain('listing_service_jobs{');
    proxy.stall();
    // Recent figures are served for ten more seconds.
    await pause(10_000);
    const given_up = pause(9_000, 'not told', { ref: false });
    const [figures, state] = await Promise.all([Promise.race([readMetrics(), given_up]), ask('/readyz')]);
    expect(figures.split('\n')).toContain('listing_service_ready 0');
    expect(figures).not.toContain('listing_service_jobs');
    expect(state).toMatchObject({ status: 503, reasons: ['the database does not answer'] });
    proxy.resume();
    await expect.poll(() => ask('/readyz'), PATIENT).toMatchObject({ status: 200 });
    await expect.poll(readMetrics, PATIENT).toContain('listing_service_jobs{');
  },
);

it.runIf(programs)(
  'a job in flight when the server restarts creates each of its listings once',
  { timeout: 180_000 },
  async () => {
    const { server, service } = await open();
    await service.app.core.listings.resume();
    const shops = [TARGETS.clay, TARGETS.linen];
    for (const shop of shops) await service.call('store_sync', { shop_id: shop.shop_id });
    await service.control('POST', '/faults', {
      rules: [{ operation: 'createDraftListing', times: 2, action: { type: 'commit_then_slow', ms: 1_500 } }],
    });
    const making = service.invoke('listing_create', {
      ...buildMug(shops, { state: 'publish', idempotency_key: 'once' }),
    });
    await expect.poll(async () => (await service.app.store.getFigures()).jobs.processing, PATIENT).toBe(1);
    await restart(server);
    await making;
    await expect
      .poll(
        async () => {
          const { jobs } = await service.app.store.getFigures().catch(() => ({ jobs: undefined }));
          return jobs;
        },
        { ...PATIENT, timeout: 120_000 },
      )
      .toEqual({ processing: 0, completed: 1, failed: 0 });
    const { calls } = await service.control<{ calls: Record<string, number> }>('GET', '/state');
    expect(calls['createDraftListing']).toBe(2);
    const replayed = await service.call<{ results: { status: string }[] }>('listing_create', {
      ...buildMug(shops, { state: 'publish', idempotency_key: 'once' }),
    });
    expect(replayed.results.map(({ status }) => status)).toEqual(['ok', 'ok']);
  },
);

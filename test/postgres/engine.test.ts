import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Engines } from '../../src/store/engine/engine.js';
import { openPostgresEngines } from '../../src/store/engine/postgres/open.js';
import { createRealClock, createTestLog } from '../store/ports.js';
import { ask, createDatabase, dropDatabase } from './databases.js';
import { TEMPLATE } from './setup.js';

const INSTANCE = `of-the-engine-${randomBytes(4).toString('hex')}`;
const MAX_CONNECTIONS = 4;

let url: string;
let engines: Engines;
beforeAll(async () => {
  const server = inject('postgres_url') ?? '';
  const name = `engine_${randomBytes(6).toString('hex')}`;
  await createDatabase(server, name, TEMPLATE);
  url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await ask(url, 'CREATE TABLE pairs (id integer PRIMARY KEY, changes integer NOT NULL)');
  engines = await openPostgresEngines({
    url,
    max_connections: MAX_CONNECTIONS,
    instance: INSTANCE,
    clock: createRealClock(),
    log: createTestLog(),
  });
});
beforeEach(() => ask(url, 'DELETE FROM pairs; INSERT INTO pairs VALUES (1, 0), (2, 0)'));
afterAll(async () => {
  await engines.service.close();
  await dropDatabase(inject('postgres_url') ?? '', new URL(url).pathname.slice(1));
});

type Trx = Parameters<Parameters<Engines['service' | 'rates']['write']>[0]>[0];

async function show(trx: Trx, ...names: string[]): Promise<Record<string, unknown>> {
  const shown: Record<string, unknown> = {};
  for (const name of names) {
    const { rows } = await sql`SHOW ${sql.raw(name)}`.execute(trx);
    Object.assign(shown, rows[0]);
  }
  return shown;
}

async function change(trx: Trx, id: number): Promise<void> {
  await sql`UPDATE pairs SET changes = changes + 1 WHERE id = ${id}`.execute(trx);
}

async function readPairs(): Promise<unknown[]> {
  const { rows } = await ask(url, 'SELECT id, changes FROM pairs ORDER BY id');
  return rows;
}

describe('a transaction', () => {
  it('has its limits, whichever session it gets', async () => {
    const limits = ['statement_timeout', 'idle_in_transaction_session_timeout'];
    const expected = { statement_timeout: '30s', idle_in_transaction_session_timeout: '15s' };
    expect(await engines.service.read((trx) => show(trx, ...limits))).toEqual(expected);
    expect(await engines.service.write((trx) => show(trx, ...limits))).toEqual(expected);
  });

  it('waits for the disk when it commits, except for transactions that only write counters', async () => {
    expect(await engines.service.write((trx) => show(trx, 'synchronous_commit'))).toEqual({
      synchronous_commit: 'on',
    });
    expect(await engines.rates.write((trx) => show(trx, 'synchronous_commit'))).toEqual({
      synchronous_commit: 'off',
    });
  });

  it('waits for a connection while the maximum is in use', async () => {
    const counts = await Promise.all(
      Array.from({ length: 20 }, () =>
        engines.service.read(async (trx) => {
          await sql`SELECT pg_sleep(0.1)`.execute(trx);
          const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM pg_stat_activity
            WHERE application_name = ${`listing-service ${INSTANCE}`}`.execute(trx);
          return rows[0]?.count;
        }),
      ),
    );
    expect(Math.max(...counts.map(Number))).toBe(MAX_CONNECTIONS);
  });

  it('is retried after a deadlock with another one', async () => {
    let attempts = 0;
    let arrived = 0;
    let goOn: (() => void) | undefined;
    const both = new Promise<void>((resolve) => (goOn = resolve));
    const cross = (one: number, other: number) =>
      engines.service.write(async (trx) => {
        attempts += 1;
        await change(trx, one);
        arrived += 1;
        if (arrived === 2) goOn?.();
        await both;
        await change(trx, other);
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    // More often if they deadlock again.
    expect(attempts).toBeGreaterThanOrEqual(3);
    expect(await readPairs()).toEqual([
      { id: 1, changes: 2 },
      { id: 2, changes: 2 },
    ]);
  });

  it('cannot write if it is read-only', async () => {
    const writing = engines.service.read((trx) => change(trx, 1));
    await expect(writing).rejects.toMatchObject({
      name: 'StoreUnavailableError',
      cause: { message: 'cannot execute UPDATE in a read-only transaction' },
    });
    expect(await readPairs()).toContainEqual({ id: 1, changes: 0 });
  });
});

import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { StoreUnavailableError } from '../../src/core/ports/index.js';
import { openConnections } from '../../src/store/engine/postgres/connections.js';
import { openStore, StoreError } from '../../src/store/index.js';
import { systemRandomness } from '../../src/world/randomness.js';
import { createRealClock, createTestIds, createTestLog } from '../store/ports.js';
import { makeDirectory } from '../store/world.js';
import { ask, dropDatabase } from './databases.js';

/*
 * Simulates on the wire servers that are not available in tests: one without free connections, one that is
 * starting, one that expects another password, and an old version.
 */

/** A protocol message: its type byte, its length, and its content. */
function build(letter: string, body: Buffer): Buffer {
  const head = Buffer.from(`${letter}0000`);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const READY = build('Z', Buffer.from('I'));
const LET_IN = Buffer.concat([build('R', Buffer.alloc(4)), READY]);

function buildError(code: string, words: string): Buffer {
  return build('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${words}\0\0`));
}

/** A row of texts, as the answer to a query. */
function buildRow(row: Record<string, string>): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(Object.keys(row).length);
  const TEXT = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0]);
  const columns = Object.keys(row).flatMap((name) => [Buffer.from(`${name}\0`), TEXT]);
  const values = Object.values(row).flatMap((value) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(value));
    return [length, Buffer.from(value)];
  });
  return Buffer.concat([
    build('T', Buffer.concat([count, ...columns])),
    build('D', Buffer.concat([count, ...values])),
    build('C', Buffer.from('SELECT 1\0')),
    READY,
  ]);
}

/** Gives each connection the answers in turn. Returns the address of a database there. */
async function startScripted(...answers: Buffer[]): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const left = [...answers];
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write(left.shift() ?? ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `postgres://me:hunter2@127.0.0.1:${(server.address() as AddressInfo).port}/listings`;
}

it('does not wait a second time for a server that goes silent in a transaction', async () => {
  const url = await startScripted(LET_IN, Buffer.concat([build('C', Buffer.from('BEGIN\0')), READY]));
  const silent = new URL(url);
  // The driver's own parameter, so that the test need not wait as long as the service would.
  silent.searchParams.set('query_timeout', '200');
  const options = { url: silent.href, max_connections: 1, application_name: 'test' };
  const connections = openConnections(options, createTestLog());
  const errors = await connections.lease(async (client) => {
    await client.query('BEGIN');
    const found: unknown[] = [];
    for (const words of ['SELECT 1', 'ROLLBACK']) {
      await client.query(words).catch((error: unknown) => found.push(error));
    }
    return found;
  });
  expect(errors[0]).toBeInstanceOf(StoreUnavailableError);
  // A different error object would mean a second wait.
  expect(errors[1]).toBe(errors[0]);
  await connections.close();
});

/** Returns the message of a failed start, with `here` for the address. */
async function refuse(url: string): Promise<string> {
  const opening = openStore({
    data_dir: join(makeDirectory(), 'here'),
    database: { url, max_connections: 2 },
    clock: createRealClock(),
    randomness: systemRandomness,
    ids: createTestIds(),
    log: createTestLog(),
  });
  const error = await opening.then(
    () => 'none',
    (cause: unknown) => cause,
  );
  if (!(error instanceof StoreError)) throw error;
  expect(error.message).not.toContain('hunter2');
  const { host, pathname } = new URL(url);
  return error.message.replace(`at ${host}${pathname}`, 'here');
}

it.each([
  {
    name: 'has no connection free',
    answers: [buildError('53300', 'sorry, too many clients already')],
    said: 'The database server here has no connection free. Raise its max_connections, lower DATABASE_MAX_CONNECTIONS of the instances, or put PgBouncer between.',
  },
  {
    name: 'is starting',
    answers: [buildError('57P03', 'the database system is starting up')],
    said: 'The database server here is not ready (the database system is starting up). Start again in a moment.',
  },
  {
    name: 'wants another password',
    answers: [buildError('28P01', 'password authentication failed for user "me"')],
    said: 'The database server here does not let us in (password authentication failed for user "me"). Check the user and password in DATABASE_URL, and whether the server allows that user from this computer (pg_hba.conf).',
  },
  {
    name: 'is too old',
    answers: [LET_IN, buildRow({ number: '140013', version: '14.13', encoding: 'UTF8' })],
    said: 'The database server of DATABASE_URL is PostgreSQL 14.13, and 15 or newer is needed. Name a newer server.',
  },
])('a server that $name is reported in one sentence', async ({ answers, said }) => {
  expect(await refuse(await startScripted(...answers))).toBe(said);
});

it('a database with another encoding is reported in one sentence', async () => {
  const server = inject('postgres_url') ?? '';
  const name = `latin_${randomBytes(6).toString('hex')}`;
  await ask(server, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`);
  onTestFinished(() => dropDatabase(server, name));
  expect(await refuse(Object.assign(new URL(server), { pathname: `/${name}` }).href)).toBe(
    "The database of DATABASE_URL keeps text as LATIN1, and UTF8 is needed. Make a database with ENCODING 'UTF8' and name that.",
  );
});

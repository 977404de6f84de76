import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, StoreError } from '../../src/store/index.js';
import { systemRandomness } from '../../src/world/randomness.js';
import { createRealClock, createTestIds, createTestLog } from '../store/ports.js';
import { makeDirectory } from '../store/world.js';
import { ask } from './databases.js';
import { findPrograms, findUser, startServer, type Server } from './server.js';

/** A server with a certificate for 127.0.0.1 from its own authority; it also accepts connections without TLS. */
let server: Server;
const folder = mkdtempSync(join(tmpdir(), 'certificates-test-'));
const AUTHORITY = join(folder, 'authority.pem');
const OTHER_AUTHORITY = join(folder, 'other.pem');

beforeAll(async () => {
  const programs = findPrograms();
  if (programs === undefined)
    throw new Error('There is no PostgreSQL server here: install one (apt-get install postgresql).');
  makeCertificate('authority');
  makeCertificate('other');
  makeCertificate(
    'server',
    '-addext',
    'subjectAltName=IP:127.0.0.1',
    '-CA',
    AUTHORITY,
    '-CAkey',
    join(folder, 'authority.key'),
  );
  giveToServer();
  server = await startServer(programs, [
    'ssl = on',
    `ssl_cert_file = '${join(folder, 'server.pem')}'`,
    `ssl_key_file = '${join(folder, 'server.key')}'`,
  ]);
});

afterAll(async () => {
  await server?.remove();
  rmSync(folder, { recursive: true, force: true });
});

function makeCertificate(name: string, ...options: string[]): void {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.pem`)];
  execFileSync(
    'openssl',
    ['req', '-x509', ...curve, ...files, '-subj', `/CN=${name}`, '-days', '2', ...options],
    {
      stdio: 'pipe',
    },
  );
}

/** The server rejects a key that other users can read. */
function giveToServer(): void {
  const user = findUser();
  if (!user) return;
  for (const name of ['.', ...readdirSync(folder)]) chownSync(join(folder, name), user.uid, user.gid);
}

function toUrl(search: string, host = '127.0.0.1'): string {
  const url = new URL(server.url);
  url.hostname = host;
  url.search = search;
  return url.href;
}

function open(url: string) {
  return openStore({
    data_dir: makeDirectory(),
    master_key: Buffer.alloc(32, 1).toString('base64'),
    database: { url, max_connections: 2 },
    clock: createRealClock(),
    randomness: systemRandomness,
    ids: createTestIds(),
    log: createTestLog(),
  });
}

/** Returns the message of a start that is refused. */
async function refusal(url: string): Promise<string> {
  try {
    await (await open(url)).close();
    return 'none';
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return error.message;
  }
}

/** For each connection to the server except the querying one: whether it is encrypted. */
async function listSecured(): Promise<unknown[]> {
  const { rows } = await ask(
    server.url,
    `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
     WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  return rows.map((row: { ssl: boolean }) => row.ssl);
}

describe('a connection to PostgreSQL with TLS', () => {
  it('is made if the certificate is signed by the given authority and issued for the given host', async () => {
    const store = await open(toUrl(`?sslmode=verify-full&sslrootcert=${AUTHORITY}`));
    await store.accounts.getDefaultAccount();
    const secured = await listSecured();
    await store.close();
    expect(new Set(secured)).toEqual(new Set([true]));
  });

  it.each(['verify-full', 'verify-ca'])(
    'is refused with %s if another authority signed the certificate',
    async (mode) => {
      expect(await refusal(toUrl(`?sslmode=${mode}&sslrootcert=${OTHER_AUTHORITY}`))).toMatch(
        /^The connection to the database server at .* cannot be secured \(.+\)\./,
      );
    },
  );

  it('is refused with verify-full if the certificate was issued for another host', async () => {
    expect(await refusal(toUrl(`?sslmode=verify-full&sslrootcert=${AUTHORITY}`, 'localhost'))).toMatch(
      /^The connection to the database server at localhost.* cannot be secured \(.+\)\./,
    );
    // verify-ca does not check the host.
    expect(await refusal(toUrl(`?sslmode=verify-ca&sslrootcert=${AUTHORITY}`, 'localhost'))).toBe('none');
  });

  it("is refused with one sentence if the authority's file does not exist", async () => {
    const missing = join(folder, 'missing.pem');
    expect(await refusal(toUrl(`?sslmode=verify-full&sslrootcert=${missing}`))).toBe(
      `${missing} cannot be read (ENOENT). Correct sslrootcert, sslcert or sslkey in DATABASE_URL, or let this user read the file.`,
    );
  });
});

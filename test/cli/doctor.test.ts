import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { checkCallbackAddress, checkApplications, checkFacts } from '../../src/cli/doctor/marketplace.js';
import { checkBlobs, checkDatabase, checkFolder, checkRuntime } from '../../src/cli/doctor/installation.js';
import type { Check } from '../../src/cli/doctor/check.js';
import { checkShops, checkWebhooks } from '../../src/cli/doctor/shops.js';
import { examine, type Examination } from '../../src/compose/examination.js';
import { loadConfig, type Config } from '../../src/config.js';
import { SANDBOX_APP, startSandbox, type Sandbox } from '../../src/sandbox/index.js';
import { openAddon } from '../../src/sqlite.js';
import { startBucketServer } from '../blobs/bucket_server.js';
import { startScriptedServer, type ScriptedAnswer } from '../marketplace/scripted_server.js';
import { CLAY, NORD, send } from '../sandbox/harness.js';
import { startService, upload, type TestService } from '../service.js';
import { buildEnvironment, runCli, startServe } from '../surfaces/faces.js';

const DAY_MS = 24 * 60 * 60_000;
const WANTED = ['listings_r', 'listings_w', 'shops_r', 'transactions_r'];

let sandbox: Sandbox;
let data_dir: string;
let service: TestService;

beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'doctor-'));
  sandbox = await startSandbox({ database_file: ':memory:', control: true });
  service = await open({});
});
afterEach(async () => {
  await service.close({ keep: true });
  await sandbox.close();
  await rm(data_dir, { recursive: true, force: true });
});

const etsy = (more: Record<string, string> = {}): Record<string, string> => ({
  MARKETPLACE: 'etsy',
  ETSY_API_URL: sandbox.url,
  ETSY_AUTH_URL: sandbox.url,
  ETSY_KEYSTRING: SANDBOX_APP.keystring,
  ETSY_SHARED_SECRET: SANDBOX_APP.shared_secret,
  ...more,
});

function open(environment: Record<string, string>): Promise<TestService> {
  return startService(etsy(environment), { data_dir });
}

function look(environment: Record<string, string> = {}): Promise<Examination> {
  return examine(configure(environment));
}

function configure(environment: Record<string, string> = {}): Config {
  return loadConfig({}, { ...etsy(environment), DATA_DIR: data_dir });
}

/** The state that a finished consent would leave. */
async function connect({ user_id, shop_id }: typeof CLAY, scopes = WANTED, left_ms = 3_600_000) {
  const { core, store } = service.app;
  const { account_id } = await core.accounts.getDefault();
  const { access_token, refresh_token } = sandbox.issueGrant(user_id, scopes);
  const access_expires_at = new Date(Date.now() + left_ms).toISOString();
  const shop = { account_id, shop_id };
  const tokens = { access_token, refresh_token, scopes };
  await store.tokens.saveTokens(shop, {
    ...tokens,
    access_expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await core.shops.connect(shop);
  await store.tokens.saveTokens(shop, { ...tokens, access_expires_at });
  return shop;
}

const tell = (checks: readonly Check[]) => checks.map(({ status, message }) => [status, message]);

describe("the doctor's check of shops", () => {
  it('passes if the marketplace accepts their tokens', async () => {
    await connect(CLAY);
    await connect(NORD, WANTED, -1_000);
    const examination = await look();
    expect(
      checkShops(examination, new Date()).map(({ name, status, message }) => [name, status, message]),
    ).toEqual([
      [
        'shop ClayAndOak of default',
        'ok',
        expect.stringMatching(/^Connected, synced \S+, and the marketplace takes its token\.$/),
      ],
      [
        'shop NordLinen of default',
        'ok',
        expect.stringMatching(/^Connected, synced \S+; the next call renews its token\.$/),
      ],
    ]);
  });

  it('reports each kind of problem separately', async () => {
    const now = new Date();
    const tellShops = async (at = now) => tell(checkShops(await look(), at));
    expect(await tellShops()).toEqual([['warning', 'No shop is connected.']]);

    const shop = await connect(CLAY, ['listings_r', 'shops_r']);
    expect(await tellShops()).toEqual([
      ['problem', 'Its access does not include listings_w, transactions_r.'],
    ]);

    await connect(CLAY);
    expect(await tellShops(new Date(now.getTime() + 80 * DAY_MS))).toEqual([
      ['warning', 'Its access expires in 10 days unless it is used.'],
    ]);
    expect(await tellShops(new Date(now.getTime() + 91 * DAY_MS))).toEqual([
      ['problem', 'Its access expired, because it was not used for 90 days.'],
    ]);

    await send(`${sandbox.url}/_sandbox/tokens/revoke`, 'POST', { json: { user_id: CLAY.user_id } });
    expect(await tellShops()).toEqual([
      ['warning', 'The marketplace answered: "invalid_token: access token is unknown".'],
    ]);
    await service.app.store.tokens.markReconnectRequired(shop);
    const [check] = checkShops(await look(), now);
    expect(check).toMatchObject({
      status: 'problem',
      message: 'The marketplace revoked its access.',
      remedy: `Run listing-service connect ${CLAY.shop_id} --account ${shop.account_id}.`,
    });
    await service.app.store.tokens.deleteTokens(shop);
    await service.app.store.shops.saveShop((await service.app.core.shops.find(shop))!);
    expect(await tellShops()).toEqual([['problem', 'It has no tokens.']]);
  });
});

const tellApplication = async (environment: Record<string, string> = {}) => {
  return tell(checkApplications((await look(environment)).marketplace));
};

describe("the doctor's check of the application", () => {
  it('passes if the marketplace knows it, the clocks agree, and calls are left', async () => {
    expect(await tellApplication()).toEqual([
      ['ok', 'The marketplace knows application 1093377218.'],
      ['ok', expect.stringMatching(/^It agrees with the marketplace's\.|^It is \d+ seconds off\.$/)],
      ['ok', '9999 of 10000 calls are left today, 10 a second.'],
    ]);
  });

  it('quotes the marketplace if its key is wrong', async () => {
    expect((await tellApplication({ ETSY_SHARED_SECRET: 'other' }))[0]).toEqual([
      'problem',
      'The marketplace answered: "The x-api-key does not belong to an application.".',
    ]);
    expect((await tellApplication({ ETSY_KEYSTRING: 'key:secret' }))[0]).toEqual([
      'problem',
      'ETSY_KEYSTRING contains a colon: it seems to include the shared secret.',
    ]);
  });

  it('is skipped if the marketplace does not answer, and for the sandbox', async () => {
    expect(await tellApplication({ ETSY_API_URL: 'http://127.0.0.1:1' })).toEqual([
      ['problem', 'The marketplace did not answer: no answer (ECONNREFUSED).'],
      ['skipped', 'Not compared: the marketplace did not answer.'],
      ['skipped', 'The marketplace did not report them.'],
    ]);
    expect((await tellApplication({ MARKETPLACE: 'sandbox' })).map(([status]) => status)).toEqual([
      'skipped',
    ]);
  });

  it('covers the application of each shop, with its own key and its own limits', async () => {
    const OWN = { keystring: 'own0keystring', shared_secret: 'own0secret0never0told' };
    await send(`${sandbox.url}/_sandbox/applications`, 'POST', { json: { ...OWN, rate_per_second: 3 } });
    const shop = await connect(CLAY);
    const { access_token, refresh_token } = sandbox.issueGrant(CLAY.user_id, WANTED, OWN.keystring);
    const access_expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const tokens = { access_token, refresh_token, access_expires_at, scopes: WANTED };
    await service.app.store.tokens.saveTokens(shop, tokens, { ...OWN, webhook_secret: null });
    await connect(NORD);
    const none = { ETSY_KEYSTRING: '', ETSY_SHARED_SECRET: '' };

    const examination = await look();
    const checks = checkApplications(examination.marketplace);
    expect(checks.map(({ name }) => name)).toEqual([
      'application',
      'clock',
      'limits',
      'application own0keys… of default',
      'clock own0keys… of default',
      'limits own0keys… of default',
    ]);
    expect(tell(checks).at(-1)).toEqual(['ok', expect.stringMatching(/calls are left today, 3 a second\.$/)]);
    expect(checkShops(examination, new Date()).map(({ status }) => status)).toEqual(['ok', 'ok']);

    await send(`${sandbox.url}/_sandbox/applications`, 'POST', {
      json: { keystring: OWN.keystring, is_revoked: true },
    });
    const revoked = await look(none);
    expect(checkApplications(revoked.marketplace)[0]).toMatchObject({
      name: 'application own0keys… of default',
      status: 'problem',
      remedy: expect.stringContaining('reconnect its shop with its keystring and shared secret'),
    });
    // The other shop was connected with the installation's application, which is not set now.
    expect(tell(checkShops(revoked, new Date()))[1]).toEqual([
      'problem',
      "It is connected with the installation's application, which is no longer set.",
    ]);
    expect(JSON.stringify([checks, checkApplications(revoked.marketplace)])).not.toContain(OWN.shared_secret);
    await service.app.store.tokens.deleteTokens(shop);
    expect(tell(checkApplications((await look(none)).marketplace))).toEqual([
      ['warning', expect.stringContaining('None is set: each shop brings its own')],
    ]);
  });

  it('reports clocks that differ and calls that run out', async () => {
    const answer: ScriptedAnswer = {
      status: 200,
      json: { application_id: 7 },
      headers: {
        date: new Date(Date.now() + 600_000).toUTCString(),
        'x-limit-per-day': '10000',
        'x-remaining-today': '90',
      },
    };
    const server = await startScriptedServer(() => answer);
    onTestFinished(() => server.close());
    expect(await tellApplication({ ETSY_API_URL: server.url })).toEqual([
      ['ok', 'The marketplace knows application 7.'],
      ['problem', expect.stringMatching(/^It is (599|600|601) seconds behind the marketplace's\.$/)],
      ['warning', '90 of 10000 calls are left today, 1000 a second.'],
    ]);
  });
});

describe("the doctor's check of the folder and its database", () => {
  it('passes for a folder the service made', async () => {
    const { folder } = await look();
    expect(tell(await checkFolder(data_dir, folder))).toEqual([
      ['ok', `${data_dir} is closed to other users.`],
      [expect.stringMatching(/ok|warning/), expect.stringContaining('MiB are free')],
    ]);
    expect(tell(checkDatabase(folder))).toEqual([
      ['ok', expect.stringMatching(/^Sound, schema \d+, SQLite 3\./)],
      ['ok', 'The key decrypts the stored secrets.'],
    ]);
  });

  it('reports a folder of another marketplace, and skips its shops', async () => {
    await connect(CLAY);
    await service.close({ keep: true });
    await writeFile(join(data_dir, 'marketplace'), 'sandbox');
    const { code, stdout } = await runCli(['doctor'], buildEnvironment(data_dir, etsy()));
    expect(code).toBe(1);
    expect(stdout).toContain(
      `problem  folder: ${data_dir} was created with MARKETPLACE=sandbox, but MARKETPLACE is etsy.\n` +
        '         -> Set DATA_DIR to another folder for MARKETPLACE=etsy.\n',
    );
    expect(stdout).toContain('skipped  shops: Not checked');
    const state = await fetch(`${sandbox.url}/_sandbox/state`);
    const { calls } = (await state.json()) as { calls: Record<string, number> };
    expect([calls['ping'], calls['tokenScopes']]).toEqual([1, undefined]);
  });

  it('reports files that others can read, a different key, and a damaged file', async () => {
    await service.close({ keep: true });
    await chmod(join(data_dir, 'master.key'), 0o644);
    const { folder } = await look();
    expect(tell(await checkFolder(data_dir, folder))[0]).toEqual([
      'problem',
      `Other users of this computer can open ${join(data_dir, 'master.key')} (mode 644).`,
    ]);
    const other = await look({ MASTER_KEY: 'a'.repeat(64) });
    expect(tell(checkDatabase(other.folder))[1]).toEqual([
      'problem',
      expect.stringContaining(
        'The encrypted secrets cannot be read: A secret in master_key_check.sealed cannot be read',
      ),
    ]);
    expect(tell(checkShops(other, new Date()))).toEqual([
      ['skipped', 'Not checked: the database cannot be read.'],
    ]);
    await writeFile(
      join(data_dir, 'service.db'),
      'no database at all, but long enough to be looked at'.repeat(99),
    );
    expect(tell(checkDatabase((await look()).folder))).toEqual([
      ['problem', 'service.db is damaged (file is not a database).'],
    ]);
    await rm(join(data_dir, 'service.db'));
    expect(tell(checkDatabase((await look()).folder))[0]?.[0]).toBe('skipped');
  });

  it.each([
    [99, /^\S+service\.db has schema version 99, and this release knows only \d+\. Start the newer release/],
    [40, /^\S+service\.db has schema version 40, and this release upgrades only version 41 or later\. /],
  ])('reports that this release cannot use schema version %i', async (version, message) => {
    await service.close({ keep: true });
    const sqlite = openAddon(join(data_dir, 'service.db'));
    sqlite.pragma(`user_version = ${version}`);
    sqlite.close();
    const { folder } = await look();
    expect(tell(checkDatabase(folder))[1]).toEqual(['problem', expect.stringMatching(message)]);
  });
});

describe("the doctor's check of webhooks", () => {
  it('passes if none is set, or if the endpoint may be called', async () => {
    expect(tell(checkWebhooks((await look()).folder, false))[0]?.[0]).toBe('ok');
    await service.call('webhook_endpoint_set', { url: 'http://127.0.0.1:9/hook' });
    const { folder } = await look();
    expect(tell(checkWebhooks(folder, true))).toEqual([['ok', 'Order events go to 127.0.0.1:9.']]);
    expect(tell(checkWebhooks(folder, false))[0]?.[0]).toBe('problem');
  });
});

describe("the doctor's checks without a folder", () => {
  it('judge the runtime, the callback address and the age of the rules', () => {
    expect(checkRuntime('20.18.0').map(({ status }) => status)).toEqual(['problem']);
    expect(['20.18.1', '20.20.0', '24.0.0'].flatMap(checkRuntime).map(({ status }) => status)).toEqual([
      'ok',
      'ok',
      'ok',
    ]);
    const addresses = [
      'https://shop.example',
      'http://localhost:3000',
      'http://127.0.0.1:3000',
      'http://shop.example',
    ];
    expect(addresses.map((base_url) => checkCallbackAddress(base_url).status)).toEqual([
      'ok',
      'ok',
      'warning',
      'problem',
    ]);
    const facts = { as_of: '2026-11-20' };
    const judge = (day: string) => checkFacts(facts, new Date(day)).message;
    expect(judge('2026-12-31')).toBe("This release's marketplace rules are from 2026-11-20.");
    expect(judge('2027-01-01')).toBe(judge('2026-12-31'));
    expect(judge('2027-11-22')).toMatch(/more than a year ago/);
  });
});

/** The contents of a folder, byte for byte, with modes. */
async function listBytes(folder: string): Promise<[string, number, string][]> {
  const names = (await readdir(folder)).filter((name) => /\.(db|db-wal|key)$/.test(name)).sort();
  return Promise.all(
    names.map(async (name): Promise<[string, number, string]> => {
      const bytes = await readFile(join(folder, name));
      const { mode } = await stat(join(folder, name));
      return [name, mode, createHash('sha256').update(bytes).digest('hex')];
    }),
  );
}

async function listDatabases(): Promise<string[]> {
  return (await readdir(data_dir)).filter((name) => name.includes('.db')).sort();
}

describe('the command doctor', { timeout: 120_000 }, () => {
  it('reports by exit code, in words and in JSON, and changes nothing', async () => {
    await connect(CLAY);
    await service.close({ keep: true });
    const env = buildEnvironment(data_dir, etsy());
    const [names, before] = [await readdir(data_dir), await listBytes(data_dir)];
    const well = await runCli(['doctor'], env);
    expect([well.code, well.stderr]).toEqual([0, '']);
    expect(well.stdout).toContain('ok       application: The marketplace knows application 1093377218.');
    expect([await readdir(data_dir), await listBytes(data_dir)]).toEqual([names, before]);

    const served = await startServe(env);
    // The server writes at any time, so databases are compared only by name.
    const in_use = await listDatabases();
    const json = await runCli(['doctor', '--json'], { ...env, ETSY_SHARED_SECRET: 'other' });
    expect(await listDatabases()).toEqual(in_use);
    await served.stop();
    const printed = JSON.parse(json.stdout) as { ok: boolean; checks: Check[] };
    expect([json.code, printed.ok]).toEqual([1, false]);
    expect(printed.checks.filter(({ status }) => status === 'problem')).toEqual([
      {
        name: 'application',
        status: 'problem',
        message: 'The marketplace answered: "The x-api-key does not belong to an application.".',
        remedy: expect.stringContaining('Check ETSY_KEYSTRING and ETSY_SHARED_SECRET'),
      },
    ]);
  });

  it('reports settings that nothing can start with', async () => {
    const { code, stdout } = await runCli(
      ['doctor'],
      buildEnvironment(data_dir, { MARKETPLACE: 'etsy', PORT: 'x' }),
    );
    expect(code).toBe(1);
    expect(stdout).toContain('problem  settings: PORT must be a whole number from 0 to 65535, not "x".\n');
  });
});

describe("the doctor's check of files", () => {
  it('tries the bucket, and says what is wrong and what to do', async () => {
    const server = await startBucketServer();
    onTestFinished(() => server.close());
    const environment = server.toSettings('here');
    expect(tell(checkBlobs((await look(environment)).blobs))).toEqual([
      [
        'ok',
        expect.stringMatching(
          /^A few bytes were put into s3:\/\/photos\/here at .+, listed, read back and deleted\.$/,
        ),
      ],
    ]);
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'PUT', 'GET', 'GET', 'DELETE']);
    server.fail(
      { kind: 'status', status: 403, code: 'AccessDenied' },
      { when: ({ method }) => method === 'DELETE' },
    );
    expect(checkBlobs((await look(environment)).blobs)).toEqual([
      {
        name: 'files',
        status: 'problem',
        message: expect.stringMatching(
          /may not do this \(403 AccessDenied\), tried by deleting a few bytes\.$/,
        ) as unknown,
        remedy: expect.stringContaining('S3_ACCESS_KEY_ID') as unknown,
      },
    ]);
    expect(checkBlobs((await look()).blobs)).toEqual([]);
  });

  it('warns about a new folder if the database names files', async () => {
    const environment = { BLOB_STORE: `file://${join(data_dir, 'not-mounted')}` };
    expect(checkBlobs((await look(environment)).blobs)).toEqual([]);
    await upload(service, 'photo-01.jpg');
    expect(tell(checkBlobs((await look(environment)).blobs))).toEqual([
      [
        'warning',
        `The folder ${join(data_dir, 'not-mounted')} is new, but the database refers to files that it does not have.`,
      ],
    ]);
  });
});

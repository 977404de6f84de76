import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildEnvironment, runCli, type Environment } from '../surfaces/faces.js';
import { sample } from '../whole.js';

let data_dir: string;
let env: Environment;

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'cli-'));
  // Nothing here needs the marketplace, so none is started.
  await writeFile(join(data_dir, 'sandbox-connected'), '');
  env = buildEnvironment(data_dir, { MARKETPLACE: 'sandbox' });
});
afterAll(() => rm(data_dir, { recursive: true }));

describe('the commands for keys', () => {
  it('create, list and revoke them', async () => {
    const made = await runCli(['keys', 'create', '--json', '--name', 'laptop'], env);
    const { key, key_id } = JSON.parse(made.stdout) as { key: string; key_id: string };
    expect([key, key_id]).toEqual([
      expect.stringMatching(/^mls_[0-9A-Za-z]{49}$/),
      expect.stringMatching(/^key_[0-9A-Za-z]{22}$/),
    ]);
    const listed = await runCli(['keys', 'list', '--json'], env);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      keys: [{ key_id, name: 'laptop', prefix: key.slice(0, 8), revoked_at: null }],
    });
    expect(listed.stdout).not.toContain(key);
    expect((await runCli(['keys', 'list'], env)).stdout).toContain(
      `${key_id}  ${key.slice(0, 8)}...  laptop`,
    );

    expect(await runCli(['keys', 'revoke', key_id], env)).toMatchObject({
      code: 0,
      stdout: `Key ${key_id} is revoked.\n`,
    });
    expect(await runCli(['keys', 'revoke', key_id], env)).toMatchObject({
      code: 1,
      stderr: `listing-service: Account default has no key ${key_id} that is still in use.\n`,
    });
  });

  it('create keys that expire or are read-only', async () => {
    const asked = ['keys', 'create', '--name', 'guest', '--expires-in', '30d', '--read-only', '--json'];
    const made = JSON.parse((await runCli(asked, env)).stdout) as { key_id: string; expires_at: string };
    const left_ms = Date.parse(made.expires_at) - Date.now();
    expect(Math.round(left_ms / 86_400_000)).toBe(30);
    const line = (await runCli(['keys', 'list'], env)).stdout
      .split('\n')
      .find((one) => one.includes('guest'));
    expect(line).toContain(`expires ${made.expires_at}  read-only`);
    expect(await runCli(['keys', 'create', '--expires-in=-1d'], env)).toMatchObject({
      code: 1,
      stderr:
        'listing-service: --expires-in must be minutes, hours or days, such as 90m, 12h or 30d, up to 3650d; not -1d.\n',
    });
  });

  it('show the keys of one account, and refuse an unknown account', async () => {
    const made = await runCli(['keys', 'create', '--json', '--account', 'other'], env);
    expect([made.code, made.stderr]).toEqual([0, 'Account other is new.\n']);
    const { keys } = JSON.parse(
      (await runCli(['keys', 'list', '--json', '--account', 'other'], env)).stdout,
    ) as {
      keys: unknown[];
    };
    expect(keys).toHaveLength(1);
    expect(await runCli(['keys', 'list', '--account', 'nobody'], env)).toMatchObject({
      code: 1,
      stderr:
        'listing-service: There is no account nobody. listing-service accounts list shows all accounts.\n',
    });
  });

  it('make them and everything else in the data directory accessible only to the owner', async () => {
    const names = await readdir(data_dir);
    for (const name of names.filter((file) => /\.db|\.key/.test(file))) {
      expect([name, (await stat(join(data_dir, name))).mode & 0o077]).toEqual([name, 0]);
    }
  });
});

describe('the commands for accounts', () => {
  it('create, rename and list them, by name or id', async () => {
    const made = await runCli(['accounts', 'create', 'shop two', '--json'], env);
    const { account_id } = JSON.parse(made.stdout) as { account_id: string };
    expect(account_id).toMatch(/^acct_/);
    expect(await runCli(['accounts', 'rename', 'shop two', 'shop 2'], env)).toMatchObject({
      code: 0,
      stdout: `Account ${account_id} is now named shop 2.\n`,
    });
    const { accounts } = JSON.parse((await runCli(['accounts', 'list', '--json'], env)).stdout) as {
      accounts: { account_id: string; name: string; is_default: boolean }[];
    };
    expect(accounts.filter(({ is_default }) => is_default).map(({ name }) => name)).toEqual(['default']);
    expect(accounts).toContainEqual(expect.objectContaining({ account_id, name: 'shop 2' }));
    expect((await runCli(['accounts', 'list'], env)).stdout).toContain(`${account_id}  shop 2  created`);
    expect((await runCli(['keys', 'create', '--account', account_id], env)).code).toBe(0);
  });

  const refused: [string[], string][] = [
    [['create', 'default'], 'name: belongs to another account; use a different name'],
    [['create', 'x'.repeat(81)], 'name: must have 1 to 80 visible characters'],
    [
      ['rename', 'nobody', 'x'],
      'There is no account nobody. listing-service accounts list shows all accounts.',
    ],
  ];
  it.each(sample(refused, 1))('refuse %j', async (args, words) => {
    const { code, stderr } = await runCli(['accounts', ...args], env);
    expect([code, stderr]).toEqual([1, `listing-service: ${words}\n`]);
  });
});

describe('the commands for grants', () => {
  it('report a grant that does not exist', async () => {
    expect((await runCli(['grants', 'list'], env)).stderr).toBe('No assistant has access yet.\n');
    expect((await runCli(['grants', 'list', '--json'], env)).stdout).toBe('{\n  "grants": []\n}\n');
    expect(await runCli(['grants', 'end', 'grant_x'], env)).toMatchObject({
      code: 1,
      stderr: 'listing-service: Account default has no grant grant_x.\n',
    });
  });
});

describe('the command call', () => {
  it('prints JSON and exits with 0', async () => {
    const { code, stdout, stderr } = await runCli(['call', 'listings_list', '{"limit": 2}'], env);
    expect([code, JSON.parse(stdout), stderr]).toEqual([
      0,
      { total: 0, limit: 2, offset: 0, listings: [] },
      '',
    ]);
  });

  it('prints the error body and exits with 1', async () => {
    const { code, stdout } = await runCli(['call', 'listing_get', '{"listing_pk": 1}'], env);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'LISTING_NOT_FOUND',
        status: 404,
        message: expect.any(String),
        hint: expect.any(String),
        docs: expect.stringMatching(/^file:.*index\.html#LISTING_NOT_FOUND$/),
      },
    });
  });

  it('takes input from a file', async () => {
    const file = join(data_dir, 'input.json');
    await writeFile(file, '{"limit": 3}');
    const { stdout } = await runCli(['call', 'listings_list', `@${file}`], env);
    expect(JSON.parse(stdout)).toMatchObject({ limit: 3 });
    expect(await runCli(['call', 'listings_list', '@/nowhere.json'], env)).toMatchObject({
      code: 1,
      stderr: 'listing-service: The file /nowhere.json could not be read.\n',
    });
  });

  const wrong: [string[], string][] = [
    [['call', 'listings_list', '{'], 'listing-service: The body is not valid JSON'],
    [['frobnicate'], "error: unknown command 'frobnicate'"],
    [['call', 'nothing'], 'listing-service: There is no operation nothing. There are: stores_list, '],
    [['call'], "error: missing required argument 'operationId'"],
  ];
  it.each(sample(wrong, 2))('reports the problem with %o', async (args, words) => {
    const { code, stdout, stderr } = await runCli(args, env);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('    at ');
  });

  it('reports every problem with the settings', async () => {
    const { code, stderr } = await runCli(['call', 'listings_list'], {
      ...env,
      PORT: 'x',
      READ_ONLY: 'perhaps',
    });
    expect([code, stderr]).toEqual([
      1,
      'listing-service: PORT must be a whole number from 0 to 65535, not "x".\n' +
        'READ_ONLY must be 1, 0, true, false, on or off, not "perhaps".\n',
    ]);
  });

  it('changes nothing when read-only', async () => {
    const { stdout } = await runCli(['call', 'listing_delete', '{"listing_pk": 1}'], {
      ...env,
      READ_ONLY: 'on',
    });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'READ_ONLY' } });
  });
});

describe("the command line's help", () => {
  it('shows the version and the settings', async () => {
    expect((await runCli(['--version'], env)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await runCli(['settings'], env)).stdout).toContain('RATE_LIMIT_PER_DAY');
    expect((await runCli(['--help'], env)).stdout).toContain('stdio');
  });
});

describe('the sandbox', () => {
  it('is not started by commands that do not need it', async () => {
    expect((await readdir(data_dir)).filter((name) => name.startsWith('sandbox.db'))).toEqual([]);
  });
});

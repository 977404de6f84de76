import { execFile } from 'node:child_process';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listClients } from '../../src/cli/setup/clients.js';
import { loadConfig } from '../../src/config.js';
import { findUserFolders } from '../../src/config/user_folders.js';
import { CLI, runCli, type Environment } from '../surfaces/faces.js';
import { sample } from '../whole.js';

type Entry = { type?: string; command: string; args: string[]; env: Environment };

const SECRETS = {
  ETSY_SHARED_SECRET: 'the-secret',
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
};

/** Their place in the data folder. */
const FILES = { etsy_shared_secret: SECRETS.ETSY_SHARED_SECRET, 'master.key': SECRETS.MASTER_KEY };

/** A separate home folder with no programs except those written here. */
async function makeHome(extra: Environment = {}) {
  const home = await mkdtemp(join(tmpdir(), 'setup-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const env = {
    PATH: '',
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, 'AppData', 'Roaming'),
    DATA_DIR: join(home, 'data'),
    ...extra,
  };
  const clients = listClients(findUserFolders(process.platform, env, home));
  const getFile = (id: string) => clients.find((client) => client.id === id)?.file ?? '';
  const writeClient = async (id: string, text: string) => {
    await mkdir(dirname(getFile(id)), { recursive: true });
    await writeFile(getFile(id), text);
  };
  const run = (...args: string[]) => runCli(['setup', ...args], env);
  return { home, env, clients, getFile, writeClient, run };
}

async function readEntry(file: string, servers = 'mcpServers'): Promise<Entry> {
  const config = JSON.parse(await readFile(file, 'utf8')) as Record<string, Record<string, Entry>>;
  const entry = config[servers]?.['listing-service'];
  if (!entry) throw new Error(`${file} has no entry`);
  return entry;
}

async function listBackups(file: string): Promise<string[]> {
  const names = await readdir(dirname(file));
  return names.filter((name) => name.endsWith('.bak')).map((name) => join(dirname(file), name));
}

describe('the command setup', () => {
  it('writes a configuration with which a client starts the service', async () => {
    const { getFile, run, home } = await makeHome();
    const { code, stdout } = await run('--client', 'claude-desktop');
    const file = getFile('claude-desktop');
    expect([code, stdout]).toEqual([
      0,
      `Claude Desktop: ${file} was updated. Quit Claude Desktop completely, and start it again.\n`,
    ]);
    expect((await stat(file)).mode & 0o077).toBe(0);

    const { command, args, env } = await readEntry(file);
    expect(command).toBe(process.execPath);
    const client = new Client({ name: 'test', version: '1' });
    // In its own folder, with only the environment from the configuration.
    await client.connect(new StdioClientTransport({ command, args, env: { HOME: home, ...env }, cwd: home }));
    onTestFinished(() => client.close());
    const answer = await client.callTool({ name: 'stores_list', arguments: {} });
    expect(answer.structuredContent).toMatchObject({
      stores: [{ shop_name: 'ClayAndOak' }, { shop_name: 'NordLinen' }],
    });
    expect(await readdir(env['DATA_DIR'] ?? '')).toContain('master.key');
  });

  it('passes on the proxy and the certificates, but never writes a proxy with a password', async () => {
    const { getFile, run, home } = await makeHome({
      https_proxy: 'http://proxy.example:3128',
      NO_PROXY: 'localhost',
      NODE_EXTRA_CA_CERTS: join('..', 'ca.pem'),
    });
    expect(await run('--client', 'claude-desktop')).toMatchObject({ code: 0 });
    const { env } = await readEntry(getFile('claude-desktop'));
    expect(env).toEqual({
      DATA_DIR: join(home, 'data'),
      HTTPS_PROXY: 'http://proxy.example:3128',
      NO_PROXY: 'localhost',
      NODE_EXTRA_CA_CERTS: resolve('..', 'ca.pem'),
    });
    const secret = await makeHome({ HTTPS_PROXY: 'http://dana:proxy-pass@proxy.example:3128' });
    expect((await secret.run('--client', 'claude-desktop')).stderr).toContain(
      'HTTPS_PROXY has a password, so setup does not write it into a file. If the service must use this proxy, add it to the env of listing-service there yourself; setup leaves it in place.\n',
    );
    const entry = await readEntry(secret.getFile('claude-desktop'));
    expect(entry.env).toEqual({ DATA_DIR: join(secret.home, 'data') });
  });

  const clients_to_tell: [string, string, string | undefined][] = [
    ['vscode', 'servers', 'stdio'],
    ['claude-desktop', 'mcpServers', undefined],
    ['claude-code', 'mcpServers', 'stdio'],
    ['cursor', 'mcpServers', undefined],
  ];
  it.each(sample(clients_to_tell, 1))(
    'configures %s once, with a copy of the previous file',
    async (id, servers, type) => {
      const { env, getFile, writeClient, run } = await makeHome();
      const before = `{\n    "theme": "dark",\n    "${servers}": {\n        "other": { "command": "x" }\n    }\n}\n`;
      await writeClient(id, before);
      await chmod(getFile(id), 0o640);
      expect(await run()).toMatchObject({ code: 0, stderr: '' });
      const file = getFile(id);
      const after = await readFile(file, 'utf8');
      expect(JSON.parse(after)).toEqual({
        theme: 'dark',
        [servers]: {
          other: { command: 'x' },
          'listing-service': {
            ...(type && { type }),
            command: process.execPath,
            args: [CLI, 'stdio'],
            env: { DATA_DIR: env.DATA_DIR },
          },
        },
      });
      expect(after).toContain('        "other": { "command": "x" }');
      expect((await stat(file)).mode & 0o777).toBe(0o640);
      const [backup = '', ...more] = await listBackups(file);
      expect([await readFile(backup, 'utf8'), more]).toEqual([before, []]);

      expect((await run()).stdout).toContain(`${file} is already up to date.`);
      expect([await readFile(file, 'utf8'), await listBackups(file)]).toEqual([after, [backup]]);

      expect((await run('--remove')).stdout).toContain(`${file} no longer has an entry for this service`);
      expect(await readFile(file, 'utf8')).toBe(before);
      expect((await run('--remove')).stdout).toContain(`${file} has no entry for this service.\n`);
      expect((await readdir(dirname(file))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    },
  );

  it('removes the byte order mark, with which Claude Desktop starts no server, even if nothing else changes', async () => {
    const { getFile, run, writeClient } = await makeHome();
    const file = getFile('claude-desktop');
    await writeClient('claude-desktop', '\uFEFF{ "theme": "dark" }');
    await run('--client', 'claude-desktop');
    const written = await readFile(file, 'utf8');
    expect(JSON.parse(written)).toMatchObject({ theme: 'dark', mcpServers: {} });
    await writeFile(file, `\uFEFF${written}`);
    const { stdout } = await run('--client', 'claude-desktop');
    expect(stdout).toContain('was updated');
    expect(await readFile(file, 'utf8')).toBe(written);
  });

  it('configures all installed clients and no others', async () => {
    const { clients, getFile, writeClient, run } = await makeHome();
    await writeClient('cursor', '');
    await writeClient('vscode', '// mine\n{}');
    const { stdout } = await run();
    expect(stdout.split('\n').map((line) => line.split(':')[0])).toEqual([
      'Cursor',
      'VS Code',
      'To also install skills (how to list, change and copy products) for Cursor, run setup --skills.',
      '',
    ]);
    expect(await readFile(getFile('vscode'), 'utf8')).toMatch(/^\/\/ mine\n\{\n/);
    for (const id of ['claude-desktop', 'claude-code']) {
      await expect(lstat(getFile(id))).rejects.toThrow('ENOENT');
    }
    expect(clients).toHaveLength(5);
  });

  it('writes through a symbolic link', async () => {
    const { home, getFile, run, writeClient } = await makeHome();
    await writeClient('cursor', '');
    await rm(getFile('cursor'));
    await writeFile(join(home, 'dotfile.json'), '{}');
    await symlink(join(home, 'dotfile.json'), getFile('cursor'));
    expect((await run()).code).toBe(0);
    expect((await lstat(getFile('cursor'))).isSymbolicLink()).toBe(true);
    expect((await readEntry(join(home, 'dotfile.json'))).args).toEqual([CLI, 'stdio']);
  });

  it("keeps a person's additions to the entry, and nothing of a remote server's entry", async () => {
    const { env, getFile, writeClient, run } = await makeHome();
    const old = {
      type: 'http',
      url: 'http://127.0.0.1:3000/mcp',
      headers: { Authorization: 'x' },
      command: 'node',
      args: ['/old/cli.js', 'stdio', '--read-only'],
      env: { DATA_DIR: '/old', LANG: 'C' },
      disabled: true,
    };
    await writeClient('cursor', JSON.stringify({ mcpServers: { 'listing-service': old } }));
    await run();
    expect(await readEntry(getFile('cursor'))).toEqual({
      command: process.execPath,
      args: [CLI, 'stdio', '--read-only'],
      env: { DATA_DIR: env.DATA_DIR, LANG: 'C' },
      disabled: true,
    });
  });

  it('passes on the settings, and writes secrets only into the data folder', async () => {
    const asked: (string | undefined)[] = [];
    const marketplace = createServer(({ headers }, response) => {
      asked.push(String(headers['x-api-key']));
      response.end('{}');
    });
    await new Promise<void>((done) => marketplace.listen(0, '127.0.0.1', done));
    onTestFinished(() => void marketplace.close());
    const set = {
      MARKETPLACE: 'etsy',
      ETSY_API_URL: `http://127.0.0.1:${(marketplace.address() as AddressInfo).port}`,
      ETSY_KEYSTRING: 'the-key',
    };
    const { home, env, getFile, writeClient, run } = await makeHome({
      ...set,
      ...SECRETS,
      METRICS_TOKEN: 'a-token-for-the-server',
    });
    await writeClient('cursor', '{}');
    await chmod(getFile('cursor'), 0o644);
    const printed = await run('--print', '--client', 'cursor');
    expect(printed.stderr).toContain('ETSY_SHARED_SECRET and MASTER_KEY must not stand there: setup');
    expect(await readdir(home)).toEqual(['.cursor']);

    const written = await run();
    const told = printed.stdout + printed.stderr + written.stdout + written.stderr;
    for (const secret of Object.values(SECRETS)) expect(told).not.toContain(secret);
    const entry = await readEntry(getFile('cursor'));
    expect(entry.env).toEqual({ ...set, DATA_DIR: env.DATA_DIR });
    expect((await stat(getFile('cursor'))).mode & 0o777).toBe(0o644);
    for (const [file, secret] of Object.entries(FILES)) {
      const kept = join(env.DATA_DIR, file);
      expect([await readFile(kept, 'utf8'), (await stat(kept)).mode & 0o777]).toEqual([`${secret}\n`, 0o600]);
    }

    // A client's process has only the entry, and signs in with the secret from the folder.
    await runCli(['doctor'], { PATH: '', HOME: home, ...entry.env });
    expect(asked).toContain('the-key:the-secret');

    // As after an upgrade, in a terminal without settings.
    const bare = { PATH: '', HOME: env.HOME, APPDATA: env.APPDATA };
    expect((await runCli(['setup'], bare)).stdout).toContain('is already up to date');
  });

  it.each([['setup'], ['setup', '--remove']])(
    "%s %s moves an entry's secrets into the data folder, and leaves them in no copy",
    async (...args) => {
      const { env, getFile, writeClient } = await makeHome();
      const old = {
        command: 'node',
        args: ['stdio'],
        env: { ...SECRETS, DATA_DIR: env.DATA_DIR, LANG: 'C' },
      };
      const text = JSON.stringify({ mcpServers: { other: { command: 'x' }, 'listing-service': old } });
      const file = getFile('cursor');
      await writeClient('cursor', text);
      await writeFile(`${file}.20260101T000000000Z.bak`, text);
      expect(await runCli(args, env)).toMatchObject({ code: 0, stderr: '' });
      const copies = await listBackups(file);
      expect(copies).toHaveLength(2);
      for (const path of [file, ...copies]) {
        const now = await readFile(path, 'utf8');
        for (const secret of Object.values(SECRETS)) expect(now).not.toContain(secret);
        expect(now).toContain('"other"');
      }
      for (const copy of copies) expect(await readFile(copy, 'utf8')).toContain('"LANG"');
      for (const [name, secret] of Object.entries(FILES)) {
        expect(await readFile(join(env.DATA_DIR, name), 'utf8')).toBe(`${secret}\n`);
      }
    },
  );

  it.each([['setup'], ['setup', '--remove']])(
    '%s %s keeps a master key in a copy that is the last to have it',
    async (...args) => {
      const { env, getFile, writeClient } = await makeHome();
      const { MASTER_KEY } = SECRETS;
      expect((await runCli(['keys', 'list'], { ...env, MASTER_KEY })).code).toBe(0);
      const old = { command: 'node', args: ['stdio'], env: { MASTER_KEY, DATA_DIR: env.DATA_DIR } };
      await writeClient('cursor', '{}');
      const copy = `${getFile('cursor')}.20260101T000000000Z.bak`;
      await writeFile(copy, JSON.stringify({ mcpServers: { 'listing-service': old } }));
      expect(await runCli(args, env)).toMatchObject({ code: 0, stderr: '' });
      expect(await readFile(copy, 'utf8')).not.toContain(MASTER_KEY);
      expect(await readFile(join(env.DATA_DIR, 'master.key'), 'utf8')).toBe(`${MASTER_KEY}\n`);
      expect((await runCli(['keys', 'list'], env)).code).toBe(0);
    },
  );

  it('writes the database password only into the data folder', async () => {
    const DATABASE_URL = 'postgres://me:pa55%20w%2Frd@127.0.0.1:1/listings';
    const { home, env, getFile, writeClient, run } = await makeHome({ DATABASE_URL });
    const old = { command: 'node', args: ['stdio'], env: { DATABASE_URL, DATA_DIR: env.DATA_DIR } };
    await writeClient('cursor', JSON.stringify({ mcpServers: { 'listing-service': old } }));
    const printed = await run('--print', '--client', 'cursor');
    expect(printed.stderr).toContain('PGPASSWORD must not stand there: setup');
    const written = await run();
    const file = getFile('cursor');
    const entry = await readEntry(file);
    expect(entry.env).toEqual({ DATABASE_URL: 'postgres://me@127.0.0.1:1/listings', DATA_DIR: env.DATA_DIR });
    const kept = join(env.DATA_DIR, 'database_password');
    expect([await readFile(kept, 'utf8'), (await stat(kept)).mode & 0o777]).toEqual(['pa55 w/rd\n', 0o600]);
    // The client's process finds the same database.
    expect(loadConfig({}, entry.env).database_url).toBe(DATABASE_URL);
    const examined = await runCli(['doctor'], { PATH: '', HOME: home, ...entry.env });
    expect(examined.stdout).toContain('No database server answers at 127.0.0.1:1/listings');
    const said = [printed, written, examined].flatMap(({ stdout, stderr }) => [stdout, stderr]);
    const copies = await Promise.all((await listBackups(file)).map((copy) => readFile(copy, 'utf8')));
    expect(copies).toHaveLength(1);
    for (const text of [...said, ...copies]) expect(text).not.toMatch(/pa55/);
  });

  it("writes nothing if the master key is not the folder's", async () => {
    const { env, getFile, writeClient } = await makeHome();
    expect((await runCli(['keys', 'list'], env)).code).toBe(0);
    await writeClient('cursor', '{}');
    const before = await readFile(join(env.DATA_DIR, 'master.key'), 'utf8');
    const { code, stderr } = await runCli(['setup'], { ...env, MASTER_KEY: SECRETS.MASTER_KEY });
    expect([code, stderr]).toEqual([
      1,
      `Cursor: MASTER_KEY is not the key that encrypts ${env.DATA_DIR}; nothing was written.\n`,
    ]);
    expect(await readFile(getFile('cursor'), 'utf8')).toBe('{}');
    expect(await readFile(join(env.DATA_DIR, 'master.key'), 'utf8')).toBe(before);
  });

  it("--print shows every client's configuration, and writes nothing", async () => {
    const { home, clients, run } = await makeHome();
    const { code, stdout } = await run('--print');
    expect(code).toBe(0);
    for (const { name, file } of clients) expect(stdout).toContain(`${name}, in ${file}:`);
    expect(await readdir(home)).toEqual([]);
  });

  it('leaves an unreadable file alone, and continues with the others', async () => {
    const { getFile, writeClient, run } = await makeHome();
    await writeClient('cursor', '{ "mcpServers": {\n  oops } }');
    await writeClient('vscode', '{}');
    const { code, stdout, stderr } = await run();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Cursor: ${getFile('cursor')} was not changed: line 2 is not JSON. Fix it, or add the output of --print manually.\n`,
    );
    expect(stdout).toContain('VS Code: ');
    expect(await readFile(getFile('cursor'), 'utf8')).toBe('{ "mcpServers": {\n  oops } }');
    expect(await listBackups(getFile('cursor'))).toEqual([]);
  });

  it.each([
    [[], 'Found none of Claude Desktop, Claude Code, Cursor, VS Code, VS Code Insiders on this computer.'],
    [['--client', 'emacs'], 'There is no client emacs. Use one of: claude-desktop,'],
    [['--print', '--remove'], "option '--print' cannot be used with option '--remove'"],
  ])('with %j reports the problem', async (args, message) => {
    const { home, run } = await makeHome();
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(await readdir(home)).toEqual([]);
  });

  it('warns about comments if the client does not accept them, and writes plain JSON into a plain file', async () => {
    const { getFile, writeClient, run } = await makeHome();
    const commented = '{\n  // mine\n  "mcpServers": {},\n}\n';
    const plain = '{"servers":{"a":{"command":"a"}}}';
    await writeClient('claude-desktop', commented);
    await writeClient('cursor', commented);
    await writeClient('vscode', plain);
    const { code, stderr } = await run();
    expect(code).toBe(0);
    expect(stderr.trimEnd().split('\n')).toEqual([
      `Claude Desktop: ${getFile('claude-desktop')} has comments or trailing commas, which Claude Desktop cannot read: it starts no server until you remove them.`,
    ]);
    expect(await readFile(getFile('claude-desktop'), 'utf8')).toContain('// mine');
    expect(await readEntry(getFile('vscode'), 'servers')).toMatchObject({ type: 'stdio' });
  });

  it('says so if it runs from the npx cache', async () => {
    const { home, env, writeClient } = await makeHome();
    await writeClient('cursor', '');
    const copy = join(home, '_npx', 'package');
    await cp(join(CLI, '..', '..'), join(copy, 'dist'), { recursive: true });
    await cp('package.json', join(copy, 'package.json'));
    await symlink(resolve('node_modules'), join(copy, 'node_modules'));
    const stderr = await new Promise((done) => {
      const args = [join(copy, 'dist', 'src', 'cli.js'), 'setup'];
      execFile(process.execPath, args, { env }, (_error, _stdout, text) => done(text));
    });
    expect(stderr).toContain('This copy is in the cache of npx, which npm may delete.');
  });

  it('writes no configuration that would not start', async () => {
    const { home, run } = await makeHome({ MARKETPLACE: 'none' });
    const { code, stderr } = await run('--client', 'cursor');
    expect([code, stderr]).toEqual([1, expect.stringContaining('MARKETPLACE must be one of')]);
    expect(await readdir(home)).toEqual([]);
  });
});

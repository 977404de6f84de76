import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it, onTestFinished } from 'vitest';
import { buildEnvironment, CLI } from '../surfaces/faces.js';

const PAGE = '/dashboard/sign-in';

type Home = { folder: string; port: number; env: Record<string, string> };

/** A folder with a program that records the address the service opens in the browser. */
async function makeHome(): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const programs = join(folder, 'bin');
  await mkdir(programs);
  const script = `#!/bin/sh\nprintf '%s\\n' "$1" >> "${folder}/opened"\n`;
  await writeFile(join(programs, 'xdg-open'), script, { mode: 0o755 });
  const { PATH = '', ...env } = buildEnvironment(join(folder, 'data'));
  const port = await findFreePort();
  const own = { ...env, PATH: [programs, PATH].join(delimiter), PORT: String(port) };
  return { folder, port, env: own };
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

type Running = {
  listShops(): Promise<{ stores: unknown[]; message: string; all: string }>;
  log(): string;
  /** The message shown to the person. */
  shown: string[];
  close(): Promise<void>;
};

async function start({ env }: Home, flags: string[] = ['--bundle']): Promise<Running> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'stdio', ...flags],
    env,
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const client = new Client({ name: 't', version: '1' }, { capabilities: { elicitation: {} } });
  const shown: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    shown.push(params.message);
    return { action: 'accept', content: {} };
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    async listShops() {
      const answer = await client.callTool({ name: 'stores_list' });
      const { stores, message } = answer.structuredContent as { stores: unknown[]; message: string };
      return { stores, message, all: JSON.stringify(answer) };
    },
    log: () => log,
    shown,
    close: () => client.close(),
  };
}

const readOpened = async ({ folder }: Home) =>
  (await readFile(join(folder, 'opened'), 'utf8')).trim().split('\n');

async function send(url: string, fields: Record<string, string>): Promise<{ status: number; text: string }> {
  const body = new URLSearchParams(fields);
  const answer = await fetch(url + PAGE, { method: 'POST', body, redirect: 'manual' });
  return { status: answer.status, text: await answer.text() };
}

/** The status of a request with headers that fetch does not let a caller set. */
function askAs(port: number, method: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: PAGE, method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.once('error', reject);
    sent.end();
  });
}

const findCode = (text: string) => /\b\d{6}\b/.exec(text.replaceAll(/localhost:\d+/g, ''))?.[0] ?? '';

it('the bundle opens its page once on its own, with a single-use link, and for nobody else', async () => {
  const home = await makeHome();
  const url = `http://localhost:${home.port}`;
  const bundle = await start(home);
  await expect.poll(() => readOpened(home).catch(() => [])).toHaveLength(1);
  const [opened = ''] = await readOpened(home);
  expect(opened.startsWith(`${url}${PAGE}?link=`)).toBe(true);

  const { port } = home;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await askAs(port, 'GET', { host: `localhost:${port}` })).toBe(200);
  expect(await askAs(port, 'GET', { host: 'evil.example' })).toBe(404);
  expect(await askAs(port, 'GET', { host: `evil.example:${port}` })).toBe(404);
  expect(await askAs(port, 'POST', { ...form, host: `localhost:${port}` })).toBe(401);
  expect(await askAs(port, 'POST', { ...form, origin: 'https://evil.example' })).toBe(404);
  expect(await askAs(port, 'POST', { ...form, origin: 'null' })).toBe(404);
  expect(await askAs(port, 'POST', { ...form, 'sec-fetch-site': 'cross-site' })).toBe(404);

  const link = new URL(opened).searchParams.get('link') ?? '';
  expect((await send(url, { link })).status).toBe(303);
  expect(await send(url, { link })).toMatchObject({ status: 401, text: expect.stringContaining('used') });
  await bundle.close();

  const again = await start(home);
  await again.listShops();
  expect(await readOpened(home)).toHaveLength(1);
});

it('the bundle opens the data folder of the real marketplace at the next call after a failure', async () => {
  const home = await makeHome();
  const owner = join(home.folder, 'data', 'etsy', 'marketplace');
  await mkdir(join(owner, '..'), { recursive: true });
  await writeFile(owner, 'sandbox');
  const bundle = await start(home);
  expect((await bundle.listShops()).message).not.toContain('/dashboard/shops');
  await rm(owner);
  expect((await bundle.listShops()).message).toContain(`:${home.port}/dashboard/shops`);
});

it('the bundle answers with the address of its page, and shows the code only to the person', async () => {
  const home = await makeHome();
  const url = `http://localhost:${home.port}`;
  const bundle = await start(home);
  const first = await bundle.listShops();
  expect(first.stores).toHaveLength(2);
  expect(first.message).toContain(`${url}/dashboard/shops`);
  expect(bundle.shown).toEqual([]);
  const logged = findCode(bundle.log());
  expect(logged).not.toBe('');
  expect(first.all).not.toContain(logged);

  expect(await (await fetch(`${url}/dashboard/shops`)).text()).toContain('Ask your assistant');
  const second = await bundle.listShops();
  const code = findCode(bundle.shown[0] ?? '');
  expect(bundle.shown).toHaveLength(1);
  expect(second.all).not.toContain(code);
  expect((await send(url, { code })).status).toBe(303);
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  expect(await send(url, { code })).toMatchObject({ status: 401, text: expect.stringContaining('wrong') });
  for (let tried = 2; tried < 5; tried += 1) expect((await send(url, { code: wrong })).status).toBe(401);
  expect((await send(url, { code: logged })).status).toBe(429);
  await bundle.listShops();
  expect(bundle.shown).toHaveLength(1);
});

it('the bundle uses the page of a process running on the same folder', async () => {
  const home = await makeHome();
  const one = await start(home);
  const { message } = await one.listShops();
  const other = await start(home);
  expect((await other.listShops()).message).toBe(message);
  const url = `http://localhost:${home.port}`;
  expect((await send(url, { code: findCode(other.log()) })).status).toBe(303);
  await one.close();
  await other.listShops();
  expect((await fetch(url + PAGE)).status).toBe(200);
});

it.each([
  ['speaks another protocol', 'HELLO\r\n'],
  ['claims to know everything', 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"is_known":true}'],
  ['claims to know nothing', 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"is_known":false}'],
])('the bundle serves its own page if the program on the port %s', async (_what, said) => {
  const home = await makeHome();
  const stranger = createServer((socket) => socket.once('data', () => socket.end(said)));
  await new Promise<void>((done) => stranger.listen(home.port, '127.0.0.1', done));
  onTestFinished(() => void stranger.close());
  const bundle = await start(home);
  const { message } = await bundle.listShops();
  // Not on localhost, whose cookies browsers also send to the other program.
  const [, port] = /http:\/\/127\.0\.0\.1:(\d+)\/dashboard\/shops/.exec(message) ?? [];
  expect(Number(port)).not.toBe(home.port);
  expect((await fetch(`http://127.0.0.1:${port}${PAGE}`)).status).toBe(200);
  await expect.poll(() => readOpened(home).catch(() => [])).toHaveLength(1);
  expect((await readOpened(home))[0]).toContain(`:${port}/`);
});

const findPort = (message: string) => Number(/:(\d+)\/dashboard\/shops/.exec(message)?.[1]);

it('the bundle does not trust a program that relays its questions to a process on the same folder', async () => {
  const home = await makeHome();
  let target: number | undefined;
  const relay = createServer((socket) => {
    if (target === undefined) return void socket.end('HELLO\r\n');
    const passed = connect(target, '127.0.0.1');
    socket.pipe(passed).pipe(socket);
    for (const one of [socket, passed]) one.on('error', () => undefined);
  });
  await new Promise<void>((done) => relay.listen(home.port, '127.0.0.1', done));
  onTestFinished(() => void relay.close());
  const one = await start(home);
  target = findPort((await one.listShops()).message);
  const other = await start(home);
  expect(findPort((await other.listShops()).message)).not.toBe(home.port);
});

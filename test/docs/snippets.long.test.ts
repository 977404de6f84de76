import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readGuides } from '../../src/transports/pages/docs/guides.js';
import { buildEnvironment, openRest, startServe } from '../surfaces/faces.js';
import { listBlocks } from './blocks.js';
import { openShell, parseCurl } from './shell.js';

/*
 * Runs every fenced block of every guide, top to bottom, against a separate service for each guide. The info
 * string says how: the name of a file, or an operation whose input the block is.
 */

// Each command of the program starts a process.
vi.setConfig({ testTimeout: 120_000 });

const METRICS_TOKEN = 'a-token-of-the-operator';

const guides = readGuides().map(({ name, markdown }) => ({ name, blocks: listBlocks(markdown) }));

const findBlocks = (guide: string) => guides.find(({ name }) => name === guide)?.blocks ?? [];

async function open() {
  const data_dir = await mkdtemp(join(tmpdir(), 'snippets-'));
  const env = buildEnvironment(data_dir, { METRICS_TOKEN });
  const served = await startServe(env);
  const variables = { KEY: served.key, URL: served.url, API: `${served.url}/api/v1` };
  const shell = await openShell({ ...env, ...variables });
  onTestFinished(async () => {
    await shell.close();
    await served.stop();
    await rm(data_dir, { recursive: true });
  });
  return { served, shell, rest: openRest(served.url, served.key) };
}

it('every block says how it is run', () => {
  const kinds = guides.flatMap(({ name, blocks }) =>
    blocks.map((block) => `${name}: ${block.lang}${block.name === '' ? '' : ' named'}`),
  );
  expect([...new Set(kinds)].sort()).toEqual([
    'access: sh',
    'developers: js named',
    'developers: sh',
    // In examples.long.test.ts.
    'examples: js named',
    'examples: sh named',
    'examples: ts named',
    // Not run here: blocks that need a bucket (cli/doctor has one), and files for other programs
    // (operators.test.ts reads them).
    'operators: ini',
    'operators: sh',
    'operators: sh named',
    'operators: yaml',
    'sellers: json named',
    'webhooks: js named',
    'webhooks: python named',
    'webhooks: sh',
  ]);
});

it("the request in the sellers' guide is valid", async () => {
  const { rest } = await open();
  for (const { name, text } of findBlocks('sellers')) {
    const answer = await rest.call(name, JSON.parse(text) as Record<string, unknown>);
    expect(answer).toMatchObject({
      ok: true,
      output: {
        status: 'valid',
        warnings: expect.arrayContaining([expect.objectContaining({ code: 'offerings_completed' })]),
      },
    });
  }
});

it("the commands and the program in the developers' guide work", async () => {
  const { shell } = await open();
  const blocks = findBlocks('developers');
  for (const { text } of blocks.filter(({ lang }) => lang === 'sh')) {
    expect(await shell.run(text)).toMatch(/\n200$/);
  }
  for (const { name, text } of blocks.filter(({ lang }) => lang === 'js')) {
    await writeFile(join(shell.folder, name), text);
    expect(await shell.run(`'${process.execPath}' ${name}`)).toMatch(/^48213377 ok http:\S+\n$/);
  }
});

it('the commands in the access guide work line by line, with the ids they print', async () => {
  const { shell } = await open();
  let key_id = '';
  for (const line of findBlocks('access').flatMap(({ text }) => text.split('\n'))) {
    // No assistant has logged in here, so there is no grant to end, and the command says so.
    const output = await shell.run(line.replace('key_...', key_id)).catch(String);
    expect(output.includes('Error:')).toBe(line.includes('grants end'));
    key_id = /\bkey_\w+/.exec(output)?.[0] ?? key_id;
  }
  expect(key_id).not.toBe('');
});

it("the commands in the operators' guide work", async () => {
  const { shell } = await open();
  const outputs = [];
  for (const { text } of findBlocks('operators').filter(({ lang, name }) => lang === 'sh' && name === '')) {
    // Without the token, the path does not exist.
    const isRefused = text.trim() === 'curl "$URL/metrics"';
    const output = await shell.run(text);
    expect(output.endsWith('\n404')).toBe(isRefused);
    outputs.push(output);
  }
  const all = outputs.join('\n');
  for (const told of [
    'MAX_ACTIVATIONS_PER_DAY',
    "the shop's website",
    'ClayAndOak',
    'nodejs_eventloop_lag_seconds',
  ]) {
    expect(all).toContain(told);
  }
});

describe('the webhooks guide', () => {
  const python = spawnSync('python3', ['--version']).status === 0;
  it.each([
    ['js', process.execPath, true],
    ['python', 'python3', python],
  ] as const)('has a receiver in %s for signed events only', async (lang, program, isThere) => {
    if (!isThere) {
      process.stdout.write(`not run: there is no ${program} here\n`);
      return;
    }
    const { shell } = await open();
    const blocks = findBlocks('webhooks');
    const receiver = blocks.find((block) => block.lang === lang) ?? { name: 'none', text: '' };
    const [set = '', test = '', order = '', list = ''] = blocks
      .filter((block) => block.lang === 'sh')
      .map(({ text }) => text);
    await writeFile(join(shell.folder, receiver.name), receiver.text);
    const port = await findPort();
    const { body } = parseCurl(await shell.run(set, { RECEIVER: `http://127.0.0.1:${port}` }));

    const env = { ...process.env, WEBHOOK_SECRET: String(body['secret']), PORT: String(port) };
    const child = spawn(program, [receiver.name], { cwd: shell.folder, env });
    onTestFinished(() => void child.kill());
    let received = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (received += text));
    const knock = () => fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}', headers: FORGED });
    await expect
      .poll(
        () =>
          knock().then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 20_000 },
      )
      .toBe(401);

    expect(parseCurl(await shell.run(test)).body).toMatchObject({ success: true, response_status_code: 204 });
    await expect.poll(() => received).toMatch(/^evt_\w+ webhook\.test\n$/);
    expect(await shell.run(order)).toMatch(/^Order \d+/);
    expect(parseCurl(await shell.run(list)).body).toMatchObject({ success: true, total: 0 });
  });
});

const FORGED = {
  'webhook-id': 'evt_forged',
  'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
  'webhook-signature': 'v1,Zm9yZ2Vk',
};

async function findPort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

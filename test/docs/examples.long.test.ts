import { spawn } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../architecture/sources.js';
import { buildEnvironment, openRest, startServe, type Served } from '../surfaces/faces.js';
import { listBlocks, type Block } from './blocks.js';
import { openShell, parseCurl, type Shell } from './shell.js';

/*
 * The programs of examples.md and the commands of the README, copied as a newcomer would, against one new
 * installation.
 */

let data_dir: string;
let served: Served;
let shell: Shell;
let blocks: Block[];

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'examples-'));
  const env = buildEnvironment(data_dir, { WEBHOOK_ALLOW_HTTP: 'true', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  served = await startServe(env);
  const variables = { KEY: served.key, URL: served.url, API: `${served.url}/api/v1` };
  // The packages npm would install there.
  const NODE_OPTIONS = `--import ${pathToFileURL(join(ROOT, 'test', 'docs', 'typescript_6.mjs')).href}`;
  shell = await openShell({ ...env, ...variables, NODE_OPTIONS });
  await symlink(join(ROOT, 'node_modules'), join(shell.folder, 'node_modules'));
  await writeFile(join(shell.folder, 'package.json'), '{"type":"module"}');
  blocks = listBlocks(await readFile(join(ROOT, 'src', 'docs', 'examples.md'), 'utf8'));
  for (const { lang, name, text } of blocks) {
    if (lang !== 'sh') await writeFile(join(shell.folder, name), text);
  }
});
afterAll(async () => {
  await shell?.close();
  await served?.stop();
  await rm(data_dir, { recursive: true });
});

const node = `'${process.execPath}'`;

describe('the program of examples.md', () => {
  it('with a typed client is about fifty lines, type-checks, and creates a draft', async () => {
    const client = blocks.find(({ name }) => name === 'client.ts')?.text ?? '';
    expect(client.split('\n').length).toBeLessThanOrEqual(65);
    await shell.run(blocks.find(({ name }) => name === 'generate')?.text ?? '');
    const tsc = `${node} '${join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')}'`;
    await shell.run(`${tsc} --strict --target es2022 --module nodenext --types node client.ts`);
    expect(await shell.run(`${node} client.js`)).toMatch(/^ClayAndOak ok http:\S+\/listing\/\d+\S*\n$/);
  });

  it('with types distinguishes a wrong field from a right one', async () => {
    const client = blocks.find(({ name }) => name === 'client.ts')?.text ?? '';
    await writeFile(join(shell.folder, 'wrong.ts'), client.replace("state: 'publish'", "state: 'published'"));
    const tsc = `${node} '${join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')}'`;
    const failed = shell.run(
      `${tsc} --noEmit --strict --target es2022 --module nodenext --types node wrong.ts`,
    );
    await expect(failed).rejects.toThrow(`'"published"' is not assignable`);
  });

  it('that receives webhooks accepts each signed event once, and nothing else', async () => {
    const port = await findPort();
    const rest = openRest(served.url, served.key);
    const set = await rest.call('webhook_endpoint_set', { url: `http://127.0.0.1:${port}` });
    const secret = set.ok ? String(set.output['secret']) : '';
    const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
    const child = spawn(process.execPath, ['receiver_with_library.mjs'], { cwd: shell.folder, env });
    onTestFinished(() => void child.kill());
    let received = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (received += text));
    const knock = () =>
      fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' }).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(knock, { timeout: 20_000 }).toBe(401);
    expect(await rest.call('webhook_test', {})).toMatchObject({ ok: true, output: { success: true } });
    await expect.poll(() => received).toMatch(/^evt_\w+ webhook\.test\n$/);
  });

  it('with an agent previews, creates, publishes, and activates after the question', async () => {
    const said = await shell.run(`${node} agent.mjs`);
    expect(said.split('\n')).toEqual([
      expect.stringMatching(/^\d+ tools, such as stores_list$/),
      'It would cost 0.2 USD.',
      'To confirm: 0.2 USD',
      expect.stringMatching(/^ClayAndOak ok http:\S+$/),
      '',
    ]);
  });
});

describe('the README', () => {
  it('has REST calls that work', async () => {
    const readme = listBlocks(await readFile(join(ROOT, 'README.md'), 'utf8'));
    const calls = readme.filter(({ lang, text }) => lang === 'sh' && text.includes('$API'));
    expect(calls.length).toBeGreaterThan(0);
    for (const { text } of calls) {
      const asked = text.replace(/^(KEY|API)=.*$/gm, '');
      expect(parseCurl(await shell.run(asked)).status).toBe(200);
    }
  });
});

async function findPort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

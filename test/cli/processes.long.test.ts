import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startScriptedServer } from '../marketplace/scripted_server.js';
import { buildEnvironment, CLI, runCli, startServe, type Environment } from '../surfaces/faces.js';
import { buildMug, TARGETS } from '../service.js';

async function buildFresh(extra: Environment = {}): Promise<Environment> {
  const data_dir = await mkdtemp(join(tmpdir(), 'process-'));
  onTestFinished(() => rm(data_dir, { recursive: true }));
  return buildEnvironment(data_dir, extra);
}

/** The part of an environment meant for the service, not the computer. */
function listSettings(env: Environment): Environment {
  const usual = getDefaultEnvironment();
  return Object.fromEntries(Object.entries(env).filter(([name]) => !(name in usual)));
}

/** Runs stdio on these lines; returns its output and how it ended. */
function runStdio(env: Environment, lines: unknown[], end: 'input' | 'SIGTERM') {
  return new Promise<{ stdout: string; stderr: string; code: number | null }>((done) => {
    const child = spawn(process.execPath, [CLI, 'stdio'], { env });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (stdout.split('\n').length > lines.length) {
        if (end === 'SIGTERM') child.kill('SIGTERM');
      }
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('close', (code) => done({ stdout, stderr, code }));
    child.stdin.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    if (end === 'input') child.stdin.end();
  });
}

const HELLO = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  },
  { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'listings_list', arguments: {} } },
];

describe('the command stdio', () => {
  it.each(['input', 'SIGTERM'] as const)(
    'writes nothing but JSON-RPC, and exits when it gets %s',
    async (end) => {
      const { stdout, code } = await runStdio(await buildFresh({ LOG_LEVEL: 'debug' }), HELLO, end);
      const messages = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { jsonrpc: string; id: number });
      expect(messages.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([
        ['2.0', 1],
        ['2.0', 2],
      ]);
      expect(code).toBe(0);
    },
  );

  it('says on stderr and to the calling client why it does not start', async () => {
    const { stdout, stderr, code } = await runStdio(
      await buildFresh({ MARKETPLACE: 'none' }),
      [...HELLO, { jsonrpc: '2.0', method: 'notifications/initialized' }, 'no message'],
      'input',
    );
    const why = 'MARKETPLACE must be one of sandbox, etsy, not "none".';
    expect({ stderr, code }).toEqual({ stderr: `listing-service: ${why}\n`, code: 1 });
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(answers).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32603, message: why } },
      { jsonrpc: '2.0', id: 2, error: { code: -32603, message: why } },
    ]);
  });

  it('says on stderr and to the calling client why it cannot run', async () => {
    const env = await buildFresh();
    await writeFile(join(env['DATA_DIR'] ?? '', 'marketplace'), 'etsy');
    const { stdout, stderr, code } = await runStdio(env, HELLO, 'input');
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; error?: { code: number; message: string } });
    const [why, ...more] = stderr.trimEnd().split('\n');
    expect(more).toEqual([]);
    expect(why).toMatch(/^listing-service: DATA_DIR .* was created with MARKETPLACE=etsy/);
    expect(answers).toMatchObject([
      { id: 1, result: expect.anything() },
      { id: 2, error: { code: -32603, message: why?.replace('listing-service: ', '') } },
    ]);
    expect(code).toBe(1);
  });
});

describe('the command serve', { timeout: 120_000 }, () => {
  it('prints key, addresses and a configuration at its first start, and only addresses later', async () => {
    const env = await buildFresh();
    const first = await startServe(env, { terminal: true });
    await expect.poll(() => first.stdout).toContain('"mcpServers"');
    expect(first.stdout).toContain(`MCP   ${first.url}/mcp`);
    expect(first.stdout).toContain(`Docs  ${first.url}/docs`);
    const config = JSON.parse(first.stdout.slice(first.stdout.indexOf('{'))) as unknown;
    expect(config).toEqual({
      mcpServers: {
        'listing-service': {
          command: process.execPath,
          args: [CLI, 'stdio'],
          env: listSettings(env),
        },
      },
    });
    const answered = await fetch(`${first.url}/api/v1/listings`, {
      headers: { 'x-service-api-key': first.key },
    });
    expect(answered.status).toBe(200);
    const ready = await fetch(`${first.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
    expect(await first.stop()).toBe(0);

    const second = await startServe(env, { terminal: true });
    expect(second.stdout).not.toContain('mls_');
    expect(second.stdout).not.toContain('mcpServers');
    expect(await second.stop()).toBe(0);
  });

  it('prints no key and no link without a terminal, and says how to get them', async () => {
    const env = await buildFresh();
    const served = await startServe(env);
    await expect.poll(() => served.stdout).toContain('"mcpServers"');
    expect(served.stdout).not.toMatch(/mls_|link=/);
    for (const command of ['keys create', 'sign-in']) {
      expect(served.stdout).toContain(`with the same settings: node ${CLI} ${command}\n`);
    }
    expect(await served.stop()).toBe(0);
    const listed = JSON.parse((await runCli(['keys', 'list', '--json'], env)).stdout) as { keys: unknown[] };
    // No key was created that nobody could see; this one was requested.
    expect(listed.keys).toMatchObject([{ name: 'cli' }]);
  });

  it('prints a configuration that finds the real marketplace too, and contains no secret', async () => {
    const env = await buildFresh({
      MARKETPLACE: 'etsy',
      ETSY_API_URL: 'http://127.0.0.1:1',
      ETSY_KEYSTRING: 'the-key',
      ETSY_SHARED_SECRET: 'the-secret',
    });
    const served = await startServe(env);
    await expect.poll(() => served.stdout).toContain('\nETSY_SHARED_SECRET must not stand there: setup');
    expect(served.stdout).not.toContain('the-secret');
    const config = JSON.parse(/^{.*^}/ms.exec(served.stdout)?.[0] ?? '') as {
      mcpServers: Record<string, { env: unknown }>;
    };
    const { ETSY_SHARED_SECRET: _, ...rest } = listSettings(env);
    expect(config.mcpServers['listing-service']?.env).toEqual(rest);
    expect(await served.stop()).toBe(0);
  });

  it("warns at its start if its clock is far from the marketplace's, before anyone calls", async () => {
    const date = new Date(Date.now() + 600_000).toUTCString();
    const script = () => ({ status: 403, json: { error: 'Invalid API key' }, headers: { date } });
    const marketplace = await startScriptedServer(script);
    onTestFinished(() => marketplace.close());
    const env = await buildFresh({
      MARKETPLACE: 'etsy',
      ETSY_API_URL: marketplace.url,
      ETSY_KEYSTRING: 'the-key',
      ETSY_SHARED_SECRET: 'the-secret',
      LOG_LEVEL: 'debug',
    });
    const served = await startServe(env);
    await expect.poll(() => served.stderr).toContain('could not ask the marketplace');
    const lines = served.stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: number; msg: string })
      .filter(({ msg }) => msg.includes('marketplace'))
      .map(({ level, msg }) => `${level} ${msg}`);
    expect(lines).toEqual([
      "40 this computer's clock is far from the marketplace's: synchronize it with NTP",
      '20 a call to the marketplace failed',
      '20 could not ask the marketplace for its time',
    ]);
    expect(marketplace.seen.map(({ path }) => path)).toEqual(['/v3/application/openapi-ping']);
    expect(await served.stop()).toBe(0);
  });

  it('refuses a change of its master key while it runs', async () => {
    const env = await buildFresh();
    const served = await startServe(env);
    expect(await runCli(['keys', 'rotate-master'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^listing-service: Another process has .*service\.db open\. Stop the service/,
      ),
    });
    expect(await served.stop()).toBe(0);
    const file = join(env['DATA_DIR'] ?? '', 'master.key');
    const before = await readFile(file, 'utf8');
    const rotated = await runCli(['keys', 'rotate-master', '--json'], env);
    expect(JSON.parse(rotated.stdout)).toEqual({ key_file: file, resealed: expect.any(Number) });
    expect(await readFile(file, 'utf8')).not.toBe(before);
    expect((await runCli(['doctor'], env)).stdout).toContain('secrets: The key decrypts the stored secrets.');
  });

  it('finishes a running job whose caller waits when it is stopped, and says so', async () => {
    const served = await startServe(await buildFresh({ LOG_LEVEL: 'info', SANDBOX_LATENCY_MS: '400' }));
    let log = '';
    served.process.stderr?.on('data', (text: string) => (log += text));
    const headers = { 'x-service-api-key': served.key, 'content-type': 'application/json' };
    const created = fetch(`${served.url}/api/v1/listings/create`, {
      method: 'POST',
      headers,
      body: JSON.stringify(buildMug([TARGETS.clay], { state: 'publish' })),
    });
    const count = async () => {
      const answer = await fetch(`${served.url}/api/v1/listings`, { headers });
      return ((await answer.json()) as { total: number }).total;
    };
    await expect.poll(count, { timeout: 30_000 }).toBe(1);
    const code = await served.stop();
    expect(await (await created).json()).toMatchObject({ status: 'completed', results: [{ status: 'ok' }] });
    expect(code).toBe(0);
    expect(log).toContain('"msg":"stopping, waiting for 1 job"');
    expect(log).toContain('"msg":"stopped"');
  });

  it('names the port that is taken', async () => {
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    const { code, stderr } = await runCli(['serve', '--port', String(port)], await buildFresh());
    expect(code).toBe(1);
    expect(stderr).toContain(`listing-service: Port ${port} on 127.0.0.1 is taken.`);
    const sandbox = await runCli(['sandbox', '--port', String(port)], await buildFresh());
    expect([sandbox.code, sandbox.stderr]).toEqual([
      1,
      `listing-service: Port ${port} on 127.0.0.1 is taken. Choose another with --port, or stop the program that has it.\n`,
    ]);
  });

  it('refuses to listen for others without an address', async () => {
    const { code, stderr } = await runCli(['serve', '--host', '0.0.0.0'], await buildFresh());
    expect([code, stderr]).toEqual([1, expect.stringContaining('BASE_URL must be set when HOST is 0.0.0.0')]);
  });

  it('starts three times at once on one new directory, in parallel with stdio', async () => {
    const env = await buildFresh();
    const [a, b, c] = await Promise.all([startServe(env), startServe(env), runStdio(env, HELLO, 'input')]);
    const key = a.key || b.key;
    for (const { url } of [a, b]) {
      const response = await fetch(`${url}/api/v1/stores`, { headers: { 'x-service-api-key': key } });
      const { stores } = (await response.json()) as { stores: { shop_name: string }[] };
      expect(stores.map(({ shop_name }) => shop_name).sort()).toEqual(['ClayAndOak', 'NordLinen']);
    }
    expect(c.code).toBe(0);
    expect([await a.stop(), await b.stop()]).toEqual([0, 0]);
  });
});

import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { readdir, readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OFFERED_TOOLS } from '../../src/compose/offered_tools.js';
import { buildEnvironment, CLI } from '../surfaces/faces.js';

/** By bundle file, the modules it was made of: written by the build. */
const MADE_OF = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', '.build', 'files.json'), 'utf8'),
) as Record<string, string[]>;

type Answer = { id: number | string; result: Record<string, unknown> };

/** Sends requests over stdio and ends it. Returns the answers and the modules loaded for them. */
async function ask(
  messages: readonly object[],
  input: 'pipe' | 'file' = 'pipe',
  read_after_ms = 0,
): Promise<{ answers: Answer[]; modules: string[]; files: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const coverage = join(folder, 'coverage');
  const env = { ...buildEnvironment(join(folder, 'data')), NODE_V8_COVERAGE: coverage };
  const asked = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
  const file = join(folder, 'asked');
  await writeFile(file, asked);
  const stdin = input === 'file' ? openSync(file, 'r') : 'pipe';
  const child = spawn(process.execPath, [CLI, 'stdio'], { env, stdio: [stdin, 'pipe', 'inherit'] });
  if (typeof stdin === 'number') closeSync(stdin);
  let text = '';
  const read = () => child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  if (read_after_ms === 0) read();
  else setTimeout(read, read_after_ms);
  child.stdin?.end(asked);
  expect(await new Promise((done) => child.once('close', done))).toBe(0);
  const loaded = await Promise.all(
    (await readdir(coverage)).map((name) => readScripts(join(coverage, name))),
  );
  const lines = text.trimEnd().split('\n');
  return {
    answers: lines.map((line) => JSON.parse(line) as Answer),
    modules: loaded.flatMap(({ modules }) => modules),
    files: loaded.flatMap(({ files }) => files),
  };
}

async function readScripts(file: string): Promise<{ files: string[]; modules: string[] }> {
  const { result } = JSON.parse(await readFile(file, 'utf8')) as { result: { url: string }[] };
  const files = result.filter(({ url }) => url.startsWith('file:')).map(({ url }) => fileURLToPath(url));
  return { files, modules: files.flatMap((name) => MADE_OF[basename(name)] ?? []) };
}

const HELLO = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  },
  { method: 'notifications/initialized' },
];

const NEVER =
  /node_modules\/(@?fastify|prom-client|preact|zod-to-json-schema|ajv)\b|src\/(dashboard\/|pages\/|transports\/(http\/|rest\/rest))/;

describe('a start over stdio', () => {
  it('lists the tools without loading the code that runs them', async () => {
    const { answers, modules, files } = await ask([...HELLO, { id: 2, method: 'tools/list' }]);
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
    expect(answers[1]?.result['tools']).toEqual(
      JSON.parse(JSON.stringify(OFFERED_TOOLS.map(({ tool }) => tool))),
    );
    expect(modules.some((name) => name.includes('transports/mcp/offer'))).toBe(true);
    const heavy =
      /node_modules\/(zod\/v3|kysely|pino|undici)\b|src\/(sandbox|store|core\/listings|marketplace)\/|build\/tools\//;
    expect(modules.filter((name) => NEVER.test(name) || heavy.test(name))).toEqual([]);
    expect(files.filter((name) => name.includes('better-sqlite3'))).toEqual([]);
  });

  it('runs a call without loading the modules of other transports', async () => {
    const call = { name: 'webhooks_deliveries', arguments: {} };
    const { answers, modules } = await ask([...HELLO, { id: 2, method: 'tools/call', params: call }]);
    expect(answers[1]?.result['structuredContent']).toMatchObject({ deliveries: [] });
    expect(modules.some((name) => name.includes('src/store/'))).toBe(true);
    const late = /node_modules\/undici\b|src\/sandbox\/server/;
    expect(modules.filter((name) => NEVER.test(name) || late.test(name))).toEqual([]);
  });

  it('answers every request received before its input ended', async () => {
    const asked = Array.from({ length: 200 }, (_, index) => ({ id: index + 2, method: 'tools/list' }));
    const { answers } = await ask([...HELLO, ...asked]);
    expect(answers.map(({ id }) => id)).toEqual([1, ...asked.map(({ id }) => id)]);
  });

  it('delivers every response to a client that reads them seconds later', async () => {
    const asked = Array.from({ length: 20 }, (_, index) => ({ id: index + 2, method: 'tools/list' }));
    const { answers } = await ask([...HELLO, ...asked], 'pipe', 4_000);
    expect(answers).toHaveLength(21);
  });

  it("reads messages longer than a pipe's capacity completely", async () => {
    const texts = [40_000, 10, 50_000].map((count) => Array.from({ length: count }, (_, at) => at).join(' '));
    const pings = texts.map((words, at) => ({ id: at + 2, method: 'ping', params: { _meta: { words } } }));
    const { answers } = await ask([...HELLO, ...pings]);
    expect(answers).toEqual(
      [1, 2, 3, 4].map((id) => expect.objectContaining({ id, result: expect.anything() })),
    );
  });

  it('reads a file like a pipe', async () => {
    const { answers } = await ask([...HELLO, { id: 2, method: 'ping' }], 'file');
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  });
});

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ErrorBody } from '../../schemas/error.js';
import { listErrors } from '../../src/core/operations/operation.js';
import { operations } from '../../tools/index.js';
import { createStatelessClient } from '../transports/mcp/stateless_client.js';

/** The path of the built program. */
export const CLI = resolve(process.env['CLI_UNDER_TEST'] ?? 'dist/src/cli.js');

export type Output = Record<string, unknown>;
export type Answer = { ok: true; output: Output } | { ok: false; error: ErrorBody['error'] };

/** One way to call operations. */
export type Face = { call(id: string, input?: Output): Promise<Answer>; close(): Promise<void> };

export type Environment = Record<string, string>;

/** Settings that let the faces share one data directory and wait for nothing. */
export function buildEnvironment(data_dir: string, extra: Environment = {}): Environment {
  return {
    ...getDefaultEnvironment(),
    DATA_DIR: data_dir,
    PORT: '0',
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_PER_DAY: '1000000',
    SANDBOX_RATE: '10000',
    RECONCILE_SETTLE_MS: '50',
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'on',
    ...extra,
  };
}

export type Served = {
  url: string;
  key: string;
  stdout: string;
  stderr: string;
  process: ChildProcess;
  stop(): Promise<number | null>;
};

/** A module that makes a process treat its stdout as a terminal. */
const AS_ON_A_TERMINAL = 'data:text/javascript,process.stdout.isTTY=true';

/**
 * Starts `serve` as a process and resolves once it prints its address. With a terminal, it also prints what
 * only a person should see: a link and, at the first start, the key. Without one, a key is created for the
 * caller.
 */
export async function startServe(env: Environment, { terminal = false } = {}): Promise<Served> {
  const flags = terminal ? ['--import', AS_ON_A_TERMINAL] : [];
  const child = spawn(process.execPath, [...flags, CLI, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  const isUp = () => /^REST\s+(\S+)\/api\/v1$/m.exec(stdout)?.[1];
  const until = Date.now() + 60_000;
  while (!isUp()) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`serve did not start: ${stderr}`);
    await new Promise((done) => setTimeout(done, 20));
  }
  const key = terminal ? (/\bmls_\w+/.exec(stdout)?.[0] ?? '') : await makeKey(env);
  return {
    url: isUp() ?? '',
    key,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    process: child,
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

async function makeKey(env: Environment): Promise<string> {
  const { code, stdout, stderr } = await runCli(['keys', 'create', '--json'], env);
  if (code !== 0) throw new Error(`no key was made: ${stderr}`);
  return (JSON.parse(stdout) as { key: string }).key;
}

/**
 * The face of a seller who agrees to every fee: if the assistant cannot show a question, it sends the
 * confirmation token it was given.
 */
function agreeing(call: Face['call']): Face['call'] {
  return async (id, input = {}) => {
    const answer = await call(id, input);
    if (!answer.ok || answer.output['status'] !== 'confirmation_required') return answer;
    return call(id, { ...input, confirm: answer.output['confirm_token'] });
  };
}

export function openRest(url: string, key: string): Face {
  return {
    async call(id, input = {}) {
      const response = await fetch(...buildRequest(url, key, id, input));
      const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
      // Over REST, a file's warnings are in a header.
      const read = isJson ? response.text() : response.headers.get('x-service-warnings');
      const text = await read;
      const body = (
        isJson ? JSON.parse(text ?? '') : { ...(text !== null && { warnings: JSON.parse(text) }) }
      ) as Output;
      if (response.ok) return { ok: true, output: body };
      const { error } = body as ErrorBody;
      if (error.status !== response.status) throw new Error('the body tells another status');
      return { ok: false, error: checkDeclared(id, error) };
    },
    close: () => Promise.resolve(),
  };
}

/** Fails if a face returns a code that the operation does not declare. */
function checkDeclared(id: string, error: ErrorBody['error']): ErrorBody['error'] {
  const operation = operations.find((one) => one.id === id);
  if (!operation || !listErrors(operation).includes(error.code)) {
    throw new Error(`${id} does not declare ${error.code}: ${error.message}`);
  }
  return error;
}

function buildRequest(url: string, key: string, id: string, input: Output): [string, RequestInit] {
  const route = operations.find((operation) => operation.id === id)?.route;
  if (!route) throw new Error(`no operation ${id}`);
  const rest = { ...input };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = encodeURIComponent(String(rest[name]));
    delete rest[name];
    return value;
  });
  const headers: Record<string, string> = { 'x-service-api-key': key };
  const address = new URL(`${url}/api/v1${path}`);
  if (route.body === 'json') {
    headers['content-type'] = 'application/json';
    return [address.href, { method: route.method, headers, body: JSON.stringify(rest) }];
  }
  if (route.body === 'multipart') {
    const form = new FormData();
    const { file, filename, ...fields } = rest as { file?: string; filename?: string };
    for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
    if (file !== undefined) form.set('file', new Blob([Buffer.from(file, 'base64')]), filename ?? 'file');
    return [address.href, { method: route.method, headers, body: form }];
  }
  for (const [name, value] of Object.entries(rest)) {
    address.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return [address.href, { method: route.method, headers }];
}

export async function openMcpHttp(url: string, key: string): Promise<Face & { client: Client }> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { 'x-service-api-key': key } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return toFace(client);
}

/** The form of MCP without sessions. */
export function openMcpStateless(url: string, key: string): Face {
  const client = createStatelessClient(url, { 'x-service-api-key': key });
  return {
    call: agreeing(async (id, input = {}) => {
      const { result } = (await client.callTool(id, input)).answer;
      return toAnswer(id, result as CallToolResult);
    }),
    close: () => Promise.resolve(),
  };
}

export async function openMcpStdio(env: Environment): Promise<Face & { client: Client }> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [CLI, 'stdio'], env, stderr: 'pipe' }),
  );
  return toFace(client);
}

function toFace(client: Client): Face & { client: Client } {
  return {
    client,
    call: agreeing(async (id, input = {}) =>
      toAnswer(id, (await client.callTool({ name: id, arguments: input })) as CallToolResult),
    ),
    close: () => client.close(),
  };
}

function toAnswer(id: string, { content, isError, structuredContent }: CallToolResult): Answer {
  const [first] = content as { type: string; text: string }[];
  const answered = JSON.parse(first?.text ?? '') as Output;
  return isError
    ? { ok: false, error: checkDeclared(id, (answered as ErrorBody).error) }
    : { ok: true, output: structuredContent ?? {} };
}

export function openCli(env: Environment): Face {
  return {
    async call(id, input = {}) {
      const { code, stdout } = await runCli(['call', id, JSON.stringify(input), '--yes'], env);
      const answered = JSON.parse(stdout) as Output;
      return code === 0
        ? { ok: true, output: answered }
        : { ok: false, error: checkDeclared(id, (answered as ErrorBody).error) };
    },
    close: () => Promise.resolve(),
  };
}

export function runCli(
  args: string[],
  env: Environment,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [CLI, ...args], { env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
  });
}

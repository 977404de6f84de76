import { execFile, spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSampleRequest } from '../../src/transports/pages/docs/samples/request.js';
import { buildSamples, type Sample } from '../../src/transports/pages/docs/samples/index.js';
import { operations } from '../../tools/index.js';
import { ROOT } from '../architecture/sources.js';
import { fixturePath } from '../service.js';

/*
 * The samples in TypeScript and Python, each run as printed against a server that records requests. The curl
 * samples are compared with the service itself (curl.test.ts); these must send the same.
 */

type Received = { method: string; url: string; key: string; json?: unknown; form?: Record<string, string> };

let folder: string;
let base_url: string;
const received: Received[] = [];
const server = createServer((request, response) => {
  void answer(request, response);
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'samples-'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await copyFile(fixturePath('mug-front.jpg'), join(folder, 'mug.jpg'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((done) => server.close(done));
  await rm(folder, { recursive: true });
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  received.push(await hear(request));
  response.setHeader('content-type', 'application/json').end('{}');
}

async function hear(request: IncomingMessage): Promise<Received> {
  const body = Buffer.concat(await request.toArray());
  const { method = '', url = '', headers } = request;
  const type = headers['content-type'] ?? '';
  const form = type.startsWith('multipart/')
    ? await new Response(body, { headers: { 'content-type': type } }).formData()
    : undefined;
  return {
    method,
    url: base_url + url,
    key: String(headers['x-service-api-key']),
    ...(type.startsWith('application/json') && { json: JSON.parse(body.toString()) as unknown }),
    ...(form && {
      form: Object.fromEntries(
        [...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]),
      ),
    }),
  };
}

const KEY = "mls_it's a key";
const plays = operations.flatMap((operation) =>
  operation.examples.map((example) => ({ operation, example })),
);

/** The request each example must send, in order. */
function listWanted(): Received[] {
  return plays.map(({ operation, example }) => {
    const { method, url, json, form } = buildSampleRequest(operation, example, base_url);
    return {
      method,
      url,
      key: KEY,
      ...(json && { json }),
      ...(form && { form: { ...Object.fromEntries(form), file: 'mug.jpg' } }),
    };
  });
}

const listCode = (language: Sample['language']) =>
  plays.map(({ operation, example }) => {
    const samples = buildSamples(operation, example, base_url);
    return samples.find((sample) => sample.language === language)?.code ?? '';
  });

/** The values a reader would have taken from earlier answers. */
const taken = Object.assign(
  {},
  ...plays.map(({ example }) =>
    Object.fromEntries(Object.entries(example.taken ?? {}).map(([name, { value }]) => [name, value])),
  ),
) as Record<string, string>;

/** Runs in a separate process, so this one can listen. */
function run(program: string, args: string[]): Promise<string> {
  const env = { ...process.env, ...taken, KEY };
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd: folder, env }, (error, stdout, stderr) =>
      error ? reject(new Error(stderr, { cause: error })) : resolve(stdout),
    );
  });
}

describe('the samples', () => {
  it("in TypeScript type-check and send the example's request", async () => {
    const files = listCode('TypeScript').map((code, index) => ({ name: `sample_${index}.mts`, code }));
    for (const { name, code } of files) await writeFile(join(folder, name), code);
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
    await run(process.execPath, [compiler, ...options, ...files.map(({ name }) => name)]);
    await writeFile(
      join(folder, 'all.mjs'),
      files.map(({ name }) => `await import('./${name.replace('.mts', '.mjs')}');`).join('\n'),
    );
    received.length = 0;
    await run(process.execPath, ['all.mjs']);
    expect(received).toEqual(listWanted());
  });

  const python = spawnSync('python3', ['-c', '']).status === 0;
  const hasRequests = python && spawnSync('python3', ['-c', 'import requests']).status === 0;
  it.skipIf(!python)(
    "in Python compile, and send the example's request if requests is installed",
    async () => {
      const codes = listCode('Python');
      await writeFile(join(folder, 'samples.json'), JSON.stringify(codes));
      const each = hasRequests ? 'exec(program, {})' : 'pass';
      await writeFile(
        join(folder, 'all.py'),
        `import json\nfor code in json.load(open("samples.json")):\n    program = compile(code, "sample", "exec")\n    ${each}\n`,
      );
      received.length = 0;
      await run('python3', ['all.py']);
      expect(received).toEqual(hasRequests ? listWanted() : []);
    },
  );

  it('write any text as text', async () => {
    const text = 'It\'s "5 < 6" \\ `${KEY}` {x} %s\n\u2028 ünï 🏺 TAKEN end';
    const operation = { route: { method: 'POST', path: '/notes', body: 'json' } } as const;
    const example = {
      summary: '',
      input: { text, 'odd-key': [true, null, 1.5], TAKEN: 'TAKEN' },
      output: {},
      taken: { UPLOAD_URL: { value: 'TAKEN', from: 'file_upload', field: 'url' } },
    };
    const json = {
      ...example.input,
      text: text.replace('TAKEN', taken['UPLOAD_URL'] ?? ''),
      TAKEN: taken['UPLOAD_URL'],
    };
    const [, typescript, python_code] = buildSamples(operation, example, base_url);
    await writeFile(join(folder, 'text.mjs'), typescript?.code ?? '');
    await writeFile(join(folder, 'text.py'), python_code?.code ?? '');
    received.length = 0;
    await run(process.execPath, ['text.mjs']);
    if (hasRequests) await run('python3', ['text.py']);
    expect(received.map((one) => one.json)).toEqual(hasRequests ? [json, json] : [json]);
  });
});

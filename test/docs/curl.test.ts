import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../tools/index.js';
import { buildEnvironment, startServe, type Environment, type Served } from '../surfaces/faces.js';
import { openShell, parseCurl, type Shell } from './shell.js';

/*
 * The documentation of a fresh installation, operation by operation: a shell runs each command as printed.
 * Values that a reader would copy from an earlier answer are copied from it.
 */

let data_dir: string;
let env: Environment;
let served: Served;
let shell: Shell;
const pages = new Map<string, string>();

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'curl-'));
  env = buildEnvironment(data_dir);
  served = await startServe(env);
  shell = await openShell(env);
  for (const { id } of operations) {
    pages.set(id, await (await fetch(`${served.url}/docs/operations/${id}`)).text());
  }
});
afterAll(async () => {
  await shell.close();
  await served.stop();
  await rm(data_dir, { recursive: true });
});

const answers = new Map<string, Record<string, unknown>>();
const wanted = new Map(
  operations.flatMap(({ id, examples }) =>
    examples.map((example) => [`${id}: ${example.summary}`, { id, example }]),
  ),
);

function listCommands(id: string): string[] {
  const samples = (pages.get(id) ?? '').matchAll(/data-language="curl"><code>([^<]*)<\/code>/g);
  return [...samples].map(([, code = '']) => decode(code));
}

function decode(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

describe("the reference's commands", () => {
  it.each([...wanted.keys()])('for %s work as printed', async (name) => {
    const found = wanted.get(name);
    if (!found) throw new Error(name);
    const { id, example } = found;
    const operation = operations.find((one) => one.id === id);
    const command = listCommands(id)[operation?.examples.indexOf(example) ?? -1] ?? '';
    const taken = Object.entries(example.taken ?? {}).map(([variable, { from, field }]) => [
      variable,
      String(answers.get(from)?.[field]),
    ]);
    const variables = { KEY: served.key, ...(Object.fromEntries(taken) as Record<string, string>) };
    const { status, body } = parseCurl(await shell.run(command, variables));
    const isFile = operation?.file !== undefined;
    expect([status, isFile || operation?.output.safeParse(body).success, body]).toEqual([
      operation?.status?.(example.output) ?? 200,
      true,
      body,
    ]);
    if (!answers.has(id)) answers.set(id, body);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { operations } from '../../tools/index.js';
import { buildEnvironment, CLI, startServe } from '../surfaces/faces.js';
import { borrow, NOT_BORROWED, type Ended } from './borrowed_node.js';

/* The protocol's inspector, an independent client of both eras, drives the built program. */

const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';

type Inspect = (method: string, more?: string[]) => Promise<Ended>;

/** The way to reach the program over each transport, and the inspector's options for it. */
const TRANSPORTS: Record<string, () => Promise<string[]>> = {
  async stdio() {
    const env = buildEnvironment(await makeFolder());
    const pairs = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    // Our own Node: the inspector runs under the borrowed one, for which our addon is not built.
    return [process.execPath, CLI, 'stdio', ...pairs];
  },
  async http() {
    const served = await startServe(buildEnvironment(await makeFolder()));
    onTestFinished(async () => {
      await served.stop();
    });
    return [`${served.url}/mcp`, '--transport', 'http', '--header', `X-Service-API-Key: ${served.key}`];
  },
};

describe.each(Object.keys(TRANSPORTS))('over %s', (transport) => {
  it.for(['legacy', 'auto', 'modern'])('the %s inspector lists and calls tools', async (era, { skip }) => {
    const inspector = (await borrow(INSPECTOR, 'mcp-inspector')) ?? skip(NOT_BORROWED);
    const target = await (TRANSPORTS[transport] as () => Promise<string[]>)();
    const inspect: Inspect = (method, more = []) =>
      inspector(['--cli', ...target, '--protocol-era', era, '--format', 'json', '--method', method, ...more]);

    const [listed, called] = await Promise.all([
      inspect('tools/list', ['--strict']),
      inspect('tools/call', ['--tool-name', 'stores_list']),
    ]);
    expect(names(listed)).toEqual(operations.map(({ id }) => id));
    expect([called.code, called.stdout]).toEqual([0, expect.stringContaining('ClayAndOak')]);
    process.stdout.write(`✓ inspector, ${era}, ${transport}: lists ${operations.length} tools, and calls\n`);
  });
});

function names({ code, stdout, stderr }: Ended): string[] {
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  const { result } = JSON.parse(stdout) as { result: { tools: { name: string }[] } };
  return result.tools.map(({ name }) => name);
}

async function makeFolder(): Promise<string> {
  const data_dir = await mkdtemp(join(tmpdir(), 'inspector-'));
  onTestFinished(() => rm(data_dir, { recursive: true, force: true }));
  return data_dir;
}

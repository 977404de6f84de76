import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate } from '../harness/numbers.mjs';
import { buildSettings, CLI, createLineClient, makeFolder, readCpu, start } from '../harness/processes.mjs';
import { INITIALIZE, toLine } from '../harness/requests.mjs';

/*
 * From spawning to the answer of tools/list over stdio, on a database that is there, beside a Node that does nothing, and the
 * official SDK's low-level server alone.
 */

const ROUNDS = 9;
const SERVERS = join(import.meta.dirname, '..', 'servers');

export async function measure() {
  const folder = await makeFolder();
  const empty = join(folder.path, 'empty.json');
  await writeFile(empty, '{"result":{"content":[]}}');
  const settings = buildSettings(join(folder.path, 'data'));
  const times = { ours: [], reference: [], floor: [] };
  const toRun = (name, run) => async () => {
    const begin = performance.now();
    const cpu_ms = await run();
    times[name].push(performance.now() - begin);
    return cpu_ms;
  };
  const { floor, ...measured } = await alternate(ROUNDS, {
    ours: toRun('ours', () => listTools([CLI, 'stdio'], settings)),
    reference: toRun('reference', runNothing),
    floor: toRun('floor', () => listTools([join(SERVERS, 'sdk.mjs'), empty])),
  });
  await folder.remove();
  const { floor: floor_times, ...wall } = times;
  const rest = { against: 'node alone', target: { most: 3 } };
  return [
    {
      what: 'start, to the answer of tools/list: processor time',
      unit: 'ms CPU',
      ...rest,
      ...measured,
      beside: { name: 'the SDK alone', values: floor },
    },
    {
      what: 'start, to the answer of tools/list: time',
      unit: 'ms',
      ...rest,
      ...wall,
      needs_quiet: true,
      beside: { name: 'the SDK alone', values: floor_times },
    },
  ];
}

async function listTools(args, settings) {
  const server = start(args, settings);
  const ask = createLineClient(server);
  const opened = ask(toLine(INITIALIZE.method, INITIALIZE.params));
  server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const listed = ask(toLine('tools/list', {}, 2));
  await opened;
  await listed;
  const cpu_ms = readCpu(server.pid);
  void server.stop();
  return cpu_ms;
}

/** Says so before it ends, or nobody could look at it. */
async function runNothing() {
  const server = start(['-e', 'process.stdout.write("0\\n"); process.stdin.resume()']);
  await new Promise((resolve) => {
    server.child.stdout.once('data', resolve);
  });
  const cpu_ms = readCpu(server.pid);
  void server.stop();
  return cpu_ms;
}

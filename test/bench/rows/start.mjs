import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate } from '../harness/numbers.mjs';
import { ENGINES } from '../harness/engines.mjs';
import { CLI, createLineClient, makeFolder, start } from '../harness/processes.mjs';
import { INITIALIZE, toLine } from '../harness/requests.mjs';

/*
 * From spawning to the answer of tools/list over stdio, on an existing database, compared with a Node that
 * does nothing and with the official SDK's low-level server.
 */

const ROUNDS = 9;
const SERVERS = join(import.meta.dirname, '..', 'servers');

const toRun = (run) => async () => {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
};

export async function measure() {
  const folder = await makeFolder();
  const empty = join(folder.path, 'empty.json');
  await writeFile(empty, '{"result":{"content":[]}}');
  const places = new Map();
  for (const engine of ENGINES) places.set(engine.name, await engine.openPlace());
  const ours = [...places].map(([name, place]) => [
    name,
    toRun(() => listTools([CLI, 'stdio'], place.settings)),
  ]);
  const { reference, sdk, ...measured } = await alternate(ROUNDS, {
    ...Object.fromEntries(ours),
    reference: toRun(runNothing),
    sdk: toRun(() => listTools([join(SERVERS, 'sdk.mjs'), empty])),
  });
  for (const place of places.values()) await place.remove();
  await folder.remove();
  return Object.entries(measured).map(([engine, values]) => ({
    what: 'start, to the answer of tools/list: time',
    against: 'node alone',
    unit: 'ms',
    engine,
    ours: values,
    reference,
    target: { most: 5 },
    most_of_sqlite: 1.1,
    needs_quiet: true,
    alongside: { name: 'the SDK alone', values: sdk },
  }));
}

async function listTools(args, settings) {
  const server = start(args, settings);
  const ask = createLineClient(server);
  const opened = ask(toLine(INITIALIZE.method, INITIALIZE.params));
  server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const listed = ask(toLine('tools/list', {}, 2));
  await opened;
  await listed;
  void server.stop();
}

/**
 * Starts Node with an empty program, for comparison. It writes a line once it runs, so the start can be
 * timed.
 */
async function runNothing() {
  const server = start(['-e', 'process.stdout.write("0\\n"); process.stdin.resume()']);
  await new Promise((resolve) => {
    server.child.stdout.once('data', resolve);
  });
  void server.stop();
}

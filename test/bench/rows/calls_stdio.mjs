import { openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate } from '../harness/numbers.mjs';
import { buildSettings, CLI, createLineClient, makeFolder, readCpu, start } from '../harness/processes.mjs';
import { INITIALIZE, toLine, TOOL_PARAMS } from '../harness/requests.mjs';

/*
 * Processor time of a call over stdio, logged by default, compared with the official SDK's low-level server, which counts and logs each
 * call too, and shown alongside that server when it does neither.
 */

const ROUNDS = 15;
const CALLS = 5_000;
/** V8 keeps optimizing for thousands of calls. */
const WARM_UP_CALLS = 10_000;
const SERVERS = join(import.meta.dirname, '..', 'servers');

export async function measure() {
  const folder = await makeFolder();
  const call = toLine('tools/call', TOOL_PARAMS);
  const log = openSync(join(folder.path, 'log'), 'a');
  const ours = await open(
    [CLI, 'stdio'],
    buildSettings(join(folder.path, 'data'), { LOG_LEVEL: 'info' }),
    log,
  );
  const answer = join(folder.path, 'answer.json');
  await writeFile(answer, await ours.ask(call));
  const sdk = await open([join(SERVERS, 'sdk.mjs'), answer]);
  const counting = await open([join(SERVERS, 'sdk_counting.mjs'), answer, join(folder.path, 'counts.db')]);
  const servers = [ours, sdk, counting];
  const lines = [];
  for (const { what, in_flight } of [
    { what: 'tools/call over stdio, one after the other', in_flight: 1 },
    { what: 'tools/call over stdio, 32 in flight', in_flight: 32 },
  ]) {
    const run = async (target, calls) => {
      let left = calls;
      const work = async () => {
        while (left > 0) {
          left -= 1;
          await target.ask(call);
        }
      };
      await Promise.all(Array.from({ length: in_flight }, work));
    };
    const toRun = (target) => async () => {
      const before = readCpu(target.pid);
      await run(target, CALLS);
      return ((readCpu(target.pid) - before) / CALLS) * 1000;
    };
    for (const target of servers) await run(target, WARM_UP_CALLS);
    const { alone, ...measured } = await alternate(ROUNDS, {
      ours: toRun(ours),
      reference: toRun(counting),
      alone: toRun(sdk),
    });
    lines.push({
      what,
      against: 'the SDK, which counts and logs too',
      unit: 'µs CPU',
      ...measured,
      target: { most: 1.3 },
      alongside: { name: 'the SDK alone', values: alone },
    });
  }
  await Promise.all(servers.map((server) => server.stop()));
  await folder.remove();
  return lines;
}

async function open(args, settings, errors) {
  const server = start(args, settings, errors);
  const ask = createLineClient(server);
  await ask(toLine(INITIALIZE.method, INITIALIZE.params));
  server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return { ...server, ask };
}

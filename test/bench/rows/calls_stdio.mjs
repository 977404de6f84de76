import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate } from '../harness/numbers.mjs';
import {
  buildSettings,
  CLI,
  createLineClient,
  makeFolder,
  shareOneCore,
  start,
} from '../harness/processes.mjs';
import { INITIALIZE, toLine, TOOL_PARAMS } from '../harness/requests.mjs';

/*
 * How many calls over stdio a second brings, beside the official SDK's low-level server, which counts nothing, and, told only, beside
 * that server when it counts each call in a transaction as the service does. All and who asks share one core: between two, waking
 * the other takes longer than the call, and how long depends on the machine.
 */

const ROUNDS = 15;
const CALLS = 5_000;
/** V8 goes on optimizing for thousands of calls. */
const WARM_UP_CALLS = 10_000;
const SERVERS = join(import.meta.dirname, '..', 'servers');

export async function measure() {
  const folder = await makeFolder();
  const call = toLine('tools/call', TOOL_PARAMS);
  const ours = await open([CLI, 'stdio'], buildSettings(join(folder.path, 'data')));
  const answer = join(folder.path, 'answer.json');
  await writeFile(answer, await ours.ask(call));
  const sdk = await open([join(SERVERS, 'sdk.mjs'), answer]);
  const counting = await open([join(SERVERS, 'sdk_counting.mjs'), answer, join(folder.path, 'counts.db')]);
  const servers = [ours, sdk, counting];
  const giveBack = shareOneCore(servers.map(({ pid }) => pid));
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
      const begin = performance.now();
      await run(target, CALLS);
      return (CALLS / (performance.now() - begin)) * 1000;
    };
    for (const target of servers) await run(target, WARM_UP_CALLS);
    const { alone, ...measured } = await alternate(ROUNDS, {
      ours: toRun(ours),
      reference: toRun(counting),
      alone: toRun(sdk),
    });
    const rest = { what, unit: 'calls/s', needs_quiet: true };
    lines.push(
      { ...rest, against: 'the SDK alone', ours: measured.ours, reference: alone, target: { least: 1 } },
      { ...rest, against: 'the SDK, which counts too', ...measured, target: {} },
    );
  }
  giveBack();
  await Promise.all(servers.map((server) => server.stop()));
  await folder.remove();
  return lines;
}

async function open(args, settings) {
  const server = start(args, settings);
  const ask = createLineClient(server);
  await ask(toLine(INITIALIZE.method, INITIALIZE.params));
  server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return { ...server, ask };
}

import { join } from 'node:path';
import { alternate } from '../harness/numbers.mjs';
import {
  buildSettings,
  CLI,
  createLineClient,
  makeFolder,
  readMemory,
  start,
} from '../harness/processes.mjs';
import { INITIALIZE, toLine, TOOL_PARAMS } from '../harness/requests.mjs';

/*
 * Resident memory of stdio once it is up, and after many calls, beside a Node that does nothing.
 */

const ROUNDS = 3;
const CALLS = 10_000;
const IN_FLIGHT = 8;
const MOST_MIB = 45;
const SETTLE_MS = 1_500;

export async function measure() {
  const folder = await makeFolder();
  const settings = buildSettings(join(folder.path, 'data'));
  const bare = start(['-e', 'process.stdin.resume()']);
  const after = [];
  const measured = await alternate(ROUNDS, {
    ours: async () => {
      const server = start([CLI, 'stdio'], settings);
      const ask = createLineClient(server);
      await ask(toLine(INITIALIZE.method, INITIALIZE.params));
      server.child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`,
      );
      await ask(toLine('tools/list'));
      await settle();
      const at_start = readMemory(server.pid);
      let left = CALLS;
      const work = async () => {
        while (left > 0) {
          left -= 1;
          await ask(toLine('tools/call', TOOL_PARAMS));
        }
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, work));
      await settle();
      after.push(readMemory(server.pid));
      await server.stop();
      return at_start;
    },
    reference: async () => {
      await settle();
      return readMemory(bare.pid);
    },
  });
  await bare.stop();
  await folder.remove();
  const rest = { against: 'node alone', unit: 'MiB', target: { most_more: MOST_MIB } };
  return [
    { what: 'resident memory after the start', ...rest, ...measured },
    {
      what: `resident memory after ${CALLS.toLocaleString('en')} calls`,
      ...rest,
      reference: measured.reference,
      ours: after.slice(1),
    },
  ];
}

function settle() {
  return new Promise((resolve) => {
    setTimeout(resolve, SETTLE_MS);
  });
}

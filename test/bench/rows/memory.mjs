import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
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
 * Resident memory of stdio once it is up, compared with a Node that does nothing; after many calls and five
 * times as many, compared with the official SDK's low-level server after the same number and (for
 * information) with that Node; and the growth caused by the later calls.
 */

const ROUNDS = 3;
const CALLS = 10_000;
const MANY_TIMES = 5;
const IN_FLIGHT = 8;
const MOST_MIB = 60;
/** A full garbage collection may precede one reading and not the other. */
const FLAT_MIB = 5;
const SETTLE_MS = 1_500;
const SDK = join(import.meta.dirname, '..', 'servers', 'sdk.mjs');

export async function measure({ is_quick }) {
  const calls = is_quick ? CALLS / 10 : CALLS;
  const many_calls = MANY_TIMES * calls;
  const folder = await makeFolder();
  const settings = buildSettings(join(folder.path, 'data'));
  const answer = join(folder.path, 'answer.json');
  const bare = start(['-e', 'process.stdin.resume()']);
  const after = [];
  const after_many = [];
  const sdk_after = [];
  const sdk_after_many = [];
  const measured = await alternate(ROUNDS, {
    ours: async () => {
      const server = start([CLI, 'stdio'], settings);
      const ask = await introduce(server);
      await ask(toLine('tools/list'));
      await settle();
      const at_start = readMemory(server.pid);
      await writeFile(answer, await ask(toLine('tools/call', TOOL_PARAMS)));
      after.push(await readAfter(server, ask, calls));
      after_many.push(await readAfter(server, ask, many_calls - calls));
      await server.stop();
      return at_start;
    },
    reference: async () => {
      const sdk = start([SDK, answer]);
      const ask = await introduce(sdk);
      sdk_after.push(await readAfter(sdk, ask, calls));
      sdk_after_many.push(await readAfter(sdk, ask, many_calls - calls));
      await sdk.stop();
      return readMemory(bare.pid);
    },
  });
  await bare.stop();
  await folder.remove();
  const rest = { unit: 'MiB', target: { most_more: MOST_MIB } };
  const { reference } = measured;
  const compareAfter = (count, ours, sdk) => {
    const what = `resident memory after ${count.toLocaleString('en')} calls`;
    return [
      {
        what,
        against: 'the SDK alone after as many',
        ...rest,
        ours: ours.slice(1),
        reference: sdk.slice(1),
        target: { is_difference: true },
      },
      { what, against: 'node alone', ...rest, ours: ours.slice(1), reference },
    ];
  };
  return [
    { what: 'resident memory after the start', against: 'node alone', ...rest, ...measured },
    ...compareAfter(calls, after, sdk_after),
    ...compareAfter(many_calls, after_many, sdk_after_many),
    {
      what: `resident memory after ${many_calls.toLocaleString('en')} calls`,
      against: `after ${calls.toLocaleString('en')}`,
      ...rest,
      ours: after_many.slice(1),
      reference: after.slice(1),
      target: { most_more: FLAT_MIB },
    },
  ];
}

async function introduce(server) {
  const ask = createLineClient(server);
  await ask(toLine(INITIALIZE.method, INITIALIZE.params));
  server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return ask;
}

async function readAfter({ pid }, ask, calls) {
  let left = calls;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      await ask(toLine('tools/call', TOOL_PARAMS));
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  await settle();
  return readMemory(pid);
}

function settle() {
  return new Promise((resolve) => {
    setTimeout(resolve, SETTLE_MS);
  });
}

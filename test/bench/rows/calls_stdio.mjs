import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate } from '../harness/numbers.mjs';
import { buildSettings, CLI, createLineClient, makeFolder, readCpu, start } from '../harness/processes.mjs';
import { INITIALIZE, toLine, TOOL_PARAMS } from '../harness/requests.mjs';

/*
 * How many calls over stdio a second of processor time does, beside a process that parses each line and answers the same
 * bytes, the official SDK's low-level server alone, and the packages that such a call needs alone.
 */

const ROUNDS = 9;
const CALLS = 2_000;
const SERVERS = join(import.meta.dirname, '..', 'servers');

export async function measure() {
  const folder = await makeFolder();
  const call = toLine('tools/call', TOOL_PARAMS);
  const ours = await open([CLI, 'stdio'], buildSettings(join(folder.path, 'data')));
  const answer = join(folder.path, 'answer.json');
  await writeFile(answer, await ours.ask(call));
  const sdk = await open([join(SERVERS, 'sdk.mjs'), answer]);
  const parts = openBare([join(SERVERS, 'parts.mjs'), answer, join(folder.path, 'parts.db')]);
  const echo = openBare([join(SERVERS, 'lines.mjs'), answer]);
  const lines = [];
  for (const { what, in_flight, least } of [
    { what: 'tools/call over stdio, one after the other', in_flight: 1, least: 0.6 },
    { what: 'tools/call over stdio, 32 in flight', in_flight: 32, least: 0.4 },
  ]) {
    const toRun = (target) => async () => {
      const before = readCpu(target.pid);
      let left = CALLS;
      const work = async () => {
        while (left > 0) {
          left -= 1;
          await target.ask(call);
        }
      };
      await Promise.all(Array.from({ length: in_flight }, work));
      return (CALLS / (readCpu(target.pid) - before)) * 1000;
    };
    const measured = await alternate(ROUNDS, {
      ours: toRun(ours),
      reference: toRun(echo),
      bare: toRun(sdk),
      floor: toRun(parts),
    });
    const { bare, floor, ...rest } = measured;
    const unit = 'calls/s CPU';
    lines.push(
      {
        what,
        against: 'a line echo',
        unit,
        ...rest,
        target: { least },
        beside: { name: 'the SDK alone', values: bare },
      },
      {
        what: `${what}, beside the floor`,
        against: 'lines, zod and better-sqlite3 alone',
        unit,
        ours: rest.ours,
        reference: floor,
        target: { least: 0.83 },
      },
    );
  }
  await Promise.all([ours.stop(), sdk.stop(), parts.stop(), echo.stop()]);
  await folder.remove();
  return lines;
}

function openBare(args, settings) {
  const server = start(args, settings);
  return { ...server, ask: createLineClient(server) };
}

async function open(args, settings) {
  const server = openBare(args, settings);
  await server.ask(toLine(INITIALIZE.method, INITIALIZE.params));
  server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return server;
}

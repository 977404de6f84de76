import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate } from '../harness/numbers.mjs';
import { makeFolder, readCpu, startReference, startServe } from '../harness/processes.mjs';
import { buildInSession, buildRest, buildStateless, flood, TOOL_PARAMS } from '../harness/requests.mjs';

/*
 * Processor time of a call over HTTP, authenticated and counted against the limits, beside a server that parses
 * the body and answers the same bytes without looking.
 */

/** Short, so that both sides of a round find the machine alike. */
const ROUNDS = 61;
const CALLS = 400;
/** V8 goes on optimizing for thousands of calls. */
const WARM_UP_CALLS = 20_000;
const CONNECTIONS = 16;

export async function measure() {
  const folder = await makeFolder();
  const server = await startServe(join(folder.path, 'data'));
  const { url, key } = server;
  const list = await buildInSession(url, key, 'tools/list');
  const cases = [
    {
      what: 'tools/call over HTTP, revision 2025-11-25',
      most: 4,
      request: await buildInSession(url, key, 'tools/call', TOOL_PARAMS),
    },
    {
      what: 'tools/call over HTTP, revision 2026-07-28',
      most: 4,
      request: buildStateless(key, 'tools/call', TOOL_PARAMS),
    },
    { what: 'the same call over REST', most: 3, request: buildRest(key) },
    { what: 'tools/list over HTTP, revision 2025-11-25', most: 1.5, request: list },
    {
      what: 'tools/list over HTTP, revision 2026-07-28',
      most: 1.5,
      request: buildStateless(key, 'tools/list'),
    },
  ];
  const lines = [];
  for (const { what, most, request } of cases) {
    const answer = join(folder.path, 'answer.json');
    await writeFile(answer, await flood(url, request, 1, 1));
    const reference = await startReference('json_echo.mjs', answer);
    const toRun = (target) => async () => {
      const before = readCpu(target.pid);
      await flood(target.url, request, CALLS, CONNECTIONS);
      return ((readCpu(target.pid) - before) / CALLS) * 1000;
    };
    for (const { url: warmed } of [server, reference]) {
      await flood(warmed, request, WARM_UP_CALLS, CONNECTIONS);
    }
    const measured = await alternate(ROUNDS, { ours: toRun(server), reference: toRun(reference) });
    await reference.stop();
    lines.push({ what, against: 'a JSON echo of node:http', unit: 'µs CPU', ...measured, target: { most } });
  }
  await server.stop();
  await folder.remove();
  return lines;
}

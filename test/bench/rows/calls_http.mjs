import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate } from '../harness/numbers.mjs';
import { makeFolder, readCpu, startReference, startServe } from '../harness/processes.mjs';
import { buildInSession, buildRest, buildStateless, flood, TOOL_PARAMS } from '../harness/requests.mjs';

/*
 * Processor time of a call over HTTP, authenticated, counted against the limits and logged, beside a server that parses the body and
 * answers the same bytes without looking, and beside the official SDK's own stateless server. Only the limits are not the default
 * ones, since those let two calls a second pass.
 */

/** Short, so that all sides of a round find the machine alike. */
const ROUNDS = 31;
const CALLS = 400;
/** V8 goes on optimizing for thousands of calls. */
const WARM_UP_CALLS = 10_000;
const CONNECTIONS = 16;

export async function measure() {
  const folder = await makeFolder();
  const server = await startServe(join(folder.path, 'data'), { LOG_LEVEL: 'info' });
  server.child.stdout.resume();
  const { url, key } = server;
  const cases = [
    {
      what: 'tools/call over HTTP, revision 2025-11-25',
      request: await buildInSession(url, key, 'tools/call', TOOL_PARAMS),
      has_sdk: true,
    },
    {
      what: 'tools/call over HTTP, revision 2026-07-28',
      request: buildStateless(key, 'tools/call', TOOL_PARAMS),
    },
    { what: 'the same call over REST', request: buildRest(key) },
  ];
  const lines = [];
  for (const { what, request, has_sdk = false } of cases) {
    const answer = join(folder.path, 'answer.json');
    await writeFile(answer, await flood(url, request, 1, 1));
    const echo = await startReference('json_echo.mjs', answer);
    const sdk = has_sdk ? await startReference('sdk_http.mjs', answer) : undefined;
    const servers = { ours: server, echo, ...(sdk && { sdk }) };
    const toRun = (target) => async () => {
      const before = readCpu(target.pid);
      await flood(target.url, request, CALLS, CONNECTIONS);
      return ((readCpu(target.pid) - before) / CALLS) * 1000;
    };
    for (const { url: warmed } of Object.values(servers)) {
      await flood(warmed, request, WARM_UP_CALLS, CONNECTIONS);
    }
    const runs = Object.fromEntries(Object.entries(servers).map(([name, target]) => [name, toRun(target)]));
    const measured = await alternate(ROUNDS, runs);
    await echo.stop();
    await sdk?.stop();
    const { ours } = measured;
    const add = (against, reference, most) =>
      lines.push({ what, against, unit: 'µs CPU', ours, reference, target: { most } });
    add('a JSON echo of node:http', measured.echo, 8);
    if (sdk) add("the SDK's own stateless server", measured.sdk, 1);
  }
  await server.stop();
  await folder.remove();
  return lines;
}

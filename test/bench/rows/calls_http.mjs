import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate } from '../harness/numbers.mjs';
import { makeFolder, readCpu, startReference, startServe } from '../harness/processes.mjs';
import { buildInSession, buildStateless, flood, TOOL_PARAMS } from '../harness/requests.mjs';

/*
 * Processor time of a call over HTTP, authenticated, counted against the limits and logged as by default, beside a server that parses
 * the body and answers the same bytes without looking, and the official SDK's server, which keeps nothing between two requests.
 */

/** Short, so that both sides of a round find the machine alike. */
const ROUNDS = 61;
const CALLS = 400;
/** V8 goes on optimizing for thousands of calls. */
const WARM_UP_CALLS = 20_000;
const CONNECTIONS = 16;

export async function measure({ is_quick }) {
  const folder = await makeFolder();
  const server = await startServe(join(folder.path, 'data'), { LOG_LEVEL: 'info' });
  const { url, key } = server;
  const in_session = await buildInSession(url, key, 'tools/call', TOOL_PARAMS);
  const cases = [
    { revision: '2025-11-25', request: in_session },
    { revision: '2026-07-28', request: buildStateless(key, 'tools/call', TOOL_PARAMS) },
  ];
  const lines = [];
  for (const { revision, request } of cases) {
    const answer = join(folder.path, 'answer.json');
    await writeFile(answer, await flood(url, request, 1, 1));
    const echo = await startReference('json_echo.mjs', answer);
    const sdk = await startReference('sdk_http.mjs', answer);
    const toRun = (target, call) => async () => {
      const before = readCpu(target.pid);
      await flood(target.url, call, CALLS, CONNECTIONS);
      return ((readCpu(target.pid) - before) / CALLS) * 1000;
    };
    // The SDK's server knows the older revision alone.
    const sides = [
      [server, request],
      [echo, request],
      [sdk, in_session],
    ];
    for (const [target, call] of sides) {
      await flood(target.url, call, is_quick ? CALLS : WARM_UP_CALLS, CONNECTIONS);
    }
    const [ours, reference, bare] = sides.map((side) => toRun(...side));
    const { bare: beside, ...measured } = await alternate(ROUNDS, { ours, reference, bare });
    await Promise.all([echo.stop(), sdk.stop()]);
    lines.push({
      what: `tools/call over HTTP, logged, revision ${revision}`,
      against: 'a JSON echo of node:http',
      unit: 'µs CPU',
      ...measured,
      target: { most: 8 },
      beside: { name: "the SDK's server", values: beside, is_limit: true },
    });
  }
  await server.stop();
  await folder.remove();
  return lines;
}

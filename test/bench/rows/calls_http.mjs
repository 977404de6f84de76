import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENGINES } from '../harness/engines.mjs';
import { alternate } from '../harness/numbers.mjs';
import { makeFolder, readCpu, startReference, startServe } from '../harness/processes.mjs';
import { buildWithHandshake, buildStateless, flood, TOOL_PARAMS } from '../harness/requests.mjs';

/*
 * Processor time of a call over HTTP, authenticated, counted against the limits and logged by default, compared with the official
 * SDK's server, which counts and logs each call too and does nothing else.
 */

/** Short, so the machine is alike for both sides of a round. */
const ROUNDS = 61;
const CALLS = 400;
/** V8 keeps optimizing for thousands of calls. */
const WARM_UP_CALLS = 20_000;
const CONNECTIONS = 16;

export async function measure({ is_quick }) {
  const folder = await makeFolder();
  const opened = [];
  for (const engine of ENGINES) opened.push(await open(engine));
  const [{ server: first }] = opened;
  const lines = [];
  for (const revision of ['2025-11-25', '2026-07-28']) {
    const answer = join(folder.path, 'answer.json');
    const requests = opened.map((one) => (revision === '2025-11-25' ? one.with_handshake : one.stateless));
    await writeFile(answer, await flood(first.url, requests[0], 1, 1));
    const sdk = await startReference('sdk_http.mjs', answer, join(folder.path, `${revision}.db`));
    const toRun = (target, call, place) => async () => {
      const readServer = await place?.watchCpu();
      const before = readCpu(target.pid);
      await flood(target.url, call, CALLS, CONNECTIONS);
      const of_database = (await readServer?.()) ?? 0;
      return ((readCpu(target.pid) - before + of_database) / CALLS) * 1000;
    };
    const sides = [
      ...opened.map(({ engine, server, place }, index) => [engine, server, requests[index], place]),
      ['reference', sdk, requests[0]],
    ];
    for (const [, target, call] of sides) {
      await flood(target.url, call, is_quick ? CALLS : WARM_UP_CALLS, CONNECTIONS);
    }
    const { reference, ...measured } = await alternate(
      ROUNDS,
      Object.fromEntries(sides.map(([name, ...side]) => [name, toRun(...side)])),
    );
    await sdk.stop();
    for (const [engine, ours] of Object.entries(measured)) {
      lines.push({
        what: `tools/call over HTTP, logged, revision ${revision}`,
        against: "the SDK's server, which counts and logs too",
        unit: 'µs CPU',
        engine,
        ours,
        reference,
        target: engine === ENGINES[0].name ? { most: 1.3 } : {},
      });
    }
  }
  for (const { server, place } of opened) {
    await server.stop();
    await place.remove();
  }
  await folder.remove();
  return lines;
}

async function open(engine) {
  const place = await engine.openPlace();
  const server = await startServe(place.path, { ...place.settings, LOG_LEVEL: 'info' });
  const { url, key } = server;
  const with_handshake = await buildWithHandshake(url, key, 'tools/call', TOOL_PARAMS);
  const stateless = buildStateless(key, 'tools/call', TOOL_PARAMS);
  return { engine: engine.name, place, server, with_handshake, stateless };
}

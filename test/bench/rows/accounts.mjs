import { createHash } from 'node:crypto';
import { alternateEngines, ENGINES } from '../harness/engines.mjs';
import { readCpu, startServe } from '../harness/processes.mjs';
import { flood } from '../harness/requests.mjs';

/*
 * Processor time of a call over HTTP by accounts of an installation with 10,000 of them, compared with one
 * that has 10: authenticated, counted, answered from the database. The calls of a round are those of ten
 * accounts, and each round uses others.
 */

const SMALL = 10;
const LARGE = 10_000;
const AT_ONCE = 10;
const ROUNDS = 31;
const CALLS = 300;
const WARM_UP_CALLS = 5_000;

export async function measure({ is_quick }) {
  const sides = [];
  const opened = [];
  for (const engine of ENGINES) {
    const small = await open(engine, SMALL, is_quick);
    const large = await open(engine, LARGE, is_quick);
    opened.push(small, large);
    sides.push({ engine, ours: () => large.run(CALLS), reference: () => small.run(CALLS) });
  }
  const measured = await alternateEngines(ROUNDS, sides);
  for (const one of opened) await one.close();
  return measured.map((one) => ({
    what: 'a call over HTTP, of one of 10,000 accounts',
    against: 'of one of 10',
    unit: 'ms CPU',
    target: { most: 2 },
    ...one,
  }));
}

async function open(engine, count, is_quick) {
  const place = await engine.openPlace();
  const server = await startServe(place.path, place.settings);
  const now = new Date().toISOString();
  const numbers = Array.from({ length: count }, (_, index) => index);
  await place.insert(
    'accounts',
    numbers.map((n) => ({ account_id: toId(n), name: `account ${n}`, is_default: 0, created_at: now })),
  );
  await place.insert(
    'api_keys',
    numbers.map((n) => ({
      account_id: toId(n),
      key_id: `key_${n}`,
      name: 'key',
      prefix: 'mls_0000',
      key_sha256: createHash('sha256').update(toKey(n)).digest('hex'),
      created_at: now,
      is_read_only: 0,
    })),
  );
  await place.settle();
  let next = 0;
  const run = async (calls) => {
    const readServer = await place.watchCpu();
    const before = readCpu(server.pid);
    await Promise.all(
      Array.from({ length: AT_ONCE }, () => {
        next = (next + 1) % count;
        return flood(server.url, buildList(toKey(next)), calls / AT_ONCE, 1);
      }),
    );
    return (readCpu(server.pid) - before + (await readServer())) / calls;
  };
  await run(is_quick ? CALLS : WARM_UP_CALLS);
  return {
    run,
    async close() {
      await server.stop();
      await place.remove();
    },
  };
}

const toKey = (number) => `mls_${String(number).padStart(43, '0')}`;
const toId = (number) => `account_${number}`;

function buildList(key) {
  return { method: 'GET', path: '/api/v1/listings', headers: { 'x-service-api-key': key }, body: '' };
}

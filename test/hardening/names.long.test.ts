import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { openNameServer } from '../media/name_server.js';
import { buildMug, listTargets } from '../service.js';
import { startAsking, startCaller } from './caller.js';

/*
 * Some callers name hosts whose name servers never answer, with credentials and without; all others are
 * answered throughout. HARDENING_CONNECTIONS (npm run test:hardening) runs longer and prints figures.
 */

const IS_LONG = process.env['HARDENING_CONNECTIONS'] !== undefined;
const SECONDS = IS_LONG ? 20 : 6;
const CALLERS = 20;
/** The limit of the lane for client documents. */
const LANE = 8;

let names: Awaited<ReturnType<typeof openNameServer>>;
let dashboard: TestDashboard;
let port: number;
let key: string;
let cookie: string;
let shops: object[];

beforeAll(async () => {
  names = await openNameServer(() => 'silence');
  dashboard = await startDashboard({}, { network: { name_servers: [names.address] } });
  port = Number(new URL(dashboard.url).port);
  ({ key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test'));
  cookie = (await dashboard.signIn()).getCookie();
  shops = await listTargets(dashboard.service);
});
afterAll(async () => {
  await dashboard.close();
  names.server.close();
});

type Sent = { path: string; method?: string; headers?: Record<string, string>; body?: string };

/** From one of this computer's many addresses; returns the status. */
function send(address: string, { path, method = 'GET', headers = {}, body }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, localAddress: address, path, method, headers, agent: false };
    const sent = request(options, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject).end(body);
  });
}

/**
 * Each caller sends the next request as soon as the previous one was answered; returns the count of each
 * status.
 */
function attack(build: (caller: number, n: number) => Sent) {
  const statuses: Record<number, number> = {};
  const over = new AbortController();
  const run = async (caller: number) => {
    for (let n = 0; !over.signal.aborted; n += 1) {
      const status = await send(`127.0.0.${caller + 2}`, build(caller, n));
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 429 || status === 404) await new Promise((done) => setTimeout(done, 100));
    }
  };
  const running = Array.from({ length: CALLERS }, (_, caller) => run(caller));
  return {
    statuses,
    async end() {
      over.abort();
      await Promise.all(running);
    },
  };
}

async function endure(name: string, build: (caller: number, n: number) => Sent) {
  names.asked.length = 0;
  const rest = startCaller(dashboard.url, key);
  const page = startAsking(`${dashboard.url}/dashboard/listings`, { cookie });
  const { statuses, end } = attack(build);
  await new Promise((done) => setTimeout(done, SECONDS * 1_000));
  const [by_rest, by_dashboard] = await Promise.all([rest.stop(), page.stop()]);
  const asked = new Set(names.asked.map((question) => question.split(' ')[1])).size;
  await end();
  if (IS_LONG)
    process.stdout.write(`${name}: ${JSON.stringify({ by_rest, by_dashboard, asked, statuses })}\n`);
  for (const { failed, answered } of [by_rest, by_dashboard]) {
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(0);
  }
  return { asked, statuses };
}

const toClient = (caller: number, n: number) =>
  `/oauth/authorize?client_id=${encodeURIComponent(`https://a${caller}-${n}.slow.example/c.json`)}`;

describe('while name lookups hang, other callers are answered', () => {
  it(`despite ${CALLERS} strangers at the login page`, async () => {
    const { asked, statuses } = await endure('slow names at the log-in', (caller, n) => ({
      path: toClient(caller, n),
    }));
    expect(asked).toBeGreaterThanOrEqual(LANE);
    // Each turn takes about three seconds.
    expect(asked).toBeLessThanOrEqual(LANE * (SECONDS / 2 + 1));
    expect(Object.keys(statuses)).toEqual(['400']);
  });

  it(`despite ${CALLERS} photos of a caller with a key`, async () => {
    const { asked, statuses } = await endure('slow names of photos', (caller, n) => ({
      path: '/api/v1/listings/create',
      method: 'POST',
      headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(
        buildMug(shops, {
          state: 'publish',
          images: [{ url: `https://b${caller}-${n}.slow.example/mug.jpg` }],
        }),
      ),
    }));
    // The number downloaded at a time for one account.
    expect(asked).toBeGreaterThanOrEqual(8);
    expect(Object.keys(statuses)).toEqual(['400']);
  });

  it("despite images in another site's page, for which no name is looked up at all", async () => {
    const { asked, statuses } = await endure('images of another site', (caller, n) => ({
      path: toClient(caller, n),
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    }));
    expect(asked).toBe(0);
    expect(Object.keys(statuses)).toEqual(['404']);
  });
});

import { arch, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { createSite } from '../../.build/src/compose/site.js';
import { createHttpFace } from '../../.build/src/transports/index.js';
import { ENGINES } from './harness/engines.mjs';
import { openMarketplace } from './harness/marketplace.mjs';
import { readCpu, startReference } from './harness/processes.mjs';
import { buildTable } from './harness/table.mjs';

/*
 * The cost of a listing, an order and a page on each engine: processor time of the service and the database
 * together, rows, bytes, calls of the marketplace. Each is the mean of many, after some that warm up.
 */

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const PHOTOS = Array.from({ length: 10 }, (_, index) =>
  join(FIXTURES, `photo-${String(index + 1).padStart(2, '0')}.jpg`),
);
const TIMES = { all: 60, quick: 10 };
const LATE_MS = 120_000;

/** @returns a table in Markdown, and the machine it was measured on */
export async function measure({ is_quick }) {
  const times = is_quick ? TIMES.quick : TIMES.all;
  const measured = [];
  for (const engine of ENGINES) {
    measured.push({ name: engine.name, costs: await measureEngine(engine, times) });
  }
  const [first] = measured;
  const rows = Object.keys(first.costs).map((what) => {
    const costs = measured.map((one) => one.costs[what]);
    return [
      what,
      ...costs.map(({ cpu_ms }) => cpu_ms.toFixed(1)),
      costs[0].rows.toFixed(0),
      ...costs.map(({ bytes }) => toKilobytes(bytes)),
      costs[0].calls.toFixed(1),
    ];
  });
  const names = measured.map(({ name }) => name);
  const head = [
    'For each',
    ...names.map((name) => `ms of a processor, ${name}`),
    'Rows',
    ...names.map((name) => `kB, ${name}`),
    'Calls of Etsy',
  ];
  return `${buildTable(head, rows)}\n\n${describeMachine()}`;
}

function describeMachine() {
  const [{ model }, ...others] = cpus();
  const memory_gb = Math.round(totalmem() / 1e9);
  return `Measured on ${others.length + 1} processors (${model.trim()}, ${arch()}), ${memory_gb} GB of memory, Node ${process.versions.node}.`;
}

function toKilobytes(bytes) {
  return (Math.max(0, bytes) / 1_000).toFixed(1);
}

async function measureEngine(engine, times) {
  const settings = { rate_per_second: 100_000, rate_per_day: 10_000_000 };
  const marketplace = await openMarketplace(1, FIXTURES, settings, engine);
  const { app, account_id, invoke } = marketplace;
  const images = [];
  for (const path of PHOTOS) images.push({ url: (await invoke('file_upload', { path })).url });
  const [{ token: _token, ...shop }] = marketplace.shops;
  let made = 0;
  const publish = async () => {
    made += 1;
    const title = `Stoneware mug ${made} in celadon, for tea, handmade by the sea, gift for her`;
    const listing = { ...MUG, title, sku: `MUG-${made}` };
    await marketplace.publish({ state: 'publish', shops: [shop], listing, images });
  };
  const pages = await openPages(app, account_id);
  const receiver = await openReceiver(marketplace);
  const costs = {
    'listing of ten photos, published in a shop': await measureEach(marketplace, times, publish),
    'page of 24 listings on the dashboard': await measureEach(marketplace, times, () =>
      pages.get('/dashboard/listings'),
    ),
    'page of one listing on the dashboard': await measureEach(marketplace, times, () =>
      pages.get('/dashboard/listings/1'),
    ),
    'call that reads 25 listings': await measureEach(marketplace, times, () => pages.get('/api/v1/listings')),
    'look at the orders of a shop': await measureEach(marketplace, times, () => receiver.look()),
    'order that was paid, told to a webhook': await receiver.measureOrders(times),
  };
  await receiver.close();
  await pages.close();
  await marketplace.close();
  return costs;
}

const MUG = {
  description: 'A mug, thrown on the wheel and glazed by hand. '.repeat(12),
  listing_type: 'physical',
  taxonomy_id: 1062,
  price: 24.5,
  quantity: 4,
  who_made: 'i_did',
  when_made: 'made_to_order',
  is_supply: false,
  tags: ['mug', 'stoneware', 'celadon', 'handmade', 'tea', 'gift'],
};

async function measureEach(marketplace, times, run) {
  for (let warm = 0; warm < times / 4; warm += 1) await run();
  return measureAll(marketplace, times, async () => {
    for (let time = 0; time < times; time += 1) await run();
  });
}

/** @param run all of them */
async function measureAll({ place, countCalls }, times, run) {
  const weighed = await place.weigh();
  const calls = await countCalls();
  const readServer = await place.watchCpu();
  const before = readCpu(process.pid);
  await run();
  const cpu_ms = readCpu(process.pid) - before + (await readServer());
  const made = Object.values(await countCalls(calls)).reduce((sum, count) => sum + count, 0);
  const { rows, bytes } = await place.weigh();
  return {
    cpu_ms: cpu_ms / times,
    rows: (rows - weighed.rows) / times,
    bytes: (bytes - weighed.bytes) / times,
    calls: made / times,
  };
}

/** The service over HTTP, with a person who has signed in. */
async function openPages(app, account_id) {
  const site = await createSite(app);
  const face = await createHttpFace(app.service, { host: '127.0.0.1', port: 0, trust_proxy: false, site });
  const url = `http://127.0.0.1:${face.port}`;
  const { token } = await app.core.sessions.createLink(account_id);
  const { key } = await app.core.accounts.createKey(account_id, 'costs');
  const asked = await fetch(`${url}/dashboard/sign-in`);
  const csrf_token = /name="csrf_token" value="([0-9a-f]{64})"/.exec(await asked.text())?.[1] ?? '';
  const signed_in = await fetch(`${url}/dashboard/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url, cookie: toCookies(asked).join('; ') },
    body: new URLSearchParams({ csrf_token, link: token }),
  });
  const headers = { cookie: toCookies(signed_in).join('; '), 'x-service-api-key': key };
  return {
    async get(path) {
      const answer = await fetch(url + path, { headers, redirect: 'manual' });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`);
    },
    close: () => face.close(1_000),
  };
}

function toCookies(answer) {
  return answer.headers.getSetCookie().map((line) => line.split(';')[0]);
}

/** A webhook destination; polls the shop's orders on request. */
async function openReceiver({ app, account_id, place, control, shops: [{ shop_id }], ...marketplace }) {
  const server = await startReference('http.mjs', PHOTOS[0]);
  await app.core.endpoints.set(account_id, { url: `${server.url}/hooks` });
  const look = async () => {
    await place.ask('UPDATE order_polls SET next_at = NULL');
    await app.core.orders.polls.pollDue(new AbortController().signal);
  };
  const count = async () => {
    const [{ total }] = await place.ask("SELECT count(*) AS total FROM deliveries WHERE status = 'success'");
    return Number(total);
  };
  await look();
  return {
    look,
    async measureOrders(times) {
      for (let order = 0; order < times; order += 1) {
        await control('POST', '/receipts', { shop_id, is_paid: true });
      }
      app.delivery_worker.start();
      return measureAll({ place, ...marketplace }, times, async () => {
        await look();
        const late = Date.now() + LATE_MS;
        while ((await count()) < times) {
          if (Date.now() > late) throw new Error('the orders were not told of');
          await new Promise((resolve) => {
            setTimeout(resolve, 200);
          });
        }
      });
    },
    async close() {
      await app.delivery_worker.stop();
      await server.stop();
    },
  };
}

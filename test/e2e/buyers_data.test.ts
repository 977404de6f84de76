import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCli } from '../surfaces/faces.js';
import { createServer } from '../crash/server.js';
import { openWorld, type World } from '../crash/world.js';
import { startReceiver } from '../webhooks/receivers.js';

/* The marketplace is not in the service's folder, so any buyer data found there was written by the service. */

const PATIENT = { timeout: 30_000, interval: 100 };
/**
 * The marketplace's data about the buyer of an order: the name, the street, and the texts these tests let the
 * buyer write.
 */
const BUYER = ['Robin Sample', '1 Example Street', 'Springfield'];
const MESSAGE = 'Please write Happy Birthday Wilhelmina';

type Place = {
  world: World;
  call<Answer = Record<string, unknown>>(method: string, path: string, body?: object): Promise<Answer>;
  order(): Promise<number>;
  /** Stops the service and returns its log output. */
  stop(): Promise<string>;
};

async function open(): Promise<Place> {
  const world = await openWorld({
    settings: {
      LOG_LEVEL: 'debug',
      ORDER_POLL_SECONDS: '1',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'on',
    },
  });
  const server = createServer(world);
  onTestFinished(async () => {
    await server.close();
    await world.close();
  });
  const life = server.start();
  const call = async <Answer>(method: string, path: string, body?: object) => {
    const answer = await fetch(`${await life.url}/api/v1${path}`, {
      method,
      headers: { 'x-service-api-key': world.key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Answer;
  };
  const [target] = world.stock.targets;
  const { listing_ids } = await world.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id: target?.shop_id,
    count: 1,
  });
  await call('GET', '/stores');
  return {
    world,
    call,
    async order() {
      const items = [{ listing_id: listing_ids[0] }];
      const body = { shop_id: target?.shop_id, is_paid: true, items, message_from_buyer: MESSAGE };
      return (await world.control<{ receipt_id: number }>('POST', '/receipts', body)).receipt_id;
    },
    async stop() {
      await life.stop();
      return (await life.ended).stderr;
    },
  };
}

/** Files under the folder, and parts of the log, that contain data of the buyer. */
async function search(folder: string, log = ''): Promise<string[]> {
  const found = [...BUYER, MESSAGE].filter((text) => log.includes(text)).map((text) => `log: ${text}`);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const bytes = await readFile(file);
    for (const text of [...BUYER, MESSAGE]) {
      const forms = [Buffer.from(text), Buffer.from(text, 'utf16le'), Buffer.from(text).toString('base64')];
      if (forms.some((form) => bytes.includes(form))) found.push(`${entry.name}: ${text}`);
    }
  }
  return found;
}

async function waitUntilHeard({ world }: Place, receipt_id: number): Promise<void> {
  const number = Buffer.from(`:${receipt_id}`);
  const names = ['service.db', 'service.db-wal'];
  await expect
    .poll(async () => {
      const files = names.map((name) => readFile(join(world.environment.DATA_DIR, name)));
      return (await Promise.all(files)).some((bytes) => bytes.includes(number));
    }, PATIENT)
    .toBe(true);
}

async function backUp({ world }: Place): Promise<void> {
  const file = join(world.environment.DATA_DIR, 'backup');
  const { code, stderr } = await runCli(['backup', file], world.environment);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
}

it(
  'without a webhook destination, nothing about a buyer is written anywhere',
  { timeout: 120_000 },
  async () => {
    const place = await open();
    const receipt_id = await place.order();
    await waitUntilHeard(place, receipt_id);
    await backUp(place);
    const { DATA_DIR } = place.world.environment;
    expect(await search(DATA_DIR)).toEqual([]);
    expect(await search(DATA_DIR, await place.stop())).toEqual([]);
  },
);

it(
  'a destination gets the whole body, which is encrypted for a retry and destroyed with the destination',
  { timeout: 120_000 },
  async () => {
    const place = await open();
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const set = await place.call('PUT', '/webhooks/endpoint', { url: receiver.url });
    expect(set).toMatchObject({ enabled: true });
    await place.order();
    await expect.poll(() => receiver.received.length, PATIENT).toBe(1);
    const [first] = receiver.received;
    for (const text of [...BUYER, MESSAGE]) expect(first?.body).toContain(text);
    const { DATA_DIR } = place.world.environment;
    await backUp(place);
    expect(await search(DATA_DIR)).toEqual([]);

    type Deliveries = { deliveries: { id: number }[] };
    const { deliveries } = await place.call<Deliveries>('GET', '/webhooks/deliveries');
    const id = deliveries[0]?.id;
    const retried = await place.call('POST', `/webhooks/deliveries/${id}/retry`);
    expect(retried).toMatchObject({ success: true });
    expect(receiver.received[1]?.body).toBe(first?.body);

    await place.call('DELETE', '/webhooks/endpoint');
    await place.call('PUT', '/webhooks/endpoint', { url: receiver.url });
    expect(await place.call('POST', `/webhooks/deliveries/${id}/retry`)).toMatchObject({
      error: { code: 'PAYLOAD_EXPIRED' },
    });
    expect(await place.call('GET', `/webhooks/deliveries?id=${id}`)).toMatchObject({
      deliveries: [{ payload: null }],
    });
    expect(await search(DATA_DIR, await place.stop())).toEqual([]);
  },
);

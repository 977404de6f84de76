import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  buildEnvironment,
  openMcpHttp,
  openMcpStateless,
  openMcpStdio,
  openRest,
  startServe,
  type Environment,
  type Face,
  type Served,
} from '../faces.js';
import { createStatelessClient } from '../../transports/mcp/stateless_client.js';

/*
 * Read-only calls never wait for the disk: they write to no file in the data directory, except the counters
 * of the limits, whose file is never synced. The service's own background work (polling for orders, noting
 * when a key was used) may coincide with a run, so the test looks for one run without writes; a call that
 * writes would leave none.
 */

/** A sandbox shop, with a shipping profile and a return policy of its own. */
const SHOP_ID = 48213377;
const SHOP = { shop_id: SHOP_ID, shipping_profile_id: 211740301, return_policy_id: 1142500101 };
const CALLS = 2;
const RUNS = 30;
/**
 * Every call counts here, and none waits for it: the database of the limits, and the counts still to be moved
 * into it.
 */
const COUNTERS = ['rates.db', 'rates.db-wal'];

let data_dir: string;
let env: Environment;
let served: Served;
let listing_pk: number;
let job_id: string;

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'reading-'));
  env = buildEnvironment(data_dir);
  served = await startServe(env);
  const face = openRest(served.url, served.key);
  const ask = async (id: string, input: Record<string, unknown>) => {
    const answer = await face.call(id, input);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.output;
  };
  const listing = {
    title: 'Mug',
    description: 'Blue.',
    listing_type: 'physical',
    taxonomy_id: 1062,
    price: 20,
    quantity: 1,
  };
  listing_pk = Number((await ask('listing_create', { shops: [SHOP], listing }))['listing_pk']);
  job_id = String((await ask('listing_publish', { listing_pk, state: 'publish' }))['job_id']);
  await face.close();
});

afterAll(async () => {
  await served.stop();
  await rm(data_dir, { recursive: true });
});

const FACES: Record<string, () => Promise<Face>> = {
  REST: async () => openRest(served.url, served.key),
  'MCP over HTTP': () => openMcpHttp(served.url, served.key),
  'MCP without a session': async () => openMcpStateless(served.url, served.key),
  'MCP over stdio': () => openMcpStdio(env),
};

it.each(Object.keys(FACES))('a read-only call writes nothing over %s', { timeout: 240_000 }, async (name) => {
  const face = await FACES[name]!();
  const reads: [string, Record<string, unknown>][] = [
    ['store_details_cached', { shop_id: SHOP_ID }],
    ['stores_list', {}],
    ['listing_get', { listing_pk }],
    ['listings_list', {}],
    ['listing_create_status', { job_id }],
    ['listing_schema', { category_id: 1062 }],
    ['categories_search', { keywords: 'mug' }],
    ['webhooks_deliveries', {}],
  ];
  for (const [id, input] of reads) {
    const changed = await listChanged(async () => {
      expect(await face.call(id, input)).toMatchObject({ ok: true });
    });
    expect({ id, changed }).toEqual({ id, changed: [] });
  }
  await face.close();
});

const LISTS: Record<string, () => Promise<{ list: () => Promise<unknown>; close: () => Promise<void> }>> = {
  'MCP over HTTP': async () => toLists(await openMcpHttp(served.url, served.key)),
  'MCP without a session': () => {
    const client = createStatelessClient(served.url, { 'x-service-api-key': served.key });
    const list = async () => (await client.send('tools/list')).answer.result;
    return Promise.resolve({ list, close: () => Promise.resolve() });
  },
  'MCP over stdio': async () => toLists(await openMcpStdio(env)),
};

it.each(Object.keys(LISTS))('tools/list writes nothing over %s', { timeout: 120_000 }, async (name) => {
  const { list, close } = await LISTS[name]!();
  const changed = await listChanged(async () => {
    expect(await list()).toMatchObject({ tools: expect.arrayContaining([expect.anything()]) as unknown });
  });
  expect(changed).toEqual([]);
  await close();
});

function toLists({ client, close }: Awaited<ReturnType<typeof openMcpHttp>>) {
  return { list: () => client.listTools(), close };
}

/** The files that the last run changed. In some runs, the service's background work changes files. */
async function listChanged(call: () => Promise<void>): Promise<string[]> {
  let changed: string[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const before = await readFolder();
    for (let times = 0; times < CALLS; times += 1) await call();
    const after = await readFolder();
    changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (file) => after.get(file) !== before.get(file),
    );
    if (changed.length === 0) break;
    await pause(100);
  }
  return changed;
}

/** A digest of each file. SQLite's shared-memory files are left out: they are not on disk. */
async function readFolder(): Promise<Map<string, string>> {
  const entries = await readdir(data_dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('-shm'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !COUNTERS.some((name) => file === join(data_dir, name)));
  return new Map(await Promise.all(files.map(digest)));
}

async function digest(file: string): Promise<[string, string]> {
  const bytes = await readFile(file).catch(() => 'gone');
  return [file, createHash('sha256').update(bytes).digest('hex')];
}

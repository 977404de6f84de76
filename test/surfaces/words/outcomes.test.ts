import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.js';
import { openAddon } from '../../../src/sqlite.js';
import { CLAY, LINEN, MUGS } from '../../service.js';
import {
  buildEnvironment,
  openMcpHttp,
  openRest,
  startServe,
  type Face,
  type Output,
  type Served,
} from '../faces.js';

let data_dir: string;
let served: Served;
let sandbox: Sandbox;

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'told-'));
  served = await startServe(buildEnvironment(data_dir));
  sandbox = await startSandbox({ database_file: join(data_dir, 'sandbox.db'), control: true });
});
afterAll(async () => {
  await served.stop();
  await sandbox.close();
  await rm(data_dir, { recursive: true });
});

const FACES: Record<string, () => Promise<Face>> = {
  REST: async () => openRest(served.url, served.key),
  'MCP over HTTP': () => openMcpHttp(served.url, served.key),
};

async function strike(rule: object): Promise<void> {
  const answer = await fetch(`${sandbox.url}/_sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rules: [rule] }),
  });
  expect(answer.ok).toBe(true);
}

describe.each(Object.keys(FACES))('over %s', (name) => {
  let face: Face;
  beforeAll(async () => {
    face = await (FACES[name] as () => Promise<Face>)();
  });
  afterAll(() => face.close());

  async function buildListing(title: string): Promise<Output> {
    const shops = await Promise.all(
      [CLAY, LINEN].map(async ({ shop_id }) => {
        const synced = await face.call('store_sync', { shop_id });
        if (!synced.ok) throw new Error(synced.error.message);
        const { shipping_profiles, return_policies } = synced.output as Record<
          string,
          Record<string, number>[]
        >;
        return {
          shop_id,
          shipping_profile_id: shipping_profiles?.[0]?.['shipping_profile_id'],
          return_policy_id: return_policies?.[0]?.['return_policy_id'],
        };
      }),
    );
    const listing = {
      title,
      description: 'A mug.',
      listing_type: 'physical',
      taxonomy_id: MUGS,
      price: 30,
      quantity: 2,
    };
    return { state: 'publish', shops, listing };
  }

  it("the error quotes the marketplace's own response if it returned a server error", async () => {
    await strike({
      operation: 'findAllListingsActive',
      times: 5,
      action: { type: 'status', status: 500, body: { error: 'boom' } },
    });
    const answer = await face.call('listings_search', { keywords: 'mug' });
    expect(answer).toMatchObject({
      ok: false,
      error: {
        code: 'MARKETPLACE_UNAVAILABLE',
        message: 'The marketplace had an internal error. It answered 500: "boom".',
        hint: 'Repeat the request in a minute.',
      },
    });
    await fetch(`${sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
  });

  it("the response says how many shops succeeded and links to the listing's dashboard page", async () => {
    const refusal = { type: 'status', status: 400, body: { error: 'This shop is closed.' } };
    await strike({ operation: 'createDraftListing', times: 20, action: refusal });
    const failed = await face.call('listing_create', await buildListing(`Closed mug, ${name}`));
    await fetch(`${sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
    expect(failed).toMatchObject({
      ok: true,
      output: {
        status: 'completed',
        message:
          'A draft on the marketplace in 0 of 2 shops. The results say why; listing_publish finishes the rest.',
      },
    });
    const { listing_pk, dashboard_url } = (failed as { output: Output }).output;
    expect(dashboard_url).toBe(`/dashboard/listings/${String(listing_pk)}`);

    const finished = await face.call('listing_publish', { listing_pk, state: 'publish' });
    expect(finished).toMatchObject({
      ok: true,
      output: { message: 'A draft on the marketplace in 2 of 2 shops.', dashboard_url },
    });
    const found = await face.call('listing_get', { listing_pk });
    expect(found).toMatchObject({ output: { dashboard_url } });
  });

  it('the error says that another program has the database locked', { timeout: 30_000 }, async () => {
    const draft = { ...(await buildListing(`Held mug, ${name}`)), state: 'draft' };
    const other = openAddon(join(data_dir, 'service.db'));
    other.exec('BEGIN IMMEDIATE');
    try {
      expect(await face.call('listing_create', draft)).toMatchObject({
        ok: false,
        error: {
          code: 'INTERNAL',
          message: "Another program has kept the service's database locked for too long.",
        },
      });
    } finally {
      other.close();
    }
  });
});

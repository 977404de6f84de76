import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../tools/index.js';
import { IS_WHOLE, sample } from '../whole.js';
import {
  buildEnvironment,
  openCli,
  openMcpHttp,
  openMcpStateless,
  openMcpStdio,
  openRest,
  startServe,
  type Environment,
  type Face,
  type Output,
  type Served,
} from './faces.js';

/*
 * One suite of cases, five transports, one data directory: every call works over every transport, with the
 * same answer.
 */

const MUGS = 1062;
const NOWHERE = 999_999_999;
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mM4oaEBAALUARk7rVwIAAAAAElFTkSuQmCC';

let data_dir: string;
let env: Environment;
let served: Served;
let receiver: Server;
const delivered: string[] = [];

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'faces-'));
  receiver = createServer((request, response) => {
    delivered.push(String(request.headers['webhook-id']));
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  env = buildEnvironment(data_dir);
  served = await startServe(env);
});

afterAll(async () => {
  await served.stop();
  await new Promise((done) => receiver.close(done));
  await rm(data_dir, { recursive: true });
});

const FACES: Record<string, () => Promise<Face>> = {
  REST: async () => openRest(served.url, served.key),
  'MCP over HTTP': () => openMcpHttp(served.url, served.key),
  'MCP without a session': async () => openMcpStateless(served.url, served.key),
  'MCP over stdio': () => openMcpStdio(env),
  CLI: async () => openCli(env),
};

describe.each(Object.keys(FACES))('over %s', (name) => {
  /**
   * Each call of the command line is a process, and all follow one path, so `npm test` runs only a sample of
   * them.
   */
  const isSampled = name === 'CLI' && !IS_WHOLE;
  const count = name === 'CLI' ? 2 : Infinity;

  let face: Face;
  let shop_id: number;
  let ids: { shipping_profile_id: number; return_policy_id: number; processing_profile_id: number };
  let image_url: string;

  beforeAll(async () => {
    face = await (FACES[name] as () => Promise<Face>)();
  });
  afterAll(() => face.close());

  /** The output; throws an error that shows the refusal. */
  async function ask(id: string, input: Output = {}): Promise<Output> {
    const answer = await face.call(id, input);
    if (!answer.ok) throw new Error(`${id}: ${answer.error.code} ${answer.error.message}`);
    return answer.output;
  }

  const buildListing = (title: string, extra: Output = {}) => ({
    state: 'draft',
    shops: [{ shop_id, ...ids }],
    listing: {
      title: `${title} by ${name}`,
      description: 'Thrown on the wheel.',
      listing_type: 'physical',
      taxonomy_id: MUGS,
      price: 24.5,
      quantity: 3,
    },
    ...extra,
  });

  it('stores_list returns the shops', async () => {
    const { stores } = await ask('stores_list');
    expect(stores).toEqual(
      ['ClayAndOak', 'NordLinen'].map((shop_name) => ({
        shop_id: expect.stringMatching(/^\d+$/),
        shop_name,
        currency_code: expect.stringMatching(/^(USD|EUR)$/),
        url: expect.any(String),
        last_synced_at: expect.any(String),
      })),
    );
    shop_id = Number((stores as { shop_id: string }[])[0]?.shop_id);
  });

  it("store_sync and store_details_cached return a shop's details", async () => {
    const synced = await ask('store_sync', { shop_id });
    const [shipping] = synced['shipping_profiles'] as [{ shipping_profile_id: number }];
    const [policy] = synced['return_policies'] as [{ return_policy_id: number }];
    const [profile] = synced['processing_profiles'] as [{ readiness_state_id: number }];
    ids = {
      shipping_profile_id: shipping.shipping_profile_id,
      return_policy_id: policy.return_policy_id,
      processing_profile_id: profile.readiness_state_id,
    };
    const kept = await ask('store_details_cached', { shop_id });
    expect(kept).toMatchObject({
      shop_id: String(shop_id),
      shop_name: 'ClayAndOak',
      shipping_profiles: synced['shipping_profiles'],
      shop_sections: synced['shop_sections'],
      return_policies: null,
      processing_profiles: null,
      production_partners: null,
    });
  });

  const live_lists: [string, string][] = [
    ['store_shipping_profiles_live', 'shipping_profiles'],
    ['store_return_policies_live', 'return_policies'],
    ['store_processing_profiles_live', 'processing_profiles'],
    ['store_shop_sections_live', 'shop_sections'],
  ];
  it.each(sample(live_lists, count))('%s returns a list', async (id, list) => {
    const { notice, ...live } = await ask(id, { shop_id });
    // Over MCP, with the notice about text from the marketplace.
    expect(typeof notice).toBe(name.startsWith('MCP') ? 'string' : 'undefined');
    expect(live).toEqual({
      shop_id: String(shop_id),
      shop_name: expect.any(String),
      [list]: expect.any(Array),
    });
    expect(live[list]).not.toHaveLength(0);
  });

  it.skipIf(isSampled)('categories_search finds a category', async () => {
    const { categories, total } = await ask('categories_search', { keywords: 'Mugs', limit: 1 });
    expect(total).toBeGreaterThan(0);
    expect(categories).toMatchObject([{ category_id: MUGS, name: 'Mugs', is_leaf: true }]);
  });

  it.skipIf(isSampled)('listing_schema returns the fields of a category', async () => {
    expect(await ask('listing_schema', { category_id: MUGS })).toMatchObject({
      category_id: MUGS,
      required_fields: expect.any(Array),
      category_attributes: expect.any(Array),
      variation_properties: expect.any(Array),
    });
  });

  it.skipIf(isSampled)('listings_search finds listings', async () => {
    const found = await ask('listings_search', { keywords: 'mug', limit: 3 });
    expect(found).toMatchObject({ limit: 3, offset: 0, count: expect.any(Number) });
    expect(found['results']).toHaveLength(3);
  });

  it('file_upload stores a file', async () => {
    const uploaded = await ask('file_upload', { type: 'image', file: PNG, filename: 'mug.png' });
    expect(uploaded).toMatchObject({
      filename: 'mug.png',
      size: 69,
      content_type: 'image/png',
      type: 'image',
    });
    image_url = String(uploaded['url']);
    expect(image_url).toMatch(/^service-upload:\/\//);
  });

  it('listing_create answers a dry run, saves a draft, and repeats its answer for the same key', async () => {
    const request = buildListing('Blue mug', { images: [{ url: image_url }] });
    const checked = await ask('listing_create', { ...request, state: 'publish', dry_run: true });
    expect(checked).toMatchObject({ status: 'valid', cost_usd: 0 });
    const draft = await ask('listing_create', request);
    expect(draft).toMatchObject({ status: 'draft', listing_pk: expect.any(Number), shops_count: 1 });
    const again = await ask('listing_create', request);
    expect(again['listing_pk']).toBe(draft['listing_pk']);
    expect(again['warnings']).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: 'replayed' })]),
    );
  });

  it.skipIf(isSampled)(
    'listing_update changes a draft, runs dry, changes a shop, and refuses invalid input',
    async () => {
      const request = buildListing('Red mug', { images: [{ url: image_url }] });
      const { listing_pk } = await ask('listing_create', request);
      const changes = { listing: { title: `Crimson mug by ${name}` } };
      expect(await ask('listing_update', { listing_pk, changes })).toMatchObject({
        status: 'draft',
        listing_pk,
      });
      await ask('listing_publish', { listing_pk, state: 'publish' });
      const dearer = { offerings: [{ price: 27 }] };
      const diff = [{ field: 'listing.price', before: 24.5, after: 27 }];
      expect(await ask('listing_update', { listing_pk, changes: dearer, dry_run: true })).toMatchObject({
        status: 'valid',
        cost_usd: 0,
        shops: [{ status: 'ok', diff }],
      });
      const done = await ask('listing_update', { listing_pk, changes: dearer });
      expect(done).toMatchObject({ status: 'completed', results: [{ status: 'ok', diff }] });
      expect(await ask('listing_create_status', { job_id: done['job_id'] })).toMatchObject({
        status: 'completed',
        results: [{ status: 'ok', diff }],
      });
      const wrong = await face.call('listing_update', { listing_pk, changes: { listing: { price: '27' } } });
      expect(wrong).toMatchObject({
        ok: false,
        error: {
          code: 'VALIDATION_FAILED',
          message: 'changes.listing.price: must be a number without quotation marks, not a string',
        },
      });
    },
  );

  it.skipIf(isSampled)(
    'listings_list, listing_get, listing_publish and listing_create_status agree',
    async () => {
      const request = buildListing('Green mug', { images: [{ url: image_url }] });
      const { listing_pk } = await ask('listing_create', request);
      const { listings } = await ask('listings_list', { limit: 1 });
      expect(listings).toMatchObject([{ listing_pk, status: 'draft' }]);
      const published = await ask('listing_publish', { listing_pk, state: 'publish' });
      expect(published).toMatchObject({
        status: 'completed',
        results: [
          { shop_id: String(shop_id), status: 'ok', listing_id: expect.any(Number), currency_code: 'USD' },
        ],
      });
      const { job_id, results } = published;
      expect(await ask('listing_create_status', { job_id })).toMatchObject({
        job_id,
        status: 'completed',
        results,
      });
      expect(await ask('listing_get', { listing_pk })).toMatchObject({ listing_pk, status: 'published' });
    },
  );

  it.skipIf(isSampled)('listing_delete deletes a listing', async () => {
    const { listing_pk } = await ask('listing_create', buildListing('Red mug'));
    expect(await ask('listing_delete', { listing_pk })).toEqual({ listing_pk, deleted: true });
    expect(await face.call('listing_get', { listing_pk })).toMatchObject({
      ok: false,
      error: { code: 'LISTING_NOT_FOUND', status: 404 },
    });
  });

  it.skipIf(isSampled)(
    'webhook_endpoint_set, webhook_test, webhooks_deliveries and webhook_delivery_retry work together',
    async () => {
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${encodeURIComponent(name)}`;
      const set = await ask('webhook_endpoint_set', { url, rotate_secret: true });
      expect(set).toMatchObject({ url, enabled: true, secret: expect.stringMatching(/^whsec_/) });
      const sent = await ask('webhook_test');
      expect(sent).toMatchObject({ success: true, response_status_code: 204, error: null });
      const { deliveries } = await ask('webhooks_deliveries', { limit: 1 });
      expect(deliveries).toMatchObject([{ id: sent['delivery_id'], status: 'success' }]);
      const again = await ask('webhook_delivery_retry', { delivery_id: sent['delivery_id'] as number });
      expect(again).toMatchObject({ success: true, response_status_code: 204 });
      expect(delivered.at(-1)).toBe(delivered.at(-2));
    },
  );

  const missing: [string, Output, string][] = [
    ['store_details_cached', { shop_id: NOWHERE }, 'STORE_NOT_FOUND'],
    ['store_sync', { shop_id: NOWHERE }, 'STORE_NOT_FOUND'],
    ['store_shipping_profiles_live', { shop_id: NOWHERE }, 'STORE_NOT_FOUND'],
    ['listing_schema', { category_id: NOWHERE }, 'CATEGORY_NOT_FOUND'],
    ['listing_create_status', { job_id: 'job_nothing' }, 'JOB_NOT_FOUND'],
    ['listing_get', { listing_pk: NOWHERE }, 'LISTING_NOT_FOUND'],
    ['listing_publish', { listing_pk: NOWHERE, state: 'publish' }, 'LISTING_NOT_FOUND'],
    ['listing_delete', { listing_pk: NOWHERE }, 'LISTING_NOT_FOUND'],
    ['webhooks_deliveries', { id: NOWHERE }, 'DELIVERY_NOT_FOUND'],
    ['webhook_delivery_retry', { delivery_id: NOWHERE }, 'DELIVERY_NOT_FOUND'],
  ];
  it.each(sample(missing, count))('%s with %o fails with %s', async (id, input, code) => {
    expect(await face.call(id, input)).toEqual({
      ok: false,
      error: {
        code,
        status: 404,
        message: expect.any(String),
        hint: expect.any(String),
        docs: expect.stringMatching(`^(http|file)://.*#${code}$`),
      },
    });
  });

  const refused: [string, Output, string][] = [
    ['listings_search', {}, 'keywords: is required'],
    ['listings_search', { keywords: 'mug', limit: 101 }, 'limit: must be at most 100'],
    ['categories_search', { keywords: 'mug', limit: 51 }, 'limit: must be at most 50'],
    ['listings_list', { limit: 0 }, 'limit: must be at least 1'],
    ['listing_publish', { listing_pk: 1, state: 'draft' }, 'state: must be one of publish, active'],
    ['webhook_endpoint_set', {}, 'url: is required'],
    ['webhook_endpoint_set', { url: 'http://169.254.169.254/' }, 'url: '],
    [
      'file_upload',
      { type: 'song', file: PNG, filename: 'a.png' },
      'type: must be one of image, video, digital',
    ],
    ['listing_create', {}, 'shops: is required\nlisting: is required'],
  ];
  it.each(sample(refused, count))('%s refuses %o', async (id, input, message) => {
    expect(await face.call(id, input)).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_FAILED', status: 400, message: expect.stringContaining(message) },
    });
  });

  it('every problem of a listing is reported at once', async () => {
    const request = buildListing('Mug % % with two signs');
    const answer = await face.call('listing_create', {
      ...request,
      shops: [{ shop_id: NOWHERE }],
      listing: { ...request.listing, price: 0.1, tags: ['x'.repeat(21)] },
    });
    expect(answer).toMatchObject({ ok: false, error: { code: 'VALIDATION_FAILED' } });
    const lines = answer.ok ? [] : answer.error.message.split('\n').map((line) => line.split(':')[0]);
    expect(lines).toEqual(
      expect.arrayContaining(['listing.title', 'listing.price', 'listing.tags[0]', 'shops[0].shop_id']),
    );
  });
});

describe('the official client', () => {
  it.each(['MCP over HTTP', 'MCP over stdio'])(
    'lists the same tools in the same order over %s each time',
    async (name) => {
      const face =
        name === 'MCP over HTTP' ? await openMcpHttp(served.url, served.key) : await openMcpStdio(env);
      try {
        const { tools } = await face.client.listTools();
        expect(tools.map((tool) => tool.name)).toEqual(operations.map(({ id }) => id));
        for (const tool of tools) {
          expect(tool).toMatchObject({
            title: expect.any(String),
            description: expect.any(String),
            inputSchema: { type: 'object' },
            outputSchema: { type: 'object' },
            annotations: {
              readOnlyHint: expect.any(Boolean),
              destructiveHint: expect.any(Boolean),
              idempotentHint: expect.any(Boolean),
              openWorldHint: expect.any(Boolean),
            },
          });
        }
        expect(await face.client.listTools()).toEqual({ tools });
      } finally {
        await face.close();
      }
    },
  );

  it('gets an upload address if it cannot send a file', async () => {
    const face = await openMcpHttp(served.url, served.key);
    try {
      const asked = await face.call('file_upload', { type: 'image' });
      const address = asked.ok ? String(asked.output['upload_url']) : '';
      expect(address).toMatch(new RegExp(`^${served.url}/upload/[\\w-]{32}$`));
      const sent = await fetch(`${address}?filename=mug.png`, {
        method: 'POST',
        body: Buffer.from(PNG, 'base64'),
      });
      expect(await sent.json()).toMatchObject({
        filename: 'mug.png',
        url: expect.stringMatching(/^service-upload:/),
      });
      expect((await fetch(address, { method: 'POST', body: 'x' })).status).toBe(404);
    } finally {
      await face.close();
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../schemas/error.js';
import { createTasks } from '../../../src/dashboard/tasks.js';
import { createPages } from '../../../src/dashboard/pages/index.js';
import { createSessionCookie } from '../../../src/pages/index.js';
import { operations } from '../../../tools/index.js';
import { Browser } from '../../e2e/browser.js';
import { createServer, type Server } from 'node:http';
import { buildMug, MUGS } from '../../service.js';
import { openMcpHttp, openRest, type Answer, type Face, type Output } from '../faces.js';
import { CLAY, LINEN, MARK, startTwoAccounts, type TwoAccounts } from './two_accounts.js';

/*
 * Two accounts on one service, through every entry point: the second account never sees, uses or changes
 * anything that belongs to the first.
 */

let world: TwoAccounts;
let receiver: Server;
let receiver_url: string;
const received: string[] = [];
/** A draft of the second account. */
let own_pk: number;
beforeAll(async () => {
  receiver = createServer((request, response) => {
    received.push(request.url ?? '');
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  const address = receiver.address();
  receiver_url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  world = await startTwoAccounts(receiver_url);
}, 60_000);
afterAll(async () => {
  await world.close();
  receiver.close();
});

/** The second account's request and the expected answer: a refusal with this code, or an output to check. */
type Case =
  { input: () => Output; refused: ErrorCode } | { input: () => Output; look: (output: Output) => void };

const shop = () => ({ shop_id: CLAY.shop_id });
const SHOP: Case = { input: shop, refused: 'STORE_NOT_FOUND' };
/** The same for all accounts: reveals nothing about any of them. */
const SHARED = (input: Output): Case => ({ input: () => input, look: () => undefined });
const linen = () => ({ shop_id: LINEN.shop_id, shipping_profile_id: 1, return_policy_id: 1 });

const UP = { edits: [{ field: 'price', op: 'increase_percent', value: 10 }] };

function listIds(output: Output, list: string, id: string): unknown[] {
  return (output[list] as Output[]).map((entry) => entry[id]);
}

/** One entry for each operation. A new operation needs its own: consider what it could expose. */
const CASES: Record<string, Case[]> = {
  stores_list: [
    {
      input: () => ({}),
      look: (output) => expect(listIds(output, 'stores', 'shop_id')).toEqual([String(LINEN.shop_id)]),
    },
  ],
  store_details_cached: [SHOP],
  store_sync: [SHOP],
  store_listings: [SHOP],
  store_shipping_profiles_live: [SHOP],
  store_return_policies_live: [SHOP],
  store_processing_profiles_live: [SHOP],
  store_shop_sections_live: [SHOP],
  listing_schema: [SHARED({ category_id: MUGS })],
  listings_search: [SHARED({ keywords: 'mug' })],
  categories_search: [SHARED({ keywords: 'mug' })],
  file_upload: [
    {
      // Identical bytes are stored once, but each account has an upload of its own.
      input: () => ({ filename: 'a.png', file: PNG }),
      look: ({ url }) => expect(url).not.toBe(world.first.upload_url),
    },
  ],
  listing_create: [
    { input: () => buildMug([shop()]), refused: 'VALIDATION_FAILED' },
    {
      input: () => buildMug([linen()], { images: [{ url: world.first.upload_url }] }),
      refused: 'VALIDATION_FAILED',
    },
    {
      // Another account's idempotency key and body mean nothing here: the call creates a separate listing.
      input: () => world.first.draft,
      look: ({ listing_pk, status }) => {
        expect(status).toBe('draft');
        expect([world.first.draft_pk, world.first.listing_pk]).not.toContain(listing_pk);
        own_pk = Number(listing_pk);
      },
    },
  ],
  listing_create_status: [{ input: () => ({ job_id: world.first.job_id }), refused: 'JOB_NOT_FOUND' }],
  listings_list: [
    {
      input: () => ({}),
      look: (output) => {
        const ids = listIds(output, 'listings', 'listing_pk');
        expect(ids).not.toContain(world.first.draft_pk);
        expect(ids).not.toContain(world.first.listing_pk);
        expect(output['total']).toBe(ids.length);
      },
    },
  ],
  listing_get: [
    { input: () => ({ listing_pk: world.first.listing_pk, history: true }), refused: 'LISTING_NOT_FOUND' },
  ],
  listing_update: [
    {
      input: () => ({ listing_pk: world.first.draft_pk, changes: { listing: { title: 'Mine' } } }),
      refused: 'LISTING_NOT_FOUND',
    },
    {
      input: () => ({ listing_pk: world.first.listing_pk, changes: {}, dry_run: true }),
      refused: 'LISTING_NOT_FOUND',
    },
    {
      input: () => ({ listing_pk: own_pk, changes: { images: [{ url: world.first.upload_url }] } }),
      refused: 'VALIDATION_FAILED',
    },
  ],
  listing_undo: [
    { input: () => ({ listing_pk: world.first.listing_pk }), refused: 'LISTING_NOT_FOUND' },
    { input: () => ({ listing_pk: own_pk, job_id: world.first.job_id }), refused: 'JOB_NOT_FOUND' },
  ],
  listing_import: [
    { input: () => ({ ...shop(), listing_ids: [1] }), refused: 'VALIDATION_FAILED' },
    {
      input: () => ({ shop_id: LINEN.shop_id, listing_ids: [1], join: world.first.listing_pk }),
      refused: 'VALIDATION_FAILED',
    },
  ],
  listing_copy: [
    {
      input: () => ({ listing_pk: world.first.draft_pk, shops: [linen()] }),
      refused: 'LISTING_NOT_FOUND',
    },
    { input: () => ({ listing_pk: own_pk, shops: [shop()] }), refused: 'VALIDATION_FAILED' },
  ],
  listing_publish: [
    { input: () => ({ listing_pk: world.first.draft_pk, state: 'publish' }), refused: 'LISTING_NOT_FOUND' },
  ],
  batch_create: [
    {
      input: () => ({ ...UP, select: { listing_pks: [world.first.listing_pk] } }),
      refused: 'VALIDATION_FAILED',
    },
    {
      input: () => ({ ...UP, select: { batch_id: world.first.batch_id } }),
      refused: 'BATCH_NOT_FOUND',
    },
  ],
  batch_sheet: [
    { input: () => ({ select: { listing_pks: [world.first.listing_pk] } }), refused: 'VALIDATION_FAILED' },
    { input: () => ({ select: { batch_id: world.first.batch_id } }), refused: 'BATCH_NOT_FOUND' },
  ],
  batches_list: [
    { input: () => ({}), look: ({ total }) => expect(total).toBe(0) },
    { input: () => ({ batch_id: world.first.batch_id }), refused: 'BATCH_NOT_FOUND' },
  ],
  batch_start: [{ input: () => ({ batch_id: world.first.batch_id }), refused: 'BATCH_NOT_FOUND' }],
  batch_cancel: [{ input: () => ({ batch_id: world.first.batch_id }), refused: 'BATCH_NOT_FOUND' }],
  batch_undo: [{ input: () => ({ batch_id: world.first.batch_id }), refused: 'BATCH_NOT_FOUND' }],
  listing_delete: [{ input: () => ({ listing_pk: world.first.draft_pk }), refused: 'LISTING_NOT_FOUND' }],
  webhook_endpoint_set: [
    {
      input: () => ({ url: `${receiver_url}/second` }),
      look: ({ url }) => expect(url).toBe(`${receiver_url}/second`),
    },
  ],
  webhook_endpoint_get: [
    { input: () => ({}), look: ({ url }) => expect(url).toBe(`${receiver_url}/second`) },
  ],
  webhook_test: [
    {
      input: () => {
        received.length = 0;
        return {};
      },
      look: ({ success }) => expect([success, received]).toEqual([true, ['/second']]),
    },
  ],
  webhooks_deliveries: [
    { input: () => ({ id: world.first.delivery_id }), refused: 'DELIVERY_NOT_FOUND' },
    {
      input: () => ({}),
      look: (output) => {
        const ids = listIds(output, 'deliveries', 'id');
        expect(ids).not.toContain(world.first.delivery_id);
        expect(output['total']).toBe(ids.length);
      },
    },
  ],
  webhook_delivery_retry: [
    { input: () => ({ delivery_id: world.first.delivery_id }), refused: 'DELIVERY_NOT_FOUND' },
  ],
  webhook_endpoint_delete: [{ input: () => ({}), look: ({ deleted }) => expect(deleted).toBe(true) }],
};

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mM4oaEBAALUARk7rVwIAAAAAElFTkSuQmCC';

function check(one: Case, answer: Answer): void {
  const answered = JSON.stringify(answer);
  expect(answered).not.toContain(MARK);
  expect(answered).not.toContain(world.first.account_id);
  const got = answer.ok ? { code: 'none', status: 200 } : answer.error;
  const code = 'refused' in one ? one.refused : 'none';
  expect(got).toMatchObject({ code, status: STATUSES[code] ?? 404 });
  if ('look' in one && answer.ok) one.look(answer.output);
}

/** `NOT_FOUND` for an id in a path. */
const STATUSES: Record<string, number> = { none: 200, VALIDATION_FAILED: 400 };

describe('every operation', () => {
  it('has a case, with another account’s id for every id in its path', () => {
    expect(Object.keys(CASES).sort()).toEqual(operations.map(({ id }) => id).sort());
    const withId = operations.filter(({ route }) => /\{(?!category_id)/.test(route.path));
    for (const { id } of withId) {
      expect([id, CASES[id]?.some((one) => 'refused' in one && one.refused.endsWith('NOT_FOUND'))]).toEqual([
        id,
        true,
      ]);
    }
  });

  it.each([
    ['REST', () => Promise.resolve(openRest(world.url, world.second.key))],
    ['MCP', () => openMcpHttp(world.url, world.second.key)],
  ] satisfies [string, () => Promise<Face>][])(
    'refuses or hides everything that belongs to the first account over %s',
    async (_face, open) => {
      const before = world.dumpFirst();
      expect(Object.values(before).flat().length).toBeGreaterThan(10);
      const face = await open();
      for (const { id } of operations) {
        for (const one of CASES[id] ?? []) check(one, await face.call(id, one.input()));
      }
      await face.close();
      expect(world.dumpFirst()).toEqual(before);
    },
  );

  it('finds the first account’s data with the first account’s key', async () => {
    const face = openRest(world.url, world.first.key);
    for (const id of [
      'listing_get',
      'listing_create_status',
      'store_details_cached',
      'webhooks_deliveries',
    ]) {
      const [one] = CASES[id] ?? [];
      expect([id, (await face.call(id, one?.input())).ok]).toEqual([id, true]);
    }
  });
});

describe('access outside operations', () => {
  it('a resource of MCP is readable only by the account that owns it', async () => {
    const [own, foreign] = [
      await openMcpHttp(world.url, world.first.key),
      await openMcpHttp(world.url, world.second.key),
    ];
    const { resourceTemplates } = await own.client.listResourceTemplates();
    const addresses = resourceTemplates
      .map(({ uriTemplate }) => uriTemplate)
      .filter((template) => !template.includes('{category_id}'));
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) {
      const uri = fillPath(address);
      expect((await own.client.readResource({ uri })).contents).toHaveLength(1);
      await expect(foreign.client.readResource({ uri })).rejects.toThrow(/not|no /);
    }
    const { resources } = await foreign.client.listResources();
    for (const { uri } of resources) {
      expect(JSON.stringify(await foreign.client.readResource({ uri }))).not.toContain(MARK);
    }
    await Promise.all([own.close(), foreign.close()]);
  });

  it('an upload to a one-time address belongs to the account that requested the address', async () => {
    const face = await openMcpHttp(world.url, world.second.key);
    const asked = await face.call('file_upload', {});
    await face.close();
    const token = (asked.ok ? String(asked.output['upload_url']) : '').split('/').at(-1) ?? '';
    const sent = await fetch(`${world.url}/upload/${token}?filename=a.png`, {
      method: 'POST',
      body: Buffer.from(PNG, 'base64'),
    });
    const { url } = (await sent.json()) as { url: string };
    const { uploads } = world.service.app.core;
    expect(await uploads.findByUrl(world.second.account_id, url)).toBeDefined();
    expect(await uploads.findByUrl(world.first.account_id, url)).toBeUndefined();
    expect(await uploads.findByUrl(world.second.account_id, world.first.upload_url)).toBeUndefined();
  });

  it('only the account that owns a key or grant can revoke it', async () => {
    const { accounts, grants } = world.service.app.core;
    expect(await accounts.revokeKey(world.second.account_id, world.first.key_id)).toBe(false);
    expect(await accounts.listKeys(world.second.account_id)).toHaveLength(1);
    expect(await grants.list(world.second.account_id)).toEqual([]);
  });

  it('no page of the dashboard shows or changes data of another account', async () => {
    const { core, config, service, store } = world.service.app;
    const tasks = createTasks({ ...service, page_tasks: store.page_tasks });
    const { base_url } = config;
    const { docs_url } = service;
    const cookie = createSessionCookie(base_url);
    const pages = createPages({ core, cookie, tasks, clock: service.clock, base_url, docs_url });
    const own = await openDashboard(world.first.key);
    const foreign = await openDashboard(world.second.key);
    const before = world.dumpFirst();
    const problems: string[] = [];
    for (const { path, get, post } of pages.filter((page) => page.path !== '/sign-out')) {
      const url = `${world.url}/dashboard${fillPath(path)}`;
      const expected = path.includes('{') && !path.startsWith(PICTURES) ? 404 : 200;
      if (get) {
        await own.open(url);
        if (own.status !== 200) problems.push(`${path}: ${own.status} for its own account`);
        await foreign.open(url);
        if (foreign.status !== expected) problems.push(`${path}: ${foreign.status}`);
        if (foreign.page.includes(MARK)) problems.push(`${path} shows it`);
      }
      if (post && path.includes('{')) {
        await foreign.send(url, { csrf_token: foreign.csrf_token });
        if (foreign.status !== 404) problems.push(`POST ${path}: ${foreign.status}`);
      }
    }
    expect(problems).toEqual([]);
    expect(world.dumpFirst()).toEqual(before);
  });

  it('another account’s picture is answered with the placeholder', async () => {
    const browser = await openDashboard(world.second.key);
    const path = `${PICTURES}{image}/{width}`;
    const see = async (filled: string) => {
      await browser.open(`${world.url}/dashboard${filled}`);
      return browser.page;
    };
    expect(await see(fillPath(path))).toBe(await see(fillPath(path, 999_999_999)));
  });
});

async function openDashboard(key: string): Promise<Browser> {
  const browser = new Browser();
  await browser.open(`${world.url}/dashboard/sign-in`);
  await browser.submit({ key });
  return browser;
}

const PICTURES = '/listings/{listing_pk}/photos/';

/** The address of a page about the first account's data. */
function fillPath(
  path: string,
  listing_pk = path.endsWith('/delete') ? world.first.draft_pk : world.first.listing_pk,
): string {
  const ids: Record<string, string | number> = {
    listing_pk,
    image: 1,
    width: 160,
    job_id: world.first.job_id,
    batch_id: world.first.batch_id,
    delivery_id: world.first.delivery_id,
    shop_id: CLAY.shop_id,
    key_id: world.first.key_id,
    grant_id: world.first.grant_id,
    upload_id: /^service-upload:\/\/(\w+)\//.exec(world.first.upload_url)?.[1] ?? '',
  };
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`${path}: say here which ${name} the first account has`);
    return String(id);
  });
}

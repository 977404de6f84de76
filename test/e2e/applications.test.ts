import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from '../dashboard/visitor.js';
import { openConsentPage } from '../consent.js';
import { CLAY, NORD, send } from '../sandbox/harness.js';
import { buildMug, fixturePath } from '../service.js';
import { ask } from '../store/raw.js';
import { openMcpHttp, openRest, type Face, type Output } from '../surfaces/faces.js';

/* An installation without its own application: each shop comes with its seller's application. */

const MAPLE = { shop_id: 31_450_228, user_id: 412_900_117, shop_name: 'MapleKilnStudio' };
const SHOPS = {
  fast: {
    ...CLAY,
    keystring: 'fast0keystring',
    shared_secret: 'fast0secret0never0told',
    rate_per_second: 40,
  },
  middle: { ...NORD, keystring: 'middle0keystring', shared_secret: 'middle0secret', rate_per_second: 8 },
  slow: { ...MAPLE, keystring: 'slow0keystring', shared_secret: 'slow0secret', rate_per_second: 4 },
} as const;
type Name = keyof typeof SHOPS;
const NAMES: readonly Name[] = ['fast', 'middle', 'slow'];
const PATIENT = { timeout: 20_000, interval: 20 };
const NO_APPLICATION = 'No application is set up for calls to the marketplace.';
const KEY_REFUSED = 'The x-api-key does not belong to an application.';

type Use = Record<string, { calls: number; refused: number; most_in_a_second: number }>;
type Result = { shop_id: string; status: string; error?: string };

let sandbox: Sandbox;
let dashboard: TestDashboard;
let visitor: Visitor;
let rest: Face;
let mcp: Face;
let targets: Record<Name, object>;

beforeAll(async () => {
  sandbox = await startSandbox({ database_file: ':memory:', control: true });
  await control('/shops/equip', { shop_id: MAPLE.shop_id });
  for (const name of NAMES) {
    const { keystring, shared_secret, user_id, rate_per_second } = SHOPS[name];
    await control('/applications', { keystring, shared_secret, user_id, rate_per_second });
  }
  dashboard = await startDashboard({
    MARKETPLACE: 'etsy',
    ETSY_API_URL: sandbox.url,
    ETSY_AUTH_URL: sandbox.url,
  });
  visitor = await dashboard.signIn();
  const { key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test');
  rest = openRest(dashboard.url, key);
  mcp = await openMcpHttp(dashboard.url, key);
}, 60_000);
afterAll(async () => {
  await mcp.close();
  await dashboard.close();
  await sandbox.close();
});

async function control<Answer>(path: string, json: object): Promise<Answer> {
  const { status, body } = await send(`${sandbox.url}/_sandbox${path}`, 'POST', { json });
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body as Answer;
}

async function readUse(): Promise<Use> {
  return (await send(`${sandbox.url}/_sandbox/applications`, 'GET')).body as Use;
}

/** Calls that each application makes in the meantime. */
async function countDuring(work: () => Promise<unknown>): Promise<Record<Name, number>> {
  const before = await readUse();
  await work();
  const after = await readUse();
  const count = (name: Name): number => {
    const { keystring } = SHOPS[name];
    return (after[keystring]?.calls ?? 0) - (before[keystring]?.calls ?? 0);
  };
  return { fast: count('fast'), middle: count('middle'), slow: count('slow') };
}

/** Through the form, the marketplace's consent page and back. */
async function connect(fields: Record<string, string>, user_id: number): Promise<string> {
  const { status, text } = await visitor.post('/dashboard/shops/connect', fields);
  const consent_url = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text)?.[1];
  if (consent_url === undefined) throw new Error(`${status} ${toText(text)}`);
  const page = await openConsentPage(consent_url.replaceAll('&amp;', '&'));
  const { pathname, search } = new URL(await page.submit({ user_id }));
  return toText((await visitor.get(pathname + search)).text);
}

const toFields = ({ keystring, shared_secret }: (typeof SHOPS)[Name]) => ({ keystring, shared_secret });

async function call(id: string, input: Output = {}, face = rest): Promise<Output> {
  const answer = await face.call(id, input);
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.output;
}

async function refuse(face: Face, id: string, input: Output = {}) {
  const answer = await face.call(id, input);
  if (answer.ok) throw new Error(`not refused: ${JSON.stringify(answer.output)}`);
  return answer.error;
}

async function buildListing(title: string, photos: number): Promise<Output> {
  const mug = buildMug(
    NAMES.map((name) => targets[name]),
    { state: 'publish' },
  );
  const file = (await readFile(fixturePath('mug-front.jpg'))).toString('base64');
  const { url } = await call('file_upload', { file, filename: 'mug.jpg', type: 'image' });
  const images = Array.from({ length: photos }, (_, index) => ({ url, alt_text: `Photo ${index + 1}` }));
  return { ...mug, listing: { ...mug.listing, title }, images };
}

const sortResults = (job: Output): Result[] => {
  const results = job['results'] as Result[];
  return NAMES.flatMap(
    (name) => results.find(({ shop_id }) => shop_id === String(SHOPS[name].shop_id)) ?? [],
  );
};

const search = () => call('listings_search', { keywords: 'mug' });

describe('three shops with an application each', { timeout: 120_000 }, () => {
  it('before the first is connected, cause no calls to the marketplace, and the answer says why', async () => {
    for (const face of [rest, mcp]) {
      expect(await refuse(face, 'listings_search', { keywords: 'mug' })).toMatchObject({
        code: 'VALIDATION_FAILED',
        message: NO_APPLICATION,
        hint: expect.stringContaining('listing-service connect'),
      });
    }
    expect(await readUse()).toEqual({});
  });

  it('are connected through a form that asks for the application, and never shows a secret again', async () => {
    const asked = await visitor.post('/dashboard/shops/connect');
    expect(toText(asked.text)).toContain('Keystring');
    const wrong = { keystring: SHOPS.fast.keystring, shared_secret: 'not0the0secret' };
    const refused = await visitor.post('/dashboard/shops/connect', wrong);
    expect(refused.status).toBe(400);
    expect(toText(refused.text)).toContain('Etsy does not accept this keystring with this shared secret.');
    expect(refused.text).toContain(`value="${wrong.keystring}"`);
    expect(refused.text).not.toContain(wrong.shared_secret);

    for (const name of NAMES) {
      const { user_id, shop_name } = SHOPS[name];
      expect(await connect(toFields(SHOPS[name]), user_id)).toContain(`${shop_name} (`);
    }
    const synced = await Promise.all(
      NAMES.map(async (name) => {
        const { shop_id } = SHOPS[name];
        const { shipping_profiles, return_policies } = (await call('store_sync', { shop_id })) as {
          shipping_profiles: { shipping_profile_id: number }[];
          return_policies: { return_policy_id: number }[];
        };
        const { shipping_profile_id } = shipping_profiles[0] ?? {};
        const { return_policy_id } = return_policies[0] ?? {};
        return [name, { shop_id, shipping_profile_id, return_policy_id }] as const;
      }),
    );
    targets = Object.fromEntries(synced) as Record<Name, object>;
  });

  it('have their secrets stored encrypted', async () => {
    const { data_dir } = dashboard.service;
    const tables = ['applications', 'connect_requests', 'shop_tokens'];
    const rows = await Promise.all(tables.map((table) => ask(data_dir, `SELECT * FROM ${table}`)));
    const values = rows.flat().flatMap((row) => Object.values(row));
    const kept = values.map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)));
    for (const { keystring, shared_secret } of Object.values(SHOPS)) {
      expect(kept).toContain(keystring);
      expect(kept.filter((text) => text.includes(shared_secret))).toEqual([]);
    }
  });

  it('each use their own key and their own limits', async () => {
    for (const name of NAMES) {
      const { shop_id } = SHOPS[name];
      const none = { fast: 0, middle: 0, slow: 0 };
      expect(await countDuring(() => call('store_sync', { shop_id }))).toEqual({ ...none, [name]: 6 });
    }
  });

  it('are listed in at once, each at the pace of its application', async () => {
    const listing = await buildListing('Mug for three', 3);
    const job = await call('listing_create', listing);
    expect(sortResults(job).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    const use = await readUse();
    // Hardly any is refused: on a busy machine, calls can arrive closer together than they were sent.
    for (const name of NAMES) {
      const { calls = 0, refused } = use[SHOPS[name].keystring] ?? {};
      expect(refused).toBeLessThan(calls / 8);
    }
    const { fast, middle, slow } = SHOPS;
    expect(use[slow.keystring]?.most_in_a_second).toBeLessThanOrEqual(slow.rate_per_second);
    expect(use[middle.keystring]?.most_in_a_second).toBeLessThanOrEqual(middle.rate_per_second);
    // Not slowed down to the pace of the others.
    expect(use[fast.keystring]?.most_in_a_second).toBeGreaterThan(slow.rate_per_second);
    const figures = (await dashboard.service.app.service.getFigures()).marketplace;
    expect(figures.map(({ application }) => application)).toEqual(['fast0key', 'middle0k', 'slow0key']);
    // The limits are also stored separately, for other processes and the next start.
    const { app_limits } = dashboard.service.app.store;
    const limits = await Promise.all(
      NAMES.map((name) => app_limits.changeBucket(SHOPS[name].keystring, (bucket) => ({ bucket }))),
    );
    expect(limits.map(({ bucket }) => bucket.per_second)).toEqual([40, 8, 4]);
  });

  it('fail separately: if one application is revoked midway, only its shop fails, and says why', async () => {
    const { shop_id, keystring, user_id } = SHOPS.slow;
    const listing = await buildListing('Mug for two', 8);
    const running = call('listing_create', listing, mcp);
    const listCreated = async () => {
      const { body } = await send(`${sandbox.url}/_sandbox/state?shop_id=${shop_id}`, 'GET');
      const { listings } = body as { listings: { fields: { title: string } }[] };
      return listings.map(({ fields }) => fields.title);
    };
    await expect.poll(listCreated, PATIENT).toContain('Mug for two');
    await control('/applications', { keystring, is_revoked: true });
    const results = sortResults(await running);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'error']);
    expect(results[2]?.error).toContain(
      `the marketplace refused the key of the shop's application ("${KEY_REFUSED}")`,
    );

    for (const face of [rest, mcp]) {
      expect(await refuse(face, 'store_sync', { shop_id })).toMatchObject({
        code: 'MARKETPLACE_ERROR',
        message: `The marketplace refused the application's key: "${KEY_REFUSED}".`,
        hint: expect.stringContaining('connect the shop again with its keystring and shared secret'),
      });
      await call('store_sync', { shop_id: SHOPS.fast.shop_id }, face);
    }

    // Connecting again asks for another application, and forgets the previous one.
    const asked = await visitor.post('/dashboard/shops/connect', { shop_id: `${shop_id}` });
    expect(toText(asked.text)).toContain('Shared secret');
    const fresh = { keystring: 'fresh0keystring', shared_secret: 'fresh0secret' };
    await control('/applications', { ...fresh, user_id, rate_per_second: 40 });
    expect(await connect({ ...fresh, shop_id: `${shop_id}` }, user_id)).toContain('is connected again');
    const { applications } = dashboard.service.app.store;
    expect((await applications.listApplications(dashboard.account_id)).map((kept) => kept.keystring)).toEqual(
      [SHOPS.fast.keystring, SHOPS.middle.keystring, fresh.keystring],
    );
    const { job_id } = (await running) as { job_id: string };
    const { listing_pk } = (await call('listing_create_status', { job_id })) as { listing_pk: number };
    const published = await call('listing_publish', { listing_pk, state: 'publish' });
    expect(sortResults(published).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  });

  it('lend an application to calls that belong to no shop, and the next one if the first is refused', async () => {
    expect(await countDuring(search)).toEqual({ fast: 1, middle: 0, slow: 0 });
    await control('/applications', { keystring: SHOPS.fast.keystring, is_revoked: true });
    expect(await countDuring(search)).toEqual({ fast: 0, middle: 1, slow: 0 });
    await control('/applications', { keystring: SHOPS.fast.keystring, is_revoked: false });
  });

  it('lend their keys to no other account', async () => {
    const { accounts } = dashboard.service.app.core;
    const other = await accounts.create('other');
    const { key } = await accounts.createKey(other.account_id, 'test');
    const others = [openRest(dashboard.url, key), await openMcpHttp(dashboard.url, key)];
    const asking = async () => {
      for (const face of others) {
        expect(await refuse(face, 'listings_search', { keywords: 'cup' })).toMatchObject({
          code: 'VALIDATION_FAILED',
          message: NO_APPLICATION,
        });
        expect(await refuse(face, 'listing_schema', { category_id: 1005 })).toMatchObject({
          code: 'VALIDATION_FAILED',
        });
      }
    };
    expect(await countDuring(asking)).toEqual({ fast: 0, middle: 0, slow: 0 });
    await Promise.all(others.map((face) => face.close()));
  });

  it('lose their secrets when their last shop is disconnected', async () => {
    await visitor.post(`/dashboard/shops/${SHOPS.middle.shop_id}/disconnect`);
    const { applications } = dashboard.service.app.store;
    expect(await applications.findApplication(dashboard.account_id, SHOPS.middle.keystring)).toBeUndefined();
    expect(await applications.findApplication(dashboard.account_id, SHOPS.fast.keystring)).toBeDefined();
  });
});

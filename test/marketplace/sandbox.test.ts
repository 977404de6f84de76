import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DraftListing, MediaFile, ShopRef, Store } from '../../src/core/ports/index.js';
import { createEtsyClient, SCOPES } from '../../src/marketplace/index.js';
import { SANDBOX_APP, SANDBOX_SHOPS, startSandbox, type Sandbox } from '../../src/sandbox/index.js';
import { openStore } from '../../src/store/index.js';
import { systemClock } from '../../src/world/clock.js';
import { randomIds } from '../../src/world/ids.js';
import { buildFile } from './files.js';
import { createMemoryLog } from './rig.js';
import { buildQuestion } from './samples.js';
import { systemRandomness } from '../../src/world/randomness.js';

const OFFERING = { quantity: 4, is_enabled: true, readiness_state_id: 1_386_200_000_102 };

type Etsy = ReturnType<typeof createEtsyClient>;

let directory: string;
let sandbox: Sandbox;
let store: Store;
let shop: ShopRef;
let user_id: number;
let client: Etsy;
const clients: Etsy[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'etsy-'));
  sandbox = await startSandbox({ database_file: join(directory, 'sandbox.db'), control: true });
  const log = createMemoryLog();
  store = await openStore({
    randomness: systemRandomness,
    data_dir: join(directory, 'data'),
    clock: systemClock,
    ids: randomIds,
    log,
  });
  const { account_id } = await store.accounts.createAccount('test');
  const [clay] = SANDBOX_SHOPS;
  if (!clay) throw new Error('the sandbox has no shop');
  shop = { account_id, shop_id: clay.shop_id };
  user_id = clay.user_id;
  client = openClient();
  await connect();
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((open) => open.close()));
  await sandbox.close();
  await store.close();
  await rm(directory, { recursive: true });
});

function openClient(): Etsy {
  const made = createEtsyClient({
    randomness: systemRandomness,
    getConsentUrl: () => Promise.resolve(''),
    getApiUrl: () => Promise.resolve(sandbox.url),
    keystring: SANDBOX_APP.keystring,
    shared_secret: SANDBOX_APP.shared_secret,
    tokens: store.tokens,
    clock: systemClock,
    log: createMemoryLog(),
    user_agent: 'test-agent/1',
    call_timeout_ms: 2_000,
    app_limits: store.app_limits,
  });
  clients.push(made);
  return made;
}

/** The 429s that all clients received. */
function countRefused(): number {
  const calls = clients.flatMap((opened) => opened.getFigures().calls);
  return calls.reduce((sum, { outcome, count }) => sum + (outcome === '429' ? count : 0), 0);
}

async function connect(): Promise<void> {
  const { access_token, refresh_token, expires_in } = sandbox.issueGrant(user_id, SCOPES);
  const access_expires_at = new Date(Date.now() + expires_in * 1000).toISOString();
  await store.tokens.saveTokens(shop, {
    access_token,
    refresh_token,
    access_expires_at,
    scopes: [...SCOPES],
  });
  const { user_id: owner, ...details } = await client.getShop(shop);
  await store.shops.saveShop({
    ...shop,
    user_id: owner,
    details,
    lists: {
      shipping_profiles: [],
      shop_sections: [],
      return_policies: [],
      processing_profiles: [],
      production_partners: [],
    },
    last_synced_at: new Date().toISOString(),
  });
}

async function control(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${sandbox.url}/_sandbox${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
}

const strike = (operation: string, action: object) => control('/faults', { rules: [{ operation, action }] });

async function fixture(name: string, content_type: string): Promise<MediaFile> {
  return buildFile(await readFile(new URL(`../fixtures/${name}`, import.meta.url)), {
    filename: name,
    content_type,
  });
}

const MUG: DraftListing = {
  title: `Mug "Söder" <blue> & white`,
  description: `It's a mug.\nWith a handle & a glaze.`,
  listing_type: 'physical',
  taxonomy_id: 1062,
  price: 34.5,
  quantity: 5,
  who_made: 'i_did',
  when_made: 'made_to_order',
  is_supply: false,
  shipping_profile_id: 211_740_301,
  return_policy_id: 1_142_500_101,
  readiness_state_id: 1_386_200_000_102,
  shop_section_id: 40_118_201,
  production_partner_ids: [4_410_221],
  tags: ['mug', 'blue and white'],
  materials: ['stoneware'],
  styles: ['Rustic'],
  should_auto_renew: false,
  item_weight: 0.4,
  item_weight_unit: 'kg',
};

const values = (value: string) => [
  { property_id: 513, property_name: 'Size', scale_id: null, value_ids: [], values: [value] },
];

describe('a listing from draft to active', () => {
  it('is returned as it was sent', async () => {
    const draft = await client.createDraftListing(shop, MUG);
    const { listing_id } = draft;
    const { production_partner_ids, readiness_state_id, ...told } = MUG;
    expect([production_partner_ids, readiness_state_id]).not.toContain(undefined);
    expect(draft).toMatchObject({ ...told, state: 'draft', currency_code: 'USD' });
    expect(await client.listListings(shop, 'draft')).toEqual([{ ...draft, production_partner_ids }]);

    const names = ['photo-01.jpg', 'photo-02.jpg', 'photo-03.jpg'];
    const images: number[] = [];
    for (const [index, name] of names.entries()) {
      const file = await fixture(name, 'image/jpeg');
      images.push((await client.uploadImage(shop, listing_id, file, { rank: index + 1 })).listing_image_id);
    }
    const listed = await client.listImages(shop, listing_id);
    expect(listed.map(({ listing_image_id, rank }) => [listing_image_id, rank])).toEqual(
      images.map((id, index) => [id, index + 1]),
    );

    const stored = await client.updateInventory(shop, listing_id, {
      products: [
        { sku: 'S', property_values: values('Small & low'), price: 19.99, ...OFFERING },
        { sku: 'L', property_values: values('Large'), price: 24, ...OFFERING },
      ],
      price_on_property: [513],
      quantity_on_property: [],
      sku_on_property: [513],
      readiness_state_on_property: [],
    });
    expect(stored.products.map(({ sku, price }) => [sku, price])).toEqual([
      ['S', 19.99],
      ['L', 24],
    ]);
    expect(await client.getInventory(shop, listing_id)).toEqual(stored);
    const value_id = stored.products[0]?.property_values[0]?.value_ids[0] ?? 0;
    await client.updateVariationImages(shop, listing_id, [
      { property_id: 513, value_id, image_id: images[2] ?? 0 },
    ]);
    expect(await client.listVariationImages(shop, listing_id)).toEqual([
      { property_id: 513, value_id, value: 'Small & low', image_id: images[2] },
    ]);

    const { attributes } = await client.getCategoryProperties(1062);
    const attribute = attributes.find(({ possible_values }) => possible_values.length > 0);
    const [value] = attribute?.possible_values ?? [];
    if (!attribute || !value) throw new Error('the sandbox’s mugs have no attribute');
    const chosen = {
      property_id: attribute.property_id,
      value_ids: [value.value_id ?? 0],
      values: [value.name],
      ...(value.scale_id !== null && { scale_id: value.scale_id }),
    };
    await client.updateAttribute(shop, listing_id, chosen);
    expect(await client.listAttributes(shop, listing_id)).toContainEqual(chosen);
    await client.updateQuestions(shop, listing_id, [
      buildQuestion({ instructions: 'Name', max_allowed_characters: 20 }),
    ]);
    const video = await client.uploadVideo(shop, listing_id, await fixture('clip.mp4', 'video/mp4'));
    expect(await client.listVideos(shop, listing_id)).toEqual([video]);

    expect(await client.activateListing(shop, listing_id, 'physical')).toMatchObject({
      state: 'active',
      price: 19.99,
      quantity: 8,
    });
    expect((await client.getListing(shop, listing_id)).state).toBe('active');
    expect(await client.listListings(shop, 'draft')).toEqual([]);
  });

  it('has its file if it is digital', async () => {
    const { shipping_profile_id, readiness_state_id, return_policy_id, ...rest } = MUG;
    expect([shipping_profile_id, readiness_state_id, return_policy_id]).not.toContain(undefined);
    const draft = await client.createDraftListing(shop, { ...rest, listing_type: 'digital' });
    expect(draft.listing_type).toBe('digital');
    const pdf = { ...(await fixture('photo-01.jpg', 'image/jpeg')), filename: 'pattern.jpg' };
    const file = await client.uploadFile(shop, draft.listing_id, pdf, 1);
    expect(file).toMatchObject({ filename: 'pattern.jpg', rank: 1, size_bytes: pdf.size_bytes });
    expect(await client.listFiles(shop, draft.listing_id)).toEqual([file]);
    const changed = await client.updateListing(shop, draft.listing_id, 'digital', { tags: ['pattern'] });
    expect(changed).toMatchObject({ listing_type: 'digital', tags: ['pattern'], title: MUG.title });
  });

  it('is refused with the name of the field', async () => {
    await expect(client.createDraftListing(shop, { ...MUG, tags: ['a/b'] })).rejects.toMatchObject({
      failure: 'refused',
      status: 400,
      fields: ['tags'],
    });
    await expect(
      client.createDraftListing(shop, { ...MUG, readiness_state_id: undefined }),
    ).rejects.toMatchObject({
      failure: 'refused',
      message: 'A readiness_state_id is required for physical listings.',
      fields: ['readiness_state_id'],
    });
    await expect(client.getCategoryProperties(999_999)).rejects.toMatchObject({ failure: 'not_found' });
  });
});

describe("a shop's settings", () => {
  it('are read', async () => {
    expect(await client.getShop(shop)).toMatchObject({
      shop_id: String(shop.shop_id),
      shop_name: 'ClayAndOak',
      currency_code: 'USD',
      user_id,
    });
    const profiles = await client.listShippingProfiles(shop);
    expect(
      profiles.map(({ title, primary_cost, currency_code }) => [title, primary_cost, currency_code]),
    ).toEqual([
      ['Small parcel', '5.95', 'USD'],
      ['Heavy parcel', '10.95', 'USD'],
      ['Free shipping in the US', '0.00', 'USD'],
    ]);
    const sections = await client.listShopSections(shop);
    expect(sections.map(({ title }) => title)).toContain('Bowls & Plates');
    expect(await client.listReturnPolicies(shop)).toHaveLength(2);
    expect(await client.listProcessingProfiles(shop)).toHaveLength(3);
    expect(await client.listProductionPartners(shop)).toHaveLength(1);
    const categories = await client.listCategories();
    expect(categories.find(({ category_id }) => category_id === 1062)).toMatchObject({
      name: 'Mugs',
      is_leaf: true,
    });
    const found = await client.searchActiveListings({ keywords: 'mug', limit: 3, offset: 0 });
    expect(found.results).toHaveLength(3);
    expect(Math.abs(client.getClockSkew())).toBeLessThan(2_000);
  });
});

describe('when a call fails,', () => {
  it('a create whose answer is lost is unknown, and the draft exists', async () => {
    await strike('createDraftListing', { type: 'commit_then_reset' });
    await expect(client.createDraftListing(shop, MUG)).rejects.toMatchObject({ failure: 'unknown' });
    const drafts = await client.listListings(shop, 'draft');
    expect(drafts.map(({ title }) => title)).toEqual([MUG.title]);
  });

  it.each([
    { name: 'reset', action: { type: 'reset' } },
    { name: '500', action: { type: 'status', status: 500 } },
    { name: 'stall', action: { type: 'stall' } },
    { name: 'a page', action: { type: 'status', status: 503, body: '<html>', raw: true } },
  ])('a read is retried: $name', async ({ action }) => {
    await strike('getShopSections', action);
    expect(await client.listShopSections(shop)).toHaveLength(5);
  });

  it('an expired token is replaced once, although two clients ask at the same time', async () => {
    await control('/tokens/expire', { user_id });
    const other = openClient();
    const reads = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? client : other).listProductionPartners(shop),
    );
    expect(await Promise.all(reads)).toHaveLength(10);
    const response = await fetch(`${sandbox.url}/_sandbox/state`);
    const { calls } = (await response.json()) as { calls: Record<string, number> };
    expect(calls['requestToken']).toBe(1);
  });

  it('a revoked grant is remembered', async () => {
    await control('/tokens/revoke', { user_id });
    await expect(client.listShippingProfiles(shop)).rejects.toMatchObject({
      failure: 'reconnect',
      message: 'invalid_grant: refresh_token is revoked',
    });
    expect((await store.shops.findShop(shop))?.is_reconnect_required).toBe(true);
  });

  it('a 429 is waited out', async () => {
    const headers = { 'retry-after': '0.2' };
    await strike('createDraftListing', {
      type: 'status',
      status: 429,
      body: { error: 'Exceeded per second rate limit' },
      headers,
    });
    expect((await client.createDraftListing(shop, MUG)).state).toBe('draft');
    expect(countRefused()).toBe(1);
  });
});

describe("the key's limit", () => {
  it('is observed by thirty calls at once', async () => {
    await Promise.all(Array.from({ length: 30 }, () => client.listShopSections(shop)));
    // A busy machine may deliver calls of two seconds together.
    expect(countRefused()).toBeLessThan(5);
  });

  it('is shared with another process, and all calls get through', async () => {
    const other = openClient();
    const calls = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? client : other));
    const answers = await Promise.all(calls.map((one) => one.listShopSections(shop)));
    expect(answers.map(({ length }) => length)).toEqual(calls.map(() => 5));
    expect(countRefused()).toBeLessThan(5);
  });
});

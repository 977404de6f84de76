import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Inventory, ListingDetails, MediaFile, ShopRef } from '../../src/core/ports/index.js';
import { createEtsyClient, SCOPES } from '../../src/marketplace/index.js';
import { SANDBOX_APP, SANDBOX_SHOPS, startSandbox, type Sandbox } from '../../src/sandbox/index.js';
import { openStore } from '../../src/store/index.js';
import { systemClock } from '../../src/world/clock.js';
import { randomIds } from '../../src/world/ids.js';
import { buildFile } from './files.js';
import { createMemoryLog } from './rig.js';
import { buildQuestion } from './samples.js';
import { systemRandomness } from '../../src/world/randomness.js';

/** Each call of the port that changes or reads a live listing, over HTTP, against the sandbox. */

type Etsy = ReturnType<typeof createEtsyClient>;

let directory: string;
let sandbox: Sandbox;
let store: Awaited<ReturnType<typeof openStore>>;
let shop: ShopRef;
let client: Etsy;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'etsy-live-'));
  sandbox = await startSandbox({
    database_file: join(directory, 'sandbox.db'),
    control: true,
    rate_per_second: 1_000,
  });
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
  client = createEtsyClient({
    randomness: systemRandomness,
    getConsentUrl: () => Promise.resolve(''),
    getApiUrl: () => Promise.resolve(sandbox.url),
    keystring: SANDBOX_APP.keystring,
    shared_secret: SANDBOX_APP.shared_secret,
    tokens: store.tokens,
    clock: systemClock,
    log,
    user_agent: 'test-agent/1',
  });
  const { access_token, refresh_token, expires_in } = sandbox.issueGrant(clay.user_id, SCOPES);
  await store.tokens.saveTokens(shop, {
    access_token,
    refresh_token,
    access_expires_at: new Date(Date.now() + expires_in * 1000).toISOString(),
    scopes: [...SCOPES],
  });
});

afterEach(async () => {
  await client.close();
  await sandbox.close();
  await store.close();
  await rm(directory, { recursive: true });
});

async function control(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${sandbox.url}/_sandbox${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return (await response.json()) as Record<string, unknown>;
}

async function makeManually(body: object = {}): Promise<number> {
  const { listing_ids } = await control('/listings', { shop_id: shop.shop_id, ...body });
  return (listing_ids as number[])[0] ?? 0;
}

async function fixture(name: string, content_type: string): Promise<MediaFile> {
  return buildFile(await readFile(new URL(`../fixtures/${name}`, import.meta.url)), {
    filename: name,
    content_type,
  });
}

const toIds = ({ images }: Pick<ListingDetails, 'images'>) => images.map((image) => image.listing_image_id);

describe('a listing made on the marketplace', () => {
  it('is read completely in one call, and its inventory in another', async () => {
    const listing_id = await makeManually({ featured_rank: 3 });
    const details = await client.getListingDetails(shop, listing_id);
    expect(details).toMatchObject({
      listing: {
        listing_id,
        state: 'active',
        title: 'Stoneware Mug',
        description: 'Thrown by hand & glazed twice.\n\nHolds "a lot".',
        language: 'en-US',
        featured_rank: 3,
        skus: [1, 2, 3, 4, 5, 6].map((index) => `MUG-${listing_id}-${index}`),
      },
      images: [1, 2, 3].map((index) => ({ rank: index, alt_text: `The mug, view ${index} & details` })),
      videos: [],
      translations: [
        { language: 'de', title: 'Becher aus Steinzeug', tags: ['becher', 'steinzeug'] },
        { language: 'fr', title: 'Tasse en grès', tags: ['tasse', 'grès'] },
      ],
      questions: [
        { question_type: 'text_input', add_on_price: 3.5, max_allowed_characters: 20, options: [] },
        { question_type: 'dropdown', options: [{ label: 'None' }, { label: 'Red' }, { label: 'Linen' }] },
      ],
    });
    const { ends_at_epoch_s, updated_at_epoch_s } = details.listing;
    expect((ends_at_epoch_s ?? 0) - updated_at_epoch_s).toBe(120 * 24 * 3600);
    const { inventory, listing } = await client.getInventoryWithListing(shop, listing_id);
    expect(inventory).toEqual(await client.getInventory(shop, listing_id));
    expect(inventory.products).toHaveLength(6);
    // Parts from other tables are returned only by reads of the listing itself.
    expect({ ...listing, skus: details.listing.skus }).toEqual(details.listing);
  });

  it('is found among its shop’s listings by state, page and id', async () => {
    const [first, second, third] = [await makeManually(), await makeManually(), await makeManually()];
    await control(`/listings/${second}/state`, { state: 'inactive' });
    const page = await client.listShopListings(shop, { state: 'active', limit: 1, offset: 1 });
    expect(page.results.map(({ listing_id }) => listing_id)).toEqual([first]);
    expect(page.results[0]?.images.map(({ rank }) => rank)).toEqual([1, 2, 3]);
    expect(page.count).toBeGreaterThan(1);
    const inactive = await client.listShopListings(shop, { state: 'inactive', limit: 100, offset: 0 });
    expect(inactive).toMatchObject({ count: 1, results: [{ listing_id: second }] });

    const ids = [first, second, third, 5];
    const listIds = async () =>
      (await client.listListingsById(shop, ids)).map(({ listing_id, state }) => [listing_id, state]);
    expect(await listIds()).toEqual([
      [first, 'active'],
      [third, 'active'],
    ]);
    await control('/settings', { batch_shows_inactive: true });
    expect(await listIds()).toContainEqual([second, 'inactive']);
  });
});

describe('a live listing', () => {
  it('is deactivated and reactivated, and loses translations, which are then written again', async () => {
    const listing_id = await makeManually();
    const { translations } = await client.getListingDetails(shop, listing_id);
    expect((await client.takeOffSale(shop, listing_id, 'physical')).state).toBe('inactive');
    expect((await client.getListingDetails(shop, listing_id)).translations).toEqual([]);
    expect((await client.activateListing(shop, listing_id, 'physical')).state).toBe('active');
    for (const translation of translations) {
      await client.writeTranslation(shop, listing_id, translation, { exists: false });
    }
    expect((await client.getListingDetails(shop, listing_id)).translations).toEqual(translations);
    const [german] = translations;
    if (!german) throw new Error('it has none');
    const better = { ...german, title: 'Becher & Tasse', tags: [] };
    await client.writeTranslation(shop, listing_id, better, { exists: true });
    expect((await client.getListingDetails(shop, listing_id)).translations).toContainEqual(better);
    await expect(client.writeTranslation(shop, listing_id, better, { exists: false })).rejects.toMatchObject({
      failure: 'refused',
      status: 400,
    });
  });

  it('loses fields set to null, and its translations when its title changes', async () => {
    const listing_id = await makeManually({ featured_rank: 1, item_length: 3, item_dimensions_unit: 'cm' });
    const changed = await client.updateListing(shop, listing_id, 'physical', {
      title: 'Another mug',
      shop_section_id: null,
      return_policy_id: null,
      featured_rank: null,
      item_weight: null,
      item_weight_unit: null,
      item_length: null,
      item_dimensions_unit: null,
    });
    expect(changed).toMatchObject({
      title: 'Another mug',
      shop_section_id: null,
      return_policy_id: null,
      featured_rank: null,
      item_weight: null,
      item_weight_unit: null,
      item_length: null,
      item_dimensions_unit: null,
    });
    expect((await client.getListingDetails(shop, listing_id)).translations).toEqual([]);
  });

  it('changes its photos: order, alternative texts, one removed and restored', async () => {
    const listing_id = await makeManually();
    const details = await client.getListingDetails(shop, listing_id);
    const [first = 0, second = 0, third = 0] = toIds(details);
    const read = async () => toIds(await client.getListingDetails(shop, listing_id));
    await client.updateListing(shop, listing_id, 'physical', { image_ids: [third, first, second] });
    expect(await read()).toEqual([third, first, second]);
    await client.deleteImage(shop, listing_id, first);
    expect(await read()).toEqual([third, second]);
    await expect(client.deleteImage(shop, listing_id, first)).rejects.toMatchObject({ failure: 'not_found' });
    const back = { listing_image_id: first, rank: 1, alt_text: 'Salt & pepper' };
    expect(await client.updateImage(shop, listing_id, back)).toMatchObject(back);
    const photo = await fixture('photo-01.jpg', 'image/jpeg');
    const fresh = await client.uploadImage(shop, listing_id, photo, { rank: 2, alt_text: '"new"' });
    expect(fresh).toMatchObject({ rank: 2, alt_text: '"new"' });
    expect(await read()).toEqual([first, fresh.listing_image_id, third, second]);
    // Removing a photo also removed the link to its glaze.
    expect(await client.listVariationImages(shop, listing_id)).toMatchObject([{ image_id: second }]);
  });

  it('changes its videos', async () => {
    const listing_id = await makeManually();
    const clip = await fixture('clip.mp4', 'video/mp4');
    const [first, second] = [
      await client.uploadVideo(shop, listing_id, clip),
      await client.uploadVideo(shop, listing_id, clip),
    ];
    await client.deleteVideo(shop, listing_id, first.video_id);
    expect(await client.listVideos(shop, listing_id)).toEqual([second]);
    expect(await client.attachVideo(shop, listing_id, first.video_id)).toEqual(first);
    expect(await client.listVideos(shop, listing_id)).toEqual([second, first]);
    await expect(client.uploadVideo(shop, listing_id, clip)).rejects.toMatchObject({ status: 409 });
  });

  it('changes its digital files, and becomes physical without the last one', async () => {
    const listing_id = await makeManually({ is_plain: true });
    const photo = await fixture('photo-01.jpg', 'image/jpeg');
    const [first, second] = [
      await client.uploadFile(shop, listing_id, { ...photo, filename: 'a.jpg' }, 1),
      await client.uploadFile(shop, listing_id, { ...photo, filename: 'b.jpg' }, 2),
    ];
    await client.deleteFile(shop, listing_id, first.listing_file_id);
    expect(await client.attachFile(shop, listing_id, first.listing_file_id, 2)).toEqual({
      ...first,
      rank: 2,
    });
    const files = await client.listFiles(shop, listing_id);
    expect(files.map(({ filename }) => filename)).toEqual(['b.jpg', 'a.jpg']);
    expect((await client.getListing(shop, listing_id)).listing_type).toBe('digital');
    await client.deleteFile(shop, listing_id, first.listing_file_id);
    await client.deleteFile(shop, listing_id, second.listing_file_id);
    expect((await client.getListing(shop, listing_id)).listing_type).toBe('physical');
  });

  it('changes its attributes, and its questions without replacing them', async () => {
    const listing_id = await makeManually();
    await client.deleteAttribute(shop, listing_id, 185);
    expect(await client.listAttributes(shop, listing_id)).toEqual([]);
    await expect(client.deleteAttribute(shop, listing_id, 185)).rejects.toMatchObject({ status: 404 });

    const { questions } = await client.getListingDetails(shop, listing_id);
    const [name, ribbon] = questions;
    if (!name || !ribbon) throw new Error('it has two questions');
    const wanted = [
      { ...ribbon, required: true, options: [...ribbon.options, { option_id: null, label: 'Silk & lace' }] },
      { ...name, add_on_price: 4 },
      buildQuestion({
        question_type: 'unlabeled_upload',
        max_allowed_characters: null,
        max_allowed_files: 2,
      }),
    ];
    await client.updateQuestions(shop, listing_id, wanted);
    const stored = (await client.getListingDetails(shop, listing_id)).questions;
    expect(stored).toMatchObject([
      { question_id: ribbon.question_id, required: true },
      { question_id: name.question_id, add_on_price: 4 },
      { question_type: 'unlabeled_upload', max_allowed_files: 2 },
    ]);
    expect(stored[0]?.options.slice(0, 3)).toEqual(ribbon.options);
    expect(stored[0]?.options.map(({ label }) => label)).toEqual(['None', 'Red', 'Linen', 'Silk & lace']);
    await client.deletePersonalization(shop, listing_id);
    expect((await client.getListingDetails(shop, listing_id)).questions).toEqual([]);
  });

  it('accepts an inventory of three variations as it was read, and loses the photos of variations with it', async () => {
    const variations = [
      { property_id: 513, name: 'Glaze', values: ['Sand', 'Moss'] },
      { property_id: 514, name: 'Size', values: ['Small', 'Large'] },
      { property_id: 507, values: ['Clay', 'Glass'] },
    ];
    const listing_id = await makeManually({ variations });
    const before = await client.getInventory(shop, listing_id);
    const changed: Inventory = {
      ...before,
      price_on_property: [513, 514, 507],
      products: before.products.map((product, index) => (index === 0 ? { ...product, price: 50 } : product)),
    };
    expect(await client.updateInventory(shop, listing_id, changed)).toEqual(changed);

    const other = await makeManually();
    expect(await client.listVariationImages(shop, other)).toHaveLength(2);
    const inventory = await client.getInventory(shop, other);
    await client.updateInventory(shop, other, inventory);
    expect(await client.listVariationImages(shop, other)).toEqual([]);
  });

  it('expires, and is sold out', async () => {
    const [ended, sold] = [await makeManually(), await makeManually({ is_plain: true })];
    await control('/clock', { advance_ms: 120 * 24 * 3600 * 1000, listing_ids: [ended] });
    expect(await control(`/listings/${sold}/sell`, { quantity: 5 })).toMatchObject({ state: 'sold_out' });
    const answered = await client.getListing(shop, ended);
    expect(answered.state).toBe('expired');
    expect(answered.ends_at_epoch_s).toBeLessThanOrEqual(Date.now() / 1000);
    expect(await client.getListing(shop, sold)).toMatchObject({ state: 'sold_out', quantity: 0 });
    expect(await client.activateListing(shop, sold, 'physical')).toMatchObject({
      state: 'active',
      quantity: 1,
    });
  });
});

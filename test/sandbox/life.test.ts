import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAddon } from '../../src/sqlite.js';
import {
  buildPng,
  CLAY,
  CLAY_READINESS,
  CLAY_RETURNS,
  fileParts,
  imageParts,
  NORD,
  openRig,
  pluck,
} from './harness.js';
import type { Rig } from './harness.js';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-life-'));
let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
beforeEach(() => rig.control('POST', '/reset'));
afterAll(async () => {
  await rig.sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const FOUR_MONTHS_MS = 120 * 24 * 3600 * 1000;
const pathOf = (listing_id: number) => `/shops/${CLAY.shop_id}/listings/${listing_id}`;
const read = async (listing_id: number, includes = '') =>
  (await rig.call('GET', `/listings/${listing_id}?includes=${includes}`)).body;
const readInventory = async (listing_id: number) =>
  (await rig.call('GET', `/listings/${listing_id}/inventory`)).body;
const update = (listing_id: number, form: Record<string, string>) =>
  rig.call('PATCH', pathOf(listing_id), { form });
const make = async (body: object = {}): Promise<number> => {
  const made = await rig.control('POST', '/listings', { shop_id: CLAY.shop_id, ...body });
  expect(made).toMatchObject({ status: 200 });
  return made.body.listing_ids[0];
};
const edit = (listing_id: number, body: object) => rig.control('POST', `/listings/${listing_id}/edit`, body);
const sell = (listing_id: number, body: object = {}) =>
  rig.control('POST', `/listings/${listing_id}/sell`, body);
const passTime = (advance_ms: number, listing_ids?: number[]) =>
  rig.control('POST', '/clock', { advance_ms, ...(listing_ids && { listing_ids }) });
const listFees = async (listing_id: number) => {
  const fees: { listing_id: number; kind: string; amount: number }[] = (await rig.control('GET', '/state'))
    .body.fees;
  return fees.filter((fee) => fee.listing_id === listing_id).map(({ kind, amount }) => `${kind} ${amount}`);
};

const withoutOrigin = (body: unknown) => JSON.stringify(body).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');

describe('the passing of time', () => {
  it('ends a listing after four months, but no draft and no listing before its end', async () => {
    const [ended, running] = [await make(), await make()];
    const draft = await rig.createMug();
    expect((await passTime(FOUR_MONTHS_MS - 60_000)).status).toBe(200);
    expect((await read(ended)).state).toBe('active');
    await passTime(120_000, [ended]);
    const answered = await read(ended);
    expect(answered).toMatchObject({ state: 'expired', state_timestamp: answered.ending_timestamp });
    expect(answered.ending_timestamp).toBeLessThan(Date.now() / 1000);
    expect(answered.updated_timestamp).toBeGreaterThan(answered.ending_timestamp);
    expect((await read(running)).state).toBe('active');
    await passTime(120_000, [draft]);
    expect((await read(draft)).state).toBe('draft');
    const expired = await rig.call('GET', `/shops/${CLAY.shop_id}/listings?state=expired`);
    expect(pluck(expired.body.results, 'listing_id')).toEqual([ended]);
    expect(await listFees(ended)).toEqual([]);

    expect((await update(ended, { state: 'active' })).body).toMatchObject({ state: 'active', quantity: 30 });
    expect(await listFees(ended)).toEqual(['renewal 20']);
    expect((await read(ended)).ending_timestamp - Date.now() / 1000).toBeGreaterThan(119 * 24 * 3600);
  });

  it('renews listings with automatic renewal, for a fee every four months', async () => {
    const listing_id = await make({ should_auto_renew: true });
    await passTime(FOUR_MONTHS_MS * 2 + 60_000);
    const answered = await read(listing_id);
    expect(answered.state).toBe('active');
    expect(answered.ending_timestamp).toBeGreaterThan(Date.now() / 1000);
    expect(await listFees(listing_id)).toEqual(['renewal 20', 'renewal 20']);
  });

  it('allows a free reactivation within the four months, and one for a fee afterwards', async () => {
    const listing_id = await make();
    await update(listing_id, { state: 'inactive' });
    await passTime(FOUR_MONTHS_MS / 2);
    expect((await update(listing_id, { state: 'active' })).body.state).toBe('active');
    expect(await listFees(listing_id)).toEqual([]);
    await update(listing_id, { state: 'inactive' });
    await passTime(FOUR_MONTHS_MS);
    expect((await read(listing_id)).state).toBe('inactive');
    expect((await update(listing_id, { state: 'active' })).body.state).toBe('active');
    expect(await listFees(listing_id)).toEqual(['renewal 20']);
  });

  it('does not end the seeded listings', async () => {
    const search = async () => (await rig.call('GET', '/listings/active?keywords=mug')).body;
    const before = await search();
    await passTime(FOUR_MONTHS_MS * 5);
    const after = await search();
    expect(after.count).toBe(before.count);
    expect(after.results[0].ending_timestamp).toBeGreaterThan(Date.now() / 1000);
    expect((await rig.control('GET', '/state')).body.fees).toEqual([]);
  });
});

describe('a sale', () => {
  it('reduces the stock of the product bought, and the last one sells the listing out', async () => {
    const listing_id = await make({ products: [{ values: { Glaze: 'Moss', Size: 'Large' }, quantity: 2 }] });
    const sku = `MUG-${listing_id}-6`;
    const sold = await sell(listing_id, { sku, quantity: 2 });
    expect(sold.body).toMatchObject({ shop_id: CLAY.shop_id, is_paid: true, state: 'active', quantity: 25 });
    const receipt = await rig.call('GET', `/shops/${CLAY.shop_id}/receipts/${sold.body.receipt_id}`);
    expect(receipt.body.transactions).toMatchObject([{ sku, quantity: 2, listing_id }]);
    expect((await sell(listing_id, { sku })).status).toBe(400);
    for (let left = 5; left > 0; left -= 1) {
      const { products } = await readInventory(listing_id);
      const product = products[5 - left];
      expect((await sell(listing_id, { sku: product.sku, quantity: 5 })).status).toBe(200);
    }
    expect(await read(listing_id)).toMatchObject({ state: 'sold_out', quantity: 0 });
    expect((await sell(listing_id)).status).toBe(400);

    expect((await update(listing_id, { state: 'active' })).body).toMatchObject({
      state: 'active',
      quantity: 1,
    });
    const { products } = await readInventory(listing_id);
    const stock = products.map(
      ({ offerings }: { offerings: { quantity: number }[] }) => offerings[0]?.quantity,
    );
    expect(stock).toEqual([1, 0, 0, 0, 0, 0]);
    expect(await listFees(listing_id)).toEqual(['renewal 20']);
  });

  it('reduces the stock of all products that share one quantity', async () => {
    const listing_id = await make();
    const products = ['Sand', 'Moss'].flatMap((glaze) =>
      ['Small', 'Large'].map((size) => ({
        property_values: [
          { property_id: 513, property_name: 'Glaze', value_ids: [], values: [glaze] },
          { property_id: 514, property_name: 'Size', value_ids: [], values: [size] },
        ],
        offerings: [{ price: 20, quantity: 3, is_enabled: true, readiness_state_id: CLAY_READINESS }],
      })),
    );
    const json = { products, quantity_on_property: [513] };
    expect((await rig.call('PUT', `/listings/${listing_id}/inventory`, { json })).status).toBe(200);
    await sell(listing_id, { values: { Glaze: 'Sand', Size: 'Small' } });
    const after = await readInventory(listing_id);
    const stock = after.products.map(
      ({ offerings }: { offerings: { quantity: number }[] }) => offerings[0]?.quantity,
    );
    expect(stock).toEqual([2, 2, 3, 3]);
  });
});

describe('a listing made on the marketplace', () => {
  it('is complete: variations with photos, alternative texts, attributes, questions, translations', async () => {
    const listing_id = await make();
    const answered = await read(listing_id, 'Images,Translations,Personalization');
    expect(answered).toMatchObject({
      state: 'active',
      has_variations: true,
      quantity: 30,
      price: { amount: 2000 },
      is_personalizable: true,
      return_policy_id: CLAY_RETURNS,
      translations: { de: { title: 'Becher aus Steinzeug' }, fr: { tags: ['tasse', 'grès'] }, it: null },
    });
    expect(answered.skus).toEqual([1, 2, 3, 4, 5, 6].map((index) => `MUG-${listing_id}-${index}`));
    expect(pluck(answered.images, 'alt_text')).toEqual(
      [1, 2, 3].map((index) => `The mug, view ${index} & details`),
    );
    expect(pluck(answered.personalization.personalization_questions, 'question_type')).toEqual([
      'text_input',
      'dropdown',
    ]);
    const own = pathOf(listing_id);
    const variation_images = await rig.call('GET', `${own}/variation-images`);
    expect(pluck(variation_images.body.results, 'value')).toEqual(['Sand', 'Moss']);
    const properties = await rig.call('GET', `${own}/properties`);
    expect(properties.body.results).toMatchObject([
      { property_id: 185, values: ['12'], scale_name: 'Fluid ounces' },
    ]);
    const inventory = await readInventory(listing_id);
    expect(inventory).toMatchObject({ price_on_property: [514], quantity_on_property: [513, 514] });
    const picture = await fetch(answered.images[0].url_fullxfull);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(await listFees(listing_id)).toEqual([]);
  });

  it('is plain, or has the given fields, or is one of many', async () => {
    const plain = await read(await make({ is_plain: true, title: 'Bowl', state: 'draft' }), 'Images');
    expect(plain).toMatchObject({
      title: 'Bowl',
      state: 'draft',
      has_variations: false,
      is_personalizable: false,
    });
    expect(plain.images).toHaveLength(1);
    const variations = [
      { property_id: 513, name: 'A', values: ['1', '2'] },
      { property_id: 514, name: 'B', values: ['1', '2'] },
      { property_id: 507, values: ['Clay', 'Glass'] },
    ];
    const third = await readInventory(await make({ variations }));
    expect(third.products).toHaveLength(8);
    const many = await rig.control('POST', '/listings', {
      shop_id: NORD.shop_id,
      count: 100,
      is_plain: true,
    });
    expect(many.body.listing_ids).toHaveLength(100);
    expect((await read(many.body.listing_ids[99])).title).toBe('Stoneware Mug 100');
    expect((await rig.control('POST', '/listings', { shop_id: CLAY.shop_id, titel: 'x' })).status).toBe(400);
    expect((await rig.control('POST', '/listings', { shop_id: 1 })).status).toBe(404);
  });
});

describe('a manual edit', () => {
  it('changes exactly the named fields, and the last-modified time', async () => {
    const listing_id = await make();
    const before = await read(listing_id, 'Images,Translations,Personalization');
    const inventory = await readInventory(listing_id);
    const [first, second] = pluck(before.images, 'listing_image_id');
    const changed = await edit(listing_id, {
      title: 'By hand',
      tags: ['hand'],
      shop_section_id: null,
      products: [
        { sku: `MUG-${listing_id}-2`, price: 99.5, sku_new: 'NEW' },
        { values: { Glaze: 'Moss', Size: 'Small' }, quantity: 1, is_enabled: false },
      ],
      images: [
        { listing_image_id: second },
        { alt_text: 'a new one' },
        { listing_image_id: first, alt_text: 'other' },
      ],
      attributes: { 185: null, 200: { value_ids: [3], values: ['Blue'] } },
      translations: { de: { title: 'Von Hand', description: 'x' }, fr: null },
      personalization: null,
      variation_images: null,
      state: 'inactive',
    });
    expect(changed).toMatchObject({ status: 200, body: { listing_id } });
    const after = await read(listing_id, 'Images,Translations,Personalization');
    expect(after).toMatchObject({
      title: 'By hand',
      description: before.description,
      tags: ['hand'],
      shop_section_id: null,
      state: 'inactive',
      is_personalizable: false,
      quantity: 25,
      translations: { de: { title: 'Von Hand', tags: [] }, fr: null },
    });
    expect(after.updated_timestamp).toBeGreaterThanOrEqual(before.updated_timestamp);
    expect(pluck(after.images, 'alt_text')).toEqual(['The mug, view 2 & details', 'a new one', 'other']);
    const { products } = await readInventory(listing_id);
    expect(products[1]).toMatchObject({ sku: 'NEW', offerings: [{ price: { amount: 9950 }, quantity: 5 }] });
    expect(products[3]).toMatchObject({ offerings: [{ quantity: 1, is_enabled: false }] });
    expect(pluck(products, 'product_id')).toEqual(pluck(inventory.products, 'product_id'));
    const properties = await rig.call('GET', `${pathOf(listing_id)}/properties`);
    expect(pluck(properties.body.results, 'property_id')).toEqual([200]);
    expect((await rig.call('GET', `${pathOf(listing_id)}/variation-images`)).body.count).toBe(0);
  });

  it('adds files to a digital listing and removes some', async () => {
    const listing_id = await rig.createMug();
    const own = `${pathOf(listing_id)}/files`;
    const list = async () => pluck((await rig.call('GET', own)).body.results, 'filename');
    // A physical one has none.
    expect((await edit(listing_id, { files: [{ name: 'b.txt' }] })).status).toBe(400);
    const sent = await rig.call('POST', own, {
      parts: fileParts('file', Buffer.from('x'), 'a.pdf', { name: 'a.pdf' }),
    });
    const { listing_file_id } = sent.body;
    expect((await edit(listing_id, { files: [{ name: 'b.txt' }, { listing_file_id }] })).status).toBe(200);
    expect(await list()).toEqual(['b.txt', 'a.pdf']);
    expect((await edit(listing_id, { files: [{ listing_file_id }] })).status).toBe(200);
    expect(await list()).toEqual(['a.pdf']);
    expect((await edit(listing_id, { files: [] })).status).toBe(400);
    expect((await edit(listing_id, { files: [{ listing_file_id: 1 }] })).status).toBe(400);
    expect(await list()).toEqual(['a.pdf']);
  });

  it('is refused if it would silently do nothing', async () => {
    const listing_id = await make();
    for (const body of [
      { titel: 'x' },
      { title: 5 },
      { products: [{ sku: 'none', price: 1 }] },
      { products: [{ price: 1 }] },
      { images: [{ listing_image_id: 1 }] },
      { translations: { xx: null } },
      { attributes: { 1: null } },
      { state: 'sold' },
      { variation_images: [{ property_id: 513, value: 'Blue', listing_image_id: 1 }] },
    ]) {
      expect([body, (await edit(listing_id, body)).status]).toEqual([body, 400]);
    }
    expect((await edit(1, { title: 'x' })).status).toBe(404);
    expect((await read(listing_id)).title).toBe('Stoneware Mug');
  });

  it('can set any state, with consistent fields', async () => {
    const listing_id = await make();
    await edit(listing_id, { state: 'sold_out' });
    expect(await read(listing_id)).toMatchObject({ state: 'sold_out', quantity: 0 });
    await edit(listing_id, { state: 'expired' });
    expect((await read(listing_id)).ending_timestamp).toBeLessThanOrEqual(Date.now() / 1000);
    await edit(listing_id, { state: 'active' });
    expect((await read(listing_id)).state).toBe('active');
    await edit(listing_id, { ends_at_epoch_s: 1_700_000_000 });
    expect((await read(listing_id)).state).toBe('expired');
  });
});

it('everything survives a restart, also in a file of the previous version', async () => {
  const database_file = join(folder, 'kept.db');
  const first = await openRig({ database_file });
  const made = await first.control('POST', '/listings', { shop_id: CLAY.shop_id });
  const listing_id: number = made.body.listing_ids[0];
  // A photo processed in between would differ.
  await first.control('POST', '/settings', { batch_shows_inactive: true, image_processing_ms: 0 });
  await first.call('POST', `/shops/${CLAY.shop_id}/listings/${listing_id}/images`, {
    parts: imageParts(buildPng(3)),
  });
  const before = await first.call(
    'GET',
    `/listings/${listing_id}?includes=Images,Translations,Personalization`,
  );
  await first.sandbox.close();
  // In the form in which the previous version made it.
  const older = openAddon(database_file);
  const version = older.pragma('user_version', { simple: true });
  expect(version).toBeGreaterThan(2);
  older.exec('DROP INDEX listings_by_end; PRAGMA user_version = 2');
  older.close();

  const second = await openRig({ database_file });
  const after = await second.call(
    'GET',
    `/listings/${listing_id}?includes=Images,Translations,Personalization`,
  );
  expect(withoutOrigin(after.body)).toBe(withoutOrigin(before.body));
  await second.control('POST', '/clock', { advance_ms: FOUR_MONTHS_MS });
  const batch = await second.call('GET', `/listings/batch?listing_ids=${listing_id}`);
  expect(pluck(batch.body.results, 'state')).toEqual(['expired']);
  await second.sandbox.close();
  const opened = openAddon(database_file, { readonly: true });
  expect(opened.pragma('user_version', { simple: true })).toBe(version);
  expect(opened.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'listings_by_end'`).get()).toBeDefined();
  opened.close();
});

import type { ListingJobResult, UpdateResult } from '../../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildMug, startService, TARGETS, upload, type TestService } from '../../../service.js';

/* A shop the listing was copied to with changes, when the listing is updated later. */

type World = { listings: { shop_id: number; fields: { title: string; description: string } }[] };

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const { clay, linen } = TARGETS;
const OWN = { listing: { title: 'Linen mug', description: 'Of the second shop.' } };

/** A draft, or only saved, in the first shop, and saved for the second with its own texts. */
async function makeCopied(title: string, state = 'publish', changes: object = OWN) {
  const mug = buildMug([clay], { state, images: [{ url: await upload(service, 'photo-01.jpg') }] });
  const request = { ...mug, listing: { ...mug.listing, title } };
  const { listing_pk } = await service.call<ListingJobResult>('listing_create', request);
  await service.call('listing_copy', { listing_pk, shops: [{ ...linen, price: 21 }], changes });
  return listing_pk;
}
const update = (listing_pk: number | undefined, changes: object, more: object = {}) =>
  service.call<UpdateResult>('listing_update', { listing_pk, changes, ...more });
const publish = (listing_pk: number | undefined) =>
  service.call<ListingJobResult>('listing_publish', { listing_pk, state: 'publish' });

/** Title and description in each shop. */
async function look({ results = [] }: ListingJobResult, shops: readonly object[] = [clay, linen]) {
  const { listings } = await service.control<World>('GET', '/state');
  const ids = new Set(results.map(({ listing_id }) => listing_id));
  expect(results.map(({ status }) => status)).not.toContain('error');
  return shops.map((shop) => {
    const own = listings.filter(
      (one) =>
        'shop_id' in shop &&
        one.shop_id === shop.shop_id &&
        ids.has((one as { listing_id?: number }).listing_id),
    );
    return own.map(({ fields: { title, description } }) => [title, description]);
  });
}

describe('a later update of all shops', () => {
  it('reaches a shop with its own value of the field before the listing is there', async () => {
    const listing_pk = await makeCopied('Mug one');
    const { results } = await update(listing_pk, { listing: { title: 'Mug for all' } });
    expect(results?.[0]?.warnings?.map(({ code }) => code)).toContain('not_there_yet');
    expect(await look(await publish(listing_pk))).toEqual([
      [['Mug for all', 'A mug.']],
      [['Mug for all', 'Of the second shop.']],
    ]);
  });

  it('reaches it if no shop has the listing yet', async () => {
    const listing_pk = await makeCopied('Mug two', 'draft');
    await update(listing_pk, { listing: { title: 'Second for all' } });
    expect(await look(await publish(listing_pk))).toEqual([
      [['Second for all', 'A mug.']],
      [['Second for all', 'Of the second shop.']],
    ]);
  });

  it('is undone there, too', async () => {
    const listing_pk = await makeCopied('Mug three');
    await update(listing_pk, { listing: { title: 'Third for all' } });
    await service.call('listing_undo', { listing_pk });
    expect(await look(await publish(listing_pk))).toEqual([
      [['Mug three', 'A mug.']],
      [['Linen mug', 'Of the second shop.']],
    ]);
  });

  it('does not leave its old value behind in a shop that has the listing', async () => {
    const listing_pk = await makeCopied('Mug four');
    await publish(listing_pk);
    await update(listing_pk, { listing: { title: 'Fourth for all' } });
    const { account_id } = await service.app.core.accounts.getDefault();
    const publications = await service.app.store.listings.listPublications(account_id, listing_pk ?? 0);
    expect(publications.map(({ shop_id, progress }) => [shop_id, progress.changes])).toEqual([
      [clay.shop_id, undefined],
      [linen.shop_id, { listing: { description: 'Of the second shop.' } }],
    ]);
  });
});

const glazes = (prices: (number | undefined)[]) => ({
  properties: [{ property_id: 513, name: 'Glaze', values: ['Sand', 'Moss'] }],
  offerings: ['Sand', 'Moss'].map((glaze, index) => ({ glaze, price: prices[index], quantity: 2 })),
});

describe('a later update of prices of combinations', () => {
  it('leaves the other prices of a shop its own', async () => {
    const mug = buildMug([clay], { state: 'publish', variations: glazes([30, 31]) });
    const { listing_pk } = await service.call<ListingJobResult>('listing_create', mug);
    const changes = { offerings: [20, 21].map((price, at) => ({ glaze: ['Sand', 'Moss'][at], price })) };
    await service.call('listing_copy', { listing_pk, shops: [linen], changes });
    await update(listing_pk, { offerings: [{ glaze: 'Moss', price: 25 }] });
    await publish(listing_pk);
    const { listings } = await service.control<{
      listings: { shop_id: number; inventory: { products: { offering: { price_amount: number } }[] } }[];
    }>('GET', '/state');
    const prices = listings
      .filter(({ inventory }) => inventory.products.length === 2)
      .map(({ shop_id, inventory }) => [
        shop_id,
        inventory.products.map(({ offering }) => offering.price_amount),
      ]);
    expect(prices).toEqual([
      [clay.shop_id, [3000, 2500]],
      [linen.shop_id, [2000, 2500]],
    ]);
  });

  it('reports a combination that a shop does not have', async () => {
    const mug = buildMug([clay], { state: 'publish', variations: glazes([40, 41]) });
    const { listing_pk } = await service.call<ListingJobResult>('listing_create', {
      ...mug,
      idempotency_key: 'other-glazes',
    });
    const variations = {
      properties: [{ property_id: 513, name: 'Glaze', values: ['Sand'] }],
      offerings: [{ glaze: 'Sand', price: 20, quantity: 2 }],
    };
    await service.call('listing_copy', { listing_pk, shops: [linen], changes: { variations } });
    const { results } = await update(listing_pk, { offerings: [{ glaze: 'Moss', price: 45 }] });
    const [result] = results ?? [];
    expect(result?.warnings?.map(({ code }) => code)).toEqual(['not_there_yet', 'no_such_offering']);
  });
});

describe('an update limited to shops that do not have the listing yet', () => {
  it('applies only to them, so that their own mistakes can be fixed', async () => {
    const images = [{ url: 'http://127.0.0.1:9/gone.jpg' }];
    const listing_pk = await makeCopied('Mug five', 'publish', { ...OWN, images });
    const failed = await service.refuse('listing_publish', { listing_pk, state: 'publish' });
    expect(failed.message).toContain('images[0].url');
    const mended = { images: [{ url: await upload(service, 'photo-02.jpg') }], listing: { title: 'Mended' } };
    const dry = await update(listing_pk, mended, { shops: [linen.shop_id], dry_run: true });
    expect(dry.shops?.map(({ shop_id, diff }) => [shop_id, diff?.map(({ field }) => field)])).toEqual([
      [String(linen.shop_id), expect.arrayContaining(['listing.title'])],
    ]);
    const calls = async () =>
      (await service.control<{ calls: Record<string, number> }>('GET', '/state')).calls['updateListing'];
    const before = await calls();
    const answer = await update(listing_pk, mended, { shops: [linen.shop_id] });
    expect(answer.message).toContain('nothing was sent');
    expect(await calls()).toBe(before);
    expect(await look(await publish(listing_pk))).toEqual([
      [['Mug five', 'A mug.']],
      [['Mended', 'Of the second shop.']],
    ]);
  });
});

/** The draft is created, the answer is lost, and no search finds the draft. */
const LOST = [
  { operation: 'createDraftListing', times: 1, action: { type: 'commit_then_reset' } },
  { operation: 'getListingsByShop', times: 1_000, action: { type: 'status', status: 503 } },
];

it("keeps a shop's own values while it is unknown whether it has the listing", async () => {
  const listing_pk = await makeCopied('Mug six');
  const count = async () =>
    (await service.control<World>('GET', `/state?shop_id=${linen.shop_id}`)).listings.length;
  const before = await count();
  await service.control('POST', '/faults', {
    rules: LOST.map((rule) => ({ ...rule, shop_id: linen.shop_id })),
  });
  const { results } = await publish(listing_pk);
  await service.control('DELETE', '/faults');
  expect(results?.map(({ status }) => status)).toContain('error');

  const words = { listing: { title: 'Sixth for all' } };
  for (const more of [{}, { shops: [linen.shop_id] }, { shops: [linen.shop_id], dry_run: true }]) {
    const { code, message } = await service.refuse('listing_update', { listing_pk, changes: words, ...more });
    expect(code).toBe('LISTING_BUSY');
    expect(message).toContain(`shop ${linen.shop_id}`);
  }
  // The shop has its own texts, so those of the others are not searched for.
  const done = await update(listing_pk, words, { shops: [clay.shop_id] });
  expect(done.results).toMatchObject([{ status: 'ok' }]);
  await publish(listing_pk);
  expect(await count()).toBe(before + 1);
});

it('keeps a file of only one shop while the listing names it there', async () => {
  const own = await upload(service, 'photo-02.jpg');
  const { account_id } = await service.app.core.accounts.getDefault();
  const upload_id = /^service-upload:\/\/([^/]+)/.exec(own)?.[1] ?? '';
  const listing_pk = await makeCopied('Mug with a photo of its own', 'draft', { images: [{ url: own }] });
  const isKept = async () => (await service.app.core.uploads.deleteUnused(account_id, upload_id)) === 'used';
  expect(await isKept()).toBe(true);
  await update(listing_pk, { listing: { title: 'Mug with a photo, changed' } });
  expect(await isKept()).toBe(true);
});

it("refuses an update that fits the listing but not a shop's own values, and saves nothing", async () => {
  const sized = {
    properties: [{ property_id: 513, name: 'Size', values: ['S', 'L'] }],
    offerings: [
      { size: 'S', price: 20, quantity: 1 },
      { size: 'L', price: 25, quantity: 1 },
    ],
  };
  const colored = {
    properties: [{ property_id: 514, name: 'Color', values: ['Red', 'Blue'] }],
    offerings: [
      { color: 'Red', price: 20, quantity: 1 },
      { color: 'Blue', price: 25, quantity: 1 },
    ],
  };
  const mug = buildMug([clay], { state: 'draft' });
  const { price: _, quantity: __, ...listing } = mug.listing;
  const { listing_pk } = await service.call<ListingJobResult>('listing_create', {
    ...mug,
    listing: { ...listing, title: 'Sized mug' },
    variations: sized,
  });
  await service.call('listing_copy', { listing_pk, shops: [linen], changes: { variations: colored } });
  const before = await service.call('listing_get', { listing_pk });
  const offerings = [{ size: 'S', price: 30, quantity: 1 }];
  const { code, message } = await service.refuse('listing_update', {
    listing_pk,
    changes: { variations: { offerings } },
  });
  expect([code, message]).toEqual(['VALIDATION_FAILED', expect.stringContaining(`shop ${linen.shop_id}`)]);
  expect(await service.call('listing_get', { listing_pk })).toEqual(before);
});

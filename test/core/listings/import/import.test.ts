import type { ImportJobResult, ListingJobResult, UpdateResult } from '../../../answers.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  buildMug,
  CLAY,
  collectProgress,
  LINEN,
  startService,
  upload,
  type TestService,
} from '../../../service.js';

/* Listings a seller created on Etsy, imported. */

type Form = {
  shops: Record<string, unknown>[];
  listing: Record<string, unknown>;
  images: { url: string; alt_text?: string }[];
  variations: { properties: { name: string; values: string[] }[]; offerings: Record<string, unknown>[] };
} & Record<string, unknown>;
type Detail = {
  request: Form;
  status: string;
  state: string;
  warnings: { code: string; fields: string[] }[];
};
type World = { calls: Record<string, number>; listings: { listing_id: number }[]; fees: unknown[] };

let service: TestService;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

async function make(body: object = {}): Promise<number[]> {
  const made = await service.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id: CLAY.shop_id,
    ...body,
  });
  return made.listing_ids;
}
const edit = (listing_id: number, body: object) =>
  service.control('POST', `/listings/${listing_id}/edit`, body);
const take = (listing_ids: number[], more: object = {}) =>
  service.call<ImportJobResult>('listing_import', { shop_id: CLAY.shop_id, listing_ids, ...more });
const takeOne = async (listing_id: number, more: object = {}) => {
  const [result] = (await take([listing_id], more)).results;
  if (!result) throw new Error('each listing has a result');
  return result;
};
const get = (listing_pk: number | undefined) => service.call<Detail>('listing_get', { listing_pk });
const count = async () => (await service.call<{ total: number }>('listings_list')).total;
const readState = () => service.control<World>('GET', '/state');

describe('a listing created on Etsy', () => {
  it('is imported completely, with warnings about data that a request cannot express', async () => {
    const [listing_id = 0] = await make();
    const before = await readState();
    const result = await takeOne(listing_id);
    expect(result).toMatchObject({ listing_id, status: 'imported', title: 'Stoneware Mug' });
    expect(result.warnings.map(({ fields }) => fields.join())).toEqual([
      'personalization',
      'personalization',
      'personalization',
      'listing',
    ]);
    const { request, status, state } = await get(result.listing_pk);
    expect({ status, state }).toEqual({ status: 'active', state: 'active' });
    expect(request).toMatchObject({
      state: 'active',
      shops: [
        {
          shop_id: CLAY.shop_id,
          shipping_profile_id: 211740301,
          return_policy_id: 1142500101,
          processing_profile_id: 1386200000101,
          shop_section_id: 40118201,
        },
      ],
      listing: {
        title: 'Stoneware Mug',
        listing_type: 'physical',
        taxonomy_id: 1062,
        who_made: 'i_did',
        tags: ['mug', 'stoneware', 'hand thrown'],
        item_weight: 0.4,
        item_weight_unit: 'kg',
      },
      personalization: { enabled: true, is_required: false, instructions: 'Up to 20 letters', max_chars: 20 },
      category_attributes: { '185': { value_ids: [5203], values: ['12'], scale_id: 331 } },
      variations: {
        properties: [
          { property_id: 513, name: 'Glaze', values: ['Sand', 'Moss'] },
          { property_id: 514, name: 'Size', values: ['Small', 'Medium', 'Large'] },
        ],
        variation_images: { property: 'Glaze', mapping: { Sand: 0, Moss: 1 } },
      },
    });
    expect(request.variations.offerings[4]).toEqual({
      glaze: 'Moss',
      size: 'Medium',
      price: 21,
      quantity: 5,
      sku: `MUG-${listing_id}-5`,
    });
    expect(request.images.map(({ alt_text }) => alt_text)).toEqual(
      [1, 2, 3].map((view) => `The mug, view ${view} & details`),
    );
    expect(request.images.every(({ url }) => url.startsWith('service-upload://'))).toBe(true);
    const after = await readState();
    expect(after.listings).toEqual(before.listings);
    expect(after.fees).toEqual(before.fees);
  });

  it('is refreshed by a second import, which does not fetch its photos again', async () => {
    const [listing_id = 0] = await make();
    const first = await takeOne(listing_id);
    const { request: before } = await get(first.listing_pk);
    await edit(listing_id, {
      title: 'Mug by the sea',
      products: [{ sku: `MUG-${listing_id}-1`, price: 33 }],
    });
    const second = await takeOne(listing_id);
    expect(second).toMatchObject({ status: 'refreshed', listing_pk: first.listing_pk });
    expect(second.differences).toEqual([
      { field: 'listing.title', ours: 'Stoneware Mug', theirs: 'Mug by the sea' },
      { field: 'variations.offerings[Sand, Small].price', ours: 20, theirs: 33 },
    ]);
    const { request } = await get(first.listing_pk);
    expect(request.listing['title']).toBe('Mug by the sea');
    expect(request.images).toEqual(before.images);
    expect(await count()).toBe(1);
    const { total } = await service.app.core.uploads.list(await getAccount(), { limit: 50, offset: 0 });
    expect(total).toBe(3);
  });

  it('is imported once, however often the call without a key is repeated', async () => {
    const [listing_id = 0] = await make({ is_plain: true });
    const keyed = { idempotency_key: 'import-1' };
    const first = await take([listing_id], keyed);
    expect(first.warnings).toMatchObject([{ code: 'unknown_field', fields: ['idempotency_key'] }]);
    const again = await take([listing_id], keyed);
    expect(again.results).toMatchObject([{ status: 'refreshed', listing_pk: first.results[0]?.listing_pk }]);
    expect(await count()).toBe(1);
  });

  it('may have more content than a request can express', async () => {
    const [listing_id = 0] = await make({
      variations: [
        { property_id: 513, name: 'Glaze', values: ['Sand', 'Moss'] },
        { property_id: 514, name: 'Size', values: ['Small', 'Large'] },
        { property_id: 510, values: ['Plain', 'Dotted'] },
      ],
      images: Array.from({ length: 12 }, (_, index) => ({ alt_text: `view ${index}` })),
    });
    const { warnings, listing_pk } = await takeOne(listing_id);
    const outcome = warnings.map(({ reason }) => reason).join('\n');
    expect(outcome).toContain('12 photos; only the first 10 are imported');
    expect(outcome).toContain('but only two properties can be saved here');
    const { request } = await get(listing_pk);
    expect(request.images).toHaveLength(10);
    expect(request.variations).toBeUndefined();
    expect(request.listing['price']).toBeGreaterThan(0);
  });

  it('is published without sending or paying anything', async () => {
    const [listing_id = 0] = await make({ is_plain: true });
    const { listing_pk } = await takeOne(listing_id);
    const before = await readState();
    const answer = await service.call<{ results: object[] }>('listing_publish', {
      listing_pk,
      state: 'active',
    });
    expect(answer.results).toMatchObject([{ status: 'unchanged', listing_id }]);
    const after = await readState();
    expect(after.listings).toEqual(before.listings);
    expect(after.fees).toEqual(before.fees);
  });

  it('is activated by listing_publish if it is a draft there', async () => {
    const [listing_id = 0] = await make({ is_plain: true, state: 'draft' });
    const { listing_pk } = await takeOne(listing_id);
    expect(await get(listing_pk)).toMatchObject({ status: 'published', state: 'publish' });
    const answer = await service.call<{ results: object[] }>('listing_publish', {
      listing_pk,
      state: 'active',
    });
    expect(answer.results).toMatchObject([
      { status: 'ok', listing_id, activated: true, activation_cost_usd: 0.2 },
    ]);
  });
});

it('keeps the files of a digital listing made here in an update after a refresh', async () => {
  const urls = await Promise.all(
    ['pattern.pdf', 'photo-02.jpg', 'photo-03.jpg'].map((name) => upload(service, name, 'digital')),
  );
  const digital_files = urls.map((url, index) => ({ url, filename: `part-${index}.pdf` }));
  const mug = buildMug([{ shop_id: CLAY.shop_id }]);
  const made = await service.call<ListingJobResult>('listing_create', {
    ...mug,
    listing: { ...mug.listing, listing_type: 'digital', when_made: '2020_2026' },
    state: 'publish',
    digital_files: digital_files.slice(0, 2),
  });
  const listing_id = made.results?.[0]?.listing_id ?? 0;
  const listFiles = async () => {
    const { listings } = await service.control<{ listings: { listing_id: number; files: object[] }[] }>(
      'GET',
      '/state',
    );
    return listings.find((one) => one.listing_id === listing_id)?.files;
  };
  const before = await listFiles();
  expect(before).toHaveLength(2);
  expect(await takeOne(listing_id)).toMatchObject({ status: 'refreshed' });
  const { calls } = await readState();
  const { listing_pk } = made;
  const { results } = await service.call<UpdateResult>('listing_update', {
    listing_pk,
    changes: { digital_files },
  });
  expect(results).toMatchObject([{ status: 'ok' }]);
  expect(results?.[0]?.warnings?.map(({ code }) => code)).not.toContain('is_lost');
  expect((await listFiles())?.slice(0, 2)).toEqual(before);
  const after = (await readState()).calls;
  expect((after['uploadListingFile'] ?? 0) - (calls['uploadListingFile'] ?? 0)).toBe(1);
});

const getAccount = async () => (await service.app.core.accounts.getDefault()).account_id;

describe('an import of many listings', () => {
  it(
    'handles a hundred in one call, reports each as it is done, and then refreshes all',
    { timeout: 120_000 },
    async () => {
      const ids = await make({ is_plain: true, count: 100 });
      const { messages, onProgress } = collectProgress();
      const answer = await service.call<ImportJobResult>(
        'listing_import',
        { shop_id: CLAY.shop_id, listing_ids: ids },
        { onProgress },
      );
      expect(answer.results.map(({ listing_id }) => listing_id)).toEqual(ids);
      expect(new Set(answer.results.map(({ status }) => status))).toEqual(new Set(['imported']));
      expect(new Set(answer.results.map(({ listing_pk }) => listing_pk)).size).toBe(100);
      expect(messages).toHaveLength(100);
      expect(messages[0]).toMatch(/^"ClayAndOak": .* imported$/);
      const again = await take(ids);
      expect(new Set(again.results.map(({ status }) => status))).toEqual(new Set(['refreshed']));
      expect(again.results.map(({ listing_pk }) => listing_pk)).toEqual(
        answer.results.map(({ listing_pk }) => listing_pk),
      );
      expect(await count()).toBe(100);
    },
  );

  it('is answered while it still runs, and read with listing_create_status', async () => {
    const ids = await make({ is_plain: true, count: 3 });
    await service.control('POST', '/faults', {
      rules: [{ operation: 'getListing', times: 3, action: { type: 'slow', ms: 700 } }],
    });
    const early = await service.call<ImportJobResult>(
      'listing_import',
      { shop_id: CLAY.shop_id, listing_ids: ids },
      { wait_ms: 100 },
    );
    expect(early).toMatchObject({
      status: 'processing',
      results: ids.map((listing_id) => ({ listing_id, status: 'processing' })),
    });
    // The same call again waits for the same job.
    const ended = await take(ids);
    expect(ended).toMatchObject({ status: 'completed', job_id: early.job_id });
    const outcome = await service.call<ImportJobResult>('listing_create_status', { job_id: early.job_id });
    expect(outcome).toEqual(ended);
  });

  it('is not stopped by a listing that cannot be imported', async () => {
    const [mine = 0] = await make({ is_plain: true });
    const [theirs = 0] = await make({ is_plain: true, shop_id: LINEN.shop_id });
    const { results } = await take([999, mine, theirs]);
    expect(results).toMatchObject([
      { listing_id: 999, status: 'error', details: { code: 'LISTING_NOT_FOUND' } },
      { listing_id: mine, status: 'imported' },
      { listing_id: theirs, status: 'error', details: { code: 'LISTING_NOT_FOUND' } },
    ]);
    expect(await count()).toBe(1);
  });

  it('reads again what the marketplace did not answer at first', async () => {
    const [listing_id = 0] = await make({ is_plain: true });
    await service.control('POST', '/faults', {
      rules: [
        {
          operation: 'getListing',
          times: 1,
          action: { type: 'status', status: 503, body: 'away', raw: true },
        },
      ],
    });
    expect(await takeOne(listing_id)).toMatchObject({ status: 'imported' });
  });
});

async function makeTwins(there: object = {}): Promise<{ listing_pk: number | undefined; twin: number }> {
  const [listing_id = 0] = await make({
    is_plain: true,
    title: 'Twin mug',
    products: [{ sku_new: 'TWIN', price: 20 }],
  });
  const { listing_pk } = await takeOne(listing_id);
  const [twin = 0] = await make({
    is_plain: true,
    shop_id: LINEN.shop_id,
    title: 'Twin mug',
    products: [{ sku_new: 'TWIN', price: 18 }],
    ...there,
  });
  return { listing_pk, twin };
}

describe('the same product in another shop', () => {
  it('joins the listing, and differences are reported', async () => {
    const { listing_pk, twin } = await makeTwins({ tags: ['linen'] });
    const result = await takeOne(twin, { shop_id: LINEN.shop_id, join: listing_pk });
    expect(result).toMatchObject({ status: 'imported', listing_pk });
    expect(result.differences?.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['listing.tags', 'listing.price']),
    );
    const { request, status } = await get(listing_pk);
    expect(status).toBe('active');
    expect(request.shops).toMatchObject([{ shop_id: CLAY.shop_id }, { shop_id: LINEN.shop_id, price: 18 }]);
    expect(request.listing['price']).toBe(20);
    expect(await takeOne(twin, { shop_id: LINEN.shop_id })).toMatchObject({
      status: 'refreshed',
      listing_pk,
    });
    expect(await count()).toBe(1);
  });

  it('keeps its differences as overrides when it joins and when it is refreshed', async () => {
    const { listing_pk, twin } = await makeTwins({ tags: ['linen'] });
    const common = (await get(listing_pk)).request.listing;
    await takeOne(twin, { shop_id: LINEN.shop_id, join: listing_pk });
    const joined = (await get(listing_pk)).request;
    expect(joined.listing).toEqual(common);
    expect(joined.shops[1]).toMatchObject({ price: 18, overrides: { listing: { tags: ['linen'] } } });
    expect(joined.shops[0]).not.toHaveProperty('overrides');

    await edit(twin, { title: 'Linen twin' });
    const refreshed = await takeOne(twin, { shop_id: LINEN.shop_id });
    expect(refreshed.differences?.map(({ field }) => field)).toEqual(['listing.title']);
    const again = (await get(listing_pk)).request;
    expect(again.listing).toEqual(common);
    expect(again.shops[1]?.['overrides']).toEqual({ listing: { title: 'Linen twin', tags: ['linen'] } });
  });

  it('keeps an edit in the first shop out of the values that shops share', async () => {
    const { listing_pk, twin } = await makeTwins();
    await takeOne(twin, { shop_id: LINEN.shop_id, join: listing_pk });
    const { request, ...detail } = await get(listing_pk);
    const first = (detail as unknown as { shops: { listing_id: number }[] }).shops[0]?.listing_id ?? 0;
    await edit(first, { title: 'Clay twin' });
    await takeOne(first);
    const after = (await get(listing_pk)).request;
    expect(after.listing).toEqual(request.listing);
    expect(after.shops[0]?.['overrides']).toEqual({ listing: { title: 'Clay twin' } });
    expect(after.shops[1]).toEqual(request.shops[1]);
  });

  it('has its own price if the number is the same in another currency, and keeps it', async () => {
    const { listing_pk, twin } = await makeTwins({ products: [{ sku_new: 'TWIN', price: 20 }] });
    await takeOne(twin, { shop_id: LINEN.shop_id, join: listing_pk });
    const [mine, theirs] = (await get(listing_pk)).request.shops;
    expect([mine?.['price'], theirs?.['price']]).toEqual([undefined, 20]);
    await takeOne(twin, { shop_id: LINEN.shop_id });
    expect((await get(listing_pk)).request.shops[1]).toMatchObject({ price: 20 });
  });

  it.each([
    ['title', { title: 'Another mug' }, 'titles differ'],
    ['SKU', { products: [{ sku_new: 'OTHER' }] }, 'SKUs differ'],
  ])('does not join with another %s', async (_what, there, message) => {
    const { listing_pk, twin } = await makeTwins(there);
    const result = await takeOne(twin, { shop_id: LINEN.shop_id, join: listing_pk });
    expect(result).toMatchObject({ status: 'error' });
    expect(result.error).toContain(message);
    expect((await get(listing_pk)).request.shops).toHaveLength(1);
  });

  it('is refused if that shop already has one, if the listing does not exist, and for several', async () => {
    const { listing_pk, twin } = await makeTwins();
    const [second = 0] = await make({ is_plain: true, title: 'Twin mug', products: [{ sku_new: 'TWIN' }] });
    expect(await takeOne(second, { join: listing_pk })).toMatchObject({
      status: 'error',
      details: { code: 'ALREADY_IN_SHOP' },
    });
    const several = { shop_id: LINEN.shop_id, listing_ids: [twin, second], join: listing_pk };
    expect((await service.refuse('listing_import', several)).message).toContain('exactly one');
  });

  it('is refused with the path of each missing id', async () => {
    const [listing_id = 0] = await make({ is_plain: true });
    const { listing_pk } = await takeOne(listing_id);
    const { code, message } = await service.refuse('listing_import', {
      shop_id: 5,
      listing_ids: [listing_id, 7],
      join: 999,
    });
    expect(code).toBe('VALIDATION_FAILED');
    expect(message.split('\n')).toEqual([
      `shop_id: shop 5 is not connected to this account; connected: ${CLAY.shop_id} ("ClayAndOak"), ${LINEN.shop_id} ("NordLinen")`,
      'listing_ids: has 2 ids; join requires exactly one',
      `join: there is no listing 999; newest listings: ${listing_pk} ("Stoneware Mug")`,
    ]);
  });
});

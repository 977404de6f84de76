import type { ListingJobResult } from '../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShopListing } from '../../../schemas/shop_listings.js';
import { buildMug, CLAY, LINEN, listTargets, startService, upload, type TestService } from '../../service.js';

/* The listings a shop has on the marketplace, made here or not. */

type Page = { total: number; limit: number; offset: number; complete: boolean; listings: ShopListing[] };

let service: TestService;
let mug: { listing_pk: number; listing_id: number };

beforeAll(async () => {
  service = await startService();
  const [target] = await listTargets(service);
  const { listing_pk = 0, results = [] } = await service.call<ListingJobResult>('listing_create', {
    ...buildMug([target ?? {}], {
      state: 'publish',
      images: [{ url: await upload(service, 'photo-01.jpg') }],
    }),
  });
  mug = { listing_pk, listing_id: results[0]?.listing_id ?? 0 };
});
afterAll(() => service.close());

const list = (query: object = {}) =>
  service.call<Page>('store_listings', { shop_id: CLAY.shop_id, ...query });

async function readCalls(): Promise<number> {
  const { calls } = await service.control<{ calls: Record<string, number> }>('GET', '/state');
  return calls['getListingsByShop'] ?? 0;
}

async function countCalls(work: () => Promise<unknown>): Promise<number> {
  const before = await readCalls();
  await work();
  return (await readCalls()) - before;
}

describe('store_listings', () => {
  it('lists listings made elsewhere, and which managed listing each belongs to', async () => {
    const active = await list();
    expect(active.total).toBeGreaterThan(0);
    expect(active.listings.every(({ state, listing_pk }) => state === 'active' && listing_pk === null)).toBe(
      true,
    );
    const { total, listings } = await list({ state: 'draft' });
    expect(total).toBe(1);
    expect(listings[0]).toMatchObject({
      listing_id: mug.listing_id,
      listing_pk: mug.listing_pk,
      title: 'Stoneware mug',
      state: 'draft',
      price: 24.5,
      currency_code: 'USD',
      quantity: 4,
      skus: [],
      ends_at: null,
      listing_url: expect.stringContaining(String(mug.listing_id)) as string,
      image_url: expect.stringContaining('http') as string,
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
  });

  it('costs one call per page, and pages do not overlap', async () => {
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, offset: 2 });
    const ids = [...first.listings, ...second.listings].map(({ listing_id }) => listing_id);
    expect(new Set(ids).size).toBe(4);
    expect(await countCalls(() => list({ limit: 2 }))).toBe(1);
    expect(first).toMatchObject({ limit: 2, offset: 0, complete: true, total: second.total });
  });

  it('finds words in titles and tags, in any case, if all of them occur', async () => {
    const all = await list({ limit: 100 });
    const [known] = all.listings;
    const words = (known?.title ?? '').split(/\s+/).slice(0, 2);
    const found = await list({ keywords: words.join(' ').toUpperCase() });
    expect(found.listings.map(({ listing_id }) => listing_id)).toContain(known?.listing_id);
    expect(found.total).toBeLessThanOrEqual(all.total);
    expect(await list({ keywords: `${words[0]} nowhere-to-be-found` })).toMatchObject({
      total: 0,
      complete: true,
      listings: [],
    });
  });

  it('lists the connected shops for one that is not connected', async () => {
    const { code, message } = await service.refuse('store_listings', { shop_id: 1 });
    expect(code).toBe('STORE_NOT_FOUND');
    expect(message).toContain(`${CLAY.shop_id} ("${CLAY.shop_name}")`);
    expect(message).toContain(`${LINEN.shop_id} ("${LINEN.shop_name}")`);
  });

  it('refuses a state that cannot be listed', async () => {
    const { message } = await service.refuse('store_listings', { shop_id: CLAY.shop_id, state: 'removed' });
    expect(message).toBe('state: must be one of active, draft, inactive, sold_out, expired');
  });
});

import type { ImportJobResult, ListingJobResult } from '../../../answers.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  buildMug,
  CLAY,
  LINEN,
  listTargets,
  startService,
  upload,
  type TestService,
} from '../../../service.js';

/* Copies a listing of one shop to another. */

type Shown = {
  listing_id: number;
  shop_id: number;
  state: string;
  images: { rank: number; alt_text: string; sha256: string }[];
  inventory: { products: { sku: string; price: number; values: string[] }[] };
  variation_images: { value: string }[];
  properties: { property_id: number; values: string[] }[];
  personalization: unknown[];
  fields: { title: string } & Record<string, unknown>;
};
type World = { listings: Shown[]; fees: { shop_id: number }[]; calls: Record<string, number> };

let service: TestService;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const readState = () => service.control<World>('GET', '/state');
const copy = (listing_pk: number, body: object) =>
  service.call<ListingJobResult>('listing_copy', { listing_pk, ...body });
const refuse = (listing_pk: number, body: object) => service.refuse('listing_copy', { listing_pk, ...body });
const get = (listing_pk: number) =>
  service.call<{
    request: { shops: { shop_id: number }[]; listing: object };
    status: string;
    job_id: string;
  }>('listing_get', { listing_pk });

/** With an id for everything that differs in the second shop: the shipping profile and the section. */
const THERE = { shop_id: LINEN.shop_id, shipping_profile_id: 223915882, shop_section_id: null };

/** Imported: glaze and size, three photos with texts, photos of the glazes, one attribute. */
async function importMug(body: object = {}): Promise<{ listing_pk: number; listing_id: number }> {
  const { listing_ids } = await service.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id: CLAY.shop_id,
    ...body,
  });
  const { results } = await service.call<ImportJobResult>('listing_import', {
    shop_id: CLAY.shop_id,
    listing_ids,
  });
  return { listing_pk: results[0]?.listing_pk ?? 0, listing_id: listing_ids[0] ?? 0 };
}
const importPlain = (body: object = {}) => importMug({ is_plain: true, ...body });
const PRICES = {
  offerings: ['Sand', 'Moss'].flatMap((glaze) =>
    ['Small', 'Medium', 'Large'].map((size, index) => ({ glaze, size, price: 30 + index })),
  ),
};

describe('a copy', () => {
  it('is made of a listing that was published here, then partly updated, and of which not everything was read', async () => {
    const [clay] = await listTargets(service);
    const images = [{ url: await upload(service, 'photo-01.jpg') }];
    const { listing_pk = 0 } = await service.call<ListingJobResult>(
      'listing_create',
      buildMug([clay ?? {}], { state: 'publish', images }),
    );
    await service.call('listing_update', { listing_pk, changes: { offerings: [{ price: 26 }] } });
    const answer = await copy(listing_pk, { shops: [{ ...THERE, price: 28 }], state: 'publish' });
    expect(answer).toMatchObject({ status: 'completed', results: [{ status: 'ok' }] });
  });

  it('is the same product in another shop: photos with texts, variations, attributes, and settings matched by terms', async () => {
    const { listing_pk, listing_id } = await importMug();
    const before = await readState();
    const answer = await copy(listing_pk, { shops: [THERE], changes: PRICES, state: 'publish' });
    expect(answer).toMatchObject({
      status: 'completed',
      listing_pk,
      shops_count: 1,
      results: [{ status: 'ok' }],
    });
    const { listings } = await readState();
    const made = listings.find(({ shop_id, state }) => shop_id === LINEN.shop_id && state === 'draft');
    const original = listings.find((one) => one.listing_id === listing_id);
    expect(original).toEqual(before.listings.find((one) => one.listing_id === listing_id));
    expect(made?.fields.title).toBe('Stoneware Mug');
    expect(made?.images.map(({ alt_text }) => alt_text)).toEqual(
      original?.images.map(({ alt_text }) => alt_text),
    );
    expect(made?.inventory.products).toHaveLength(6);
    expect(made?.inventory.products.map(({ sku }) => sku)).toEqual(
      original?.inventory.products.map(({ sku }) => sku),
    );
    expect(made?.variation_images.map(({ value }) => value).toSorted()).toEqual(['Moss', 'Sand']);
    expect(made?.properties).toEqual(original?.properties);
    expect(made?.fields).toMatchObject({ return_policy_id: 1158300402, shipping_profile_id: 223915882 });
    const codes = answer.results?.[0]?.warnings?.map(({ code }) => code);
    expect(codes).toContain('not_copied');
    const { request, status } = await get(listing_pk);
    expect(request.shops.map(({ shop_id }) => shop_id)).toEqual([CLAY.shop_id, LINEN.shop_id]);
    expect(status).toBe('published');
  });

  it('of a listing that was made here is activated for one fee, and leaves the first shop unchanged', async () => {
    const [clay] = await listTargets(service);
    const image = await upload(service, 'photo-01.jpg');
    const made = await service.call<ListingJobResult>(
      'listing_create',
      buildMug([clay ?? {}], { state: 'active', images: [{ url: image, alt_text: 'A mug' }] }),
    );
    const { fees, calls } = await readState();
    const body = { shops: [{ ...THERE, price: 23 }], state: 'active' };
    const dry = await copy(made.listing_pk ?? 0, { ...body, dry_run: true });
    expect(dry).toMatchObject({
      status: 'valid',
      cost_usd: 0.2,
      shops: [{ currency_code: 'EUR', price: 23 }],
    });
    expect((await readState()).calls['createDraftListing']).toBe(calls['createDraftListing']);
    const answer = await copy(made.listing_pk ?? 0, body);
    expect(answer.results).toMatchObject([
      { status: 'ok', activated: true, activation_cost_usd: 0.2, price: 23 },
    ]);
    const after = await readState();
    expect(after.fees).toHaveLength(fees.length + 1);
    expect(
      after.listings.find(
        ({ shop_id, fields: { title } }) => shop_id === LINEN.shop_id && title === 'Stoneware mug',
      ),
    ).toMatchObject({
      state: 'active',
      images: [{ alt_text: 'A mug' }],
    });
    expect(await get(made.listing_pk ?? 0)).toMatchObject({ status: 'active' });
    // The same call again is the same copy.
    expect(await copy(made.listing_pk ?? 0, body)).toMatchObject({ job_id: answer.job_id });
    expect((await readState()).fees).toHaveLength(fees.length + 1);
  });

  it('that failed is finished by listing_publish with its own changes, and writes to no other shop', async () => {
    const { listing_pk, listing_id } = await importPlain();
    await service.control('POST', '/faults', {
      rules: [
        {
          operation: 'uploadListingImage',
          times: 1,
          action: { type: 'status', status: 400, body: { error: 'no' } },
        },
      ],
    });
    const changes = { listing: { title: 'Linen mug', price: 19 } };
    const first = await copy(listing_pk, { shops: [THERE], changes, state: 'active' });
    expect(first.results).toMatchObject([{ status: 'error' }]);
    expect((await get(listing_pk)).status).toBe('incomplete');
    const before = await readState();
    const answer = await service.call<ListingJobResult>('listing_publish', { listing_pk, state: 'active' });
    expect(answer.results).toMatchObject([
      { shop_id: String(LINEN.shop_id), status: 'ok', activated: true, price: 19 },
    ]);
    const { listings } = await readState();
    expect(
      listings.find(({ shop_id, fields: { title } }) => shop_id === LINEN.shop_id && title === 'Linen mug'),
    ).toMatchObject({
      state: 'active',
    });
    expect(listings.find((one) => one.listing_id === listing_id)).toEqual(
      before.listings.find((one) => one.listing_id === listing_id),
    );
    expect(await get(listing_pk)).toMatchObject({
      status: 'active',
      request: { listing: { title: 'Stoneware Mug' } },
    });
  });

  it('that is saved for later is made by listing_publish', async () => {
    const { listing_pk } = await importPlain();
    const saved = await copy(listing_pk, {
      shops: [{ ...THERE, price: 21 }],
      changes: { listing: { title: 'Saved mug' } },
    });
    expect(saved).toMatchObject({ status: 'draft', listing_pk, shops_count: 2 });
    expect((await get(listing_pk)).status).toBe('incomplete');
    const answer = await service.call<ListingJobResult>('listing_publish', { listing_pk, state: 'publish' });
    expect(answer.results).toMatchObject([{ shop_id: String(LINEN.shop_id), status: 'ok', price: 21 }]);
    expect(
      (await readState()).listings.filter(({ fields: { title } }) => title === 'Saved mug'),
    ).toHaveLength(1);
    expect((await get(listing_pk)).status).toBe('published');
  });
});

const askConsent = () => Promise.resolve('declined' as const);

describe('listing_copy', () => {
  it('refuses a shop that already has the listing', async () => {
    const { listing_pk } = await importPlain();
    const { code, message } = await refuse(listing_pk, {
      shops: [{ shop_id: CLAY.shop_id }],
      state: 'publish',
    });
    expect(code).toBe('ALREADY_IN_SHOP');
    expect(message).toContain('ClayAndOak');
    await copy(listing_pk, { shops: [{ ...THERE, price: 21 }] });
    expect((await refuse(listing_pk, { shops: [{ ...THERE, price: 22 }] })).code).toBe('ALREADY_IN_SHOP');
  });

  it('refuses another currency without its prices, and names the missing ones', async () => {
    const plain = await importPlain();
    const { message } = await refuse(plain.listing_pk, { shops: [THERE], state: 'publish' });
    expect(message).toContain('shops[0].price: is required: "NordLinen" sells in EUR');
    const varied = await importMug();
    for (const changes of [
      undefined,
      { listing: { price: 30 } },
      { offerings: PRICES.offerings.slice(0, 5) },
      { offerings: [...PRICES.offerings.slice(0, 5), ...PRICES.offerings.slice(0, 1)] },
    ]) {
      const result = await refuse(varied.listing_pk, { shops: [THERE], changes, state: 'publish' });
      expect(result.message).toContain('send the price of each combination');
    }
  });

  it('refuses settings without an exact match, and lists the choices', async () => {
    const { listing_pk } = await importMug();
    for (const state of ['draft', 'publish']) {
      const body = { shops: [{ shop_id: LINEN.shop_id }], changes: PRICES, state };
      const { code, message } = await refuse(listing_pk, body);
      expect(code).toBe('VALIDATION_FAILED');
      expect(message).toMatch(/shops\[0\]\.shipping_profile_id: .*223915882 \("Parcel"\)/);
      expect(message).toMatch(
        /shops\[0\]\.shop_section_id: .*"Mugs".*44902511 \("Table Linen"\).*null for none/,
      );
      expect(message).not.toContain('return_policy_id');
      expect(message).not.toContain('processing_profile_id');
    }
  });

  it('refuses a third variation that is not replaced, and a digital listing without its files', async () => {
    const { listing_pk } = await importMug({
      variations: [
        { property_id: 513, name: 'Glaze', values: ['Sand', 'Moss'] },
        { property_id: 514, name: 'Size', values: ['Small', 'Large'] },
        { property_id: 510, values: ['Plain', 'Dotted'] },
      ],
    });
    const { message } = await refuse(listing_pk, { shops: [{ ...THERE, price: 20 }], state: 'publish' });
    expect(message).toContain('changes.variations: cannot be copied completely');
  });

  it('refuses an invalid listing, and names where to fix it', async () => {
    const { listing_pk } = await importPlain({ title: 'Fish & Chips & Mug' });
    const body = { shops: [{ ...THERE, price: 20 }], state: 'publish' };
    expect((await refuse(listing_pk, body)).message).toContain('changes.listing.title: has & more than once');
    const mended = await copy(listing_pk, { ...body, changes: { listing: { title: 'Fish and chips mug' } } });
    expect(mended.results).toMatchObject([{ status: 'ok' }]);
  });

  it('refuses a key that came with another body, an unknown shop, no shop, and changes of shops', async () => {
    const { listing_pk } = await importPlain();
    const body = { shops: [{ ...THERE, price: 20 }], state: 'publish', idempotency_key: 'copy-1' };
    const first = await copy(listing_pk, body);
    expect((await copy(listing_pk, body)).job_id).toBe(first.job_id);
    expect((await refuse(listing_pk, { ...body, state: 'active' })).code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await refuse(listing_pk, { shops: [{ shop_id: 5 }], state: 'publish' })).message).toContain(
      'shop 5 is not connected',
    );
    expect((await refuse(listing_pk, { shops: [] })).message).toContain('shops: is empty');
    const wrong = { shops: [{ shop_id: 5 }], changes: { shops: [{ shop_id: 5, price: 3 }] } };
    expect((await refuse(listing_pk, wrong)).message).toContain('changes.shops');
    expect((await refuse(999, body)).code).toBe('LISTING_NOT_FOUND');
  });

  it('refuses a stock of 0 and combination fields for a listing without variations', async () => {
    const { listing_pk } = await importPlain();
    const changes = { offerings: [{ quantity: 0, enabled: false }] };
    const { code, message } = await refuse(listing_pk, { shops: [{ ...THERE, price: 20 }], changes });
    expect(code).toBe('VALIDATION_FAILED');
    expect(message.split('\n')).toEqual([
      'changes.offerings[0].quantity: is 0; a saved listing needs at least 1',
      'changes.offerings[0].enabled: applies only to variations, and this listing has none; omit it',
    ]);
  });

  it('refuses a fee that was declined', async () => {
    const { listing_pk } = await importPlain();
    const body = { listing_pk, shops: [{ ...THERE, price: 20 }], state: 'active' };
    expect((await service.refuse('listing_copy', body, { askConsent })).code).toBe('ACTIVATION_DECLINED');
    expect((await get(listing_pk)).request.shops).toHaveLength(1);
  });
});

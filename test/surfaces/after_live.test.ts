import type { ImportJobResult, ListingJobResult, UpdateResult } from '../answers.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countCalls, readListings, makeListing, type Made } from '../core/listings/update/rig.js';
import { buildMug, CLAY, LINEN, TARGETS, upload, type TestService } from '../service.js';
import { connectSecondAccount } from '../core/listings/import/second_account.js';
import { BOTH, startBoth, toCallers, type Caller } from './both_faces.js';

/* A listing in shops as callers see it, over REST and over MCP. */

const MINUTE_MS = 60_000;
const FOUR_MONTHS_MS = 120 * 24 * 60 * MINUTE_MS;

let both: Awaited<ReturnType<typeof startBoth>>;
let service: TestService;
let image: string;
beforeAll(async () => {
  both = await startBoth({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  ({ service } = both);
  image = await upload(service, 'photo-01.jpg');
});
afterAll(() => both.close());
afterEach(() => service.control('DELETE', '/faults'));

let second: ReturnType<typeof connectSecondAccount> | undefined;
const getSecond = () => (second ??= connectSecondAccount(service));
const strike = (...rules: object[]) => service.control('POST', '/faults', { rules });
const sell = (listing_id: number, quantity: number) =>
  service.control('POST', `/listings/${listing_id}/sell`, { quantity });
const sum = (calls: Record<string, number>) =>
  Object.values(calls).reduce((total, count) => total + count, 0);
const countFees = async () => (await service.control<{ fees: object[] }>('GET', '/state')).fees.length;

describe.each(BOTH)('over %s', (name) => {
  let api: Caller;
  let made: Made;
  let first: Made['shops'][number];
  beforeEach(async () => {
    api = both[name];
    made = await makeListing(service, { photos: 1 });
    [first = { shop_id: 0, listing_id: 0 }] = made.shops;
  });

  const update = (changes: object, more: object = {}) =>
    api.call<UpdateResult>('listing_update', { listing_pk: made.listing_pk, changes, ...more });
  const undo = (more: object = {}) =>
    api.call<UpdateResult>('listing_undo', { listing_pk: made.listing_pk, ...more });
  const publish = (more: object) =>
    api.call<ListingJobResult>('listing_publish', { listing_pk: made.listing_pk, ...more });

  describe('listing_publish with state active', () => {
    it('does not report the listing as active in a shop that deactivated it, when creation failed in another shop', async () => {
      await strike({
        operation: 'uploadListingImage',
        shop_id: LINEN.shop_id,
        times: 9,
        action: { type: 'status', status: 400, body: { error: 'not now' } },
      });
      const mug = buildMug([TARGETS.clay, TARGETS.linen], { state: 'active', images: [{ url: image }] });
      mug.listing.title = `Half over ${name}`;
      const { listing_pk, results } = await api.call<ListingJobResult>('listing_create', mug);
      expect(results).toMatchObject([{ status: 'ok' }, { status: 'error' }]);
      await service.control('DELETE', '/faults');
      await publish({ listing_pk, state: 'inactive', shops: [CLAY.shop_id] });
      const warnings = [{ code: 'not_on_sale', reason: expect.stringContaining('the listing is inactive') }];
      expect(await publish({ listing_pk, state: 'active', dry_run: true })).toMatchObject({
        cost_usd: 0.2,
        warnings,
      });
      expect(await publish({ listing_pk, state: 'active' })).toMatchObject({
        message: expect.stringContaining('1 of 1') as string,
        results: [{ shop_id: `${LINEN.shop_id}`, activated: true }],
        warnings,
      });
    });

    it('requires confirmation of the fee if the four months end within minutes, and reports the amount charged', async () => {
      const { shop_id, listing_id } = first;
      await publish({ state: 'inactive', shops: [shop_id] });
      await service.control('POST', '/clock', {
        advance_ms: FOUR_MONTHS_MS - 5 * MINUTE_MS,
        listing_ids: [listing_id],
      });
      const fees = await countFees();
      const call = { state: 'active', shops: [shop_id] };
      expect(await publish({ ...call, dry_run: true })).toMatchObject({ status: 'valid', cost_usd: 0.2 });
      const { results } = await publish(call);
      const paid = (await countFees()) - fees;
      expect(results).toMatchObject([{ status: 'ok', activation_cost_usd: paid * 0.2 }]);
    });
  });

  it('a price of a sold-out listing stays pending until an update writes it together with stock', async () => {
    const shops = [first.shop_id];
    await sell(first.listing_id, 4);
    const { results } = await update({ listing: { price: 46 } }, { shops });
    expect(results).toMatchObject([
      { status: 'ok', pending: [{ field: 'listing.price', before: 24.5, after: 46 }] },
    ]);
    expect(await publish({ state: 'active', shops, stock: 3 })).toMatchObject({
      results: [{ status: 'ok', activation_cost_usd: 0.2 }],
    });
    const [there] = await readListings(service, made);
    expect(there?.inventory.products).toMatchObject([{ offering: { price_amount: 4600, quantity: 3 } }]);
  });

  it('undoing shop by shop ends at the saved price, which a copy uses', async () => {
    await update({ listing: { price: 30 } });
    for (const { shop_id } of made.shops) await undo({ shops: [shop_id] });
    const { request } = await api.call<{ request: { listing: object; shops: object[] } }>('listing_get', {
      listing_pk: made.listing_pk,
    });
    expect(request.listing).toMatchObject({ price: 24.5 });
    for (const shop of request.shops) {
      expect(shop).not.toHaveProperty('price');
      expect(shop).not.toHaveProperty('overrides');
    }
  });

  it('stock that was sold, or reactivated here, is not reported as a difference', async () => {
    const [, second] = made.shops;
    await sell(first.listing_id, 1);
    await sell(second?.listing_id ?? 0, 4);
    await publish({ state: 'active', shops: [second?.shop_id], stock: 9 });
    await service.call('store_sync', { shop_id: first.shop_id });
    await update({ listing: { tags: ['clay'] } });
    const { shops } = await api.call<{ shops: { differs?: object }[] }>('listing_get', {
      listing_pk: made.listing_pk,
    });
    expect(shops.map(({ differs }) => differs)).toEqual([undefined, undefined]);
  });

  it.each([
    ['a price', { listing: { price: 31 } }],
    ['a title and stock', { listing: { title: 'Stoneware cup', quantity: 7 } }],
  ])('a dry run reports the calls that changing %s and undoing it make', async (_what, changes) => {
    const planned = await update(changes, { dry_run: true });
    const calls = await countCalls(service, () => update(changes));
    expect(planned.marketplace_calls).toBe(sum(calls));
    const back = await undo({ dry_run: true });
    expect(back.marketplace_calls).toBe(sum(await countCalls(service, () => undo())));
  });

  it('a change with invalid styles is refused', async () => {
    const { message } = await api.refuse('listing_update', {
      listing_pk: made.listing_pk,
      changes: { listing: { styles: ['Modern', 'Rustic', 'Boho'] } },
    });
    expect(message).toMatch(/^changes\.listing\.styles: /);
  });

  it('an undo of a saved draft says that its earlier versions are not kept', async () => {
    const mug = buildMug([TARGETS.clay], { idempotency_key: `saved-over-${name}` });
    const { listing_pk } = await api.call<ListingJobResult>('listing_create', mug);
    await api.call('listing_update', { listing_pk, changes: { listing: { title: 'Stoneware cup' } } });
    const { code, message } = await api.refuse('listing_undo', { listing_pk });
    expect([code, message]).toEqual(['NOTHING_TO_UNDO', expect.stringContaining('set the earlier values')]);
  });

  it('a refresh lists no values that were never set, and no error when it succeeded', async () => {
    const { who_made: _who, when_made: _when, is_supply: _is, ...listing } = buildMug([]).listing;
    const mug = buildMug([TARGETS.clay], { state: 'publish', images: [{ url: image }] });
    const { results: created } = await api.call<ListingJobResult>('listing_create', {
      ...mug,
      listing: { ...listing, title: `Defaults over ${name}` },
    });
    const listing_ids = created?.map(({ listing_id }) => listing_id);
    const call = { shop_id: CLAY.shop_id, listing_ids };
    const { results } = await api.call<ImportJobResult>('listing_import', call);
    expect(results).toMatchObject([{ status: 'refreshed' }]);
    expect(results?.[0]).not.toHaveProperty('differences');
    expect(results?.[0]).not.toHaveProperty('error');
  });

  it('a listing of another account cannot be imported, and the error says nothing about that account', async () => {
    const { account_id } = await getSecond();
    const { key } = await service.app.core.accounts.createKey(account_id, 'second');
    const call = { shop_id: first.shop_id, listing_ids: [first.listing_id] };
    const { results } = await toCallers(both.url, key)[name].call<ImportJobResult>('listing_import', call);
    expect(results).toMatchObject([{ status: 'error', error: 'This listing cannot be imported.' }]);
  });

  it("a web page in place of an answer is not quoted as the marketplace's reason", async () => {
    const body = '<!DOCTYPE html><title>Access denied</title>';
    const action = { type: 'status', status: 403, body, raw: true };
    await strike({ operation: 'updateListing', times: 9, action });
    const { results } = await update({ listing: { title: 'Stoneware cup' } });
    expect(results?.[0]?.error).toContain('HTTP 403 with a web page instead of a reason');
    expect(results?.[0]?.error).not.toContain('DOCTYPE');
  });

  it('an address with a space is reported as the problem', async () => {
    const images = [{ url: 'https://example.com/my photo.jpg' }];
    const { message } = await api.refuse(
      'listing_create',
      buildMug([TARGETS.clay], { state: 'publish', images }),
    );
    expect(message).toBe(
      'images[0].url: could not be fetched: the address contains a space; write the space as %20',
    );
  });

  it('repeating an undo that failed midway restores the photos', async () => {
    const { request } = await api.call<{ request: { images: object[] } }>('listing_get', {
      listing_pk: made.listing_pk,
    });
    const more: { url: string }[] = [];
    for (const photo of ['photo-02.jpg', 'photo-03.jpg', 'photo-04.jpg']) {
      more.push({ url: await upload(service, photo) });
    }
    const shops = [first.shop_id];
    await update({ images: [...request.images, ...more] }, { shops });
    const { job_id } = await update({ images: request.images }, { shops });
    await strike({
      operation: 'uploadListingImage',
      after: 1,
      times: 2,
      action: { type: 'status', status: 409, body: { error: 'not now' } },
    });
    expect((await undo({ job_id, shops })).results).toMatchObject([{ status: 'error' }]);
    expect((await undo({ job_id, shops })).results).toMatchObject([{ status: 'ok' }]);
    expect((await readListings(service, made))[0]?.images).toHaveLength(4);
  });

  it('stock is written as requested when a piece is sold after the request was lost', async () => {
    const { shop_id, listing_id } = first;
    const countWrites = async () =>
      (await service.control<{ calls: Record<string, number> }>('GET', '/state')).calls[
        'updateListingInventory'
      ];
    const before = await countWrites();
    await strike(
      { operation: 'updateListingInventory', shop_id, times: 1, action: { type: 'reset' } },
      { operation: 'getListingInventory', shop_id, after: 1, times: 1, action: { type: 'slow', ms: 1500 } },
    );
    const updating = update({ listing: { price: 31, quantity: 9 } }, { shops: [shop_id] });
    await expect.poll(countWrites, { interval: 5 }).not.toBe(before);
    await sell(listing_id, 1);
    expect((await updating).results).toMatchObject([{ status: 'ok' }]);
    const [there] = await readListings(service, made);
    expect(there?.inventory.products).toMatchObject([{ offering: { price_amount: 3100, quantity: 9 } }]);
  });

  it('photos that a lagging list does not show yet are not reported as a manual edit', async () => {
    const setLag = (media_list_lag_ms: number) => service.control('POST', '/settings', { media_list_lag_ms });
    const { request } = await api.call<{ request: { images: object[] } }>('listing_get', {
      listing_pk: made.listing_pk,
    });
    const images = [...request.images, { url: await upload(service, 'photo-02.jpg') }];
    await update({ images });
    try {
      await setLag(60_000);
      const planned = await update({ images: images.toReversed() }, { dry_run: true });
      expect(planned.shops).toMatchObject([
        { status: 'ok', warnings: [] },
        { status: 'ok', warnings: [] },
      ]);
    } finally {
      await setLag(0);
    }
  });
});

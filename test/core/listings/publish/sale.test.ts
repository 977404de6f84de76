import type { ListingJobResult } from '../../../answers.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeFeeQuestion } from '../../../../src/core/listings/fees/fee_question.js';
import type { FeeQuestion } from '../../../../src/core/operations/call.js';
import {
  buildMug,
  CLAY,
  LINEN,
  listTargets,
  startService,
  upload,
  type TestService,
} from '../../../service.js';

/* Deactivating and activating a listing: what that costs, and what is asked before. */

const MINUTE_MS = 60_000;
const FOUR_MONTHS_MS = 120 * 24 * 60 * MINUTE_MS;
type Product = { offering: { quantity: number; is_enabled: boolean } };
type World = {
  listings: { listing_id: number; shop_id: number; state: string; inventory: { products: Product[] } }[];
  fees: { listing_id: number }[];
  calls: Record<string, number>;
};

let service: TestService;
let listing_pk: number;
let listing_ids: Record<number, number>;
let targets: Awaited<ReturnType<typeof listTargets>>;

async function open(environment: Record<string, string> = {}): Promise<void> {
  service = await startService(environment);
  targets = await listTargets(service);
  const made = await service.call<ListingJobResult>('listing_create', {
    ...buildMug(targets, { state: 'active', images: [{ url: await upload(service, 'photo-01.jpg') }] }),
  });
  listing_pk = made.listing_pk ?? 0;
  listing_ids = Object.fromEntries((made.results ?? []).map((one) => [one.shop_id, one.listing_id ?? 0]));
}
beforeEach(() => open());
afterEach(() => service.close());

const readState = () => service.control<World>('GET', '/state');
const publish = (more: object, call: object = {}) =>
  service.call<ListingJobResult>('listing_publish', { listing_pk, ...more }, call);
const refuse = (more: object, call: object = {}) =>
  service.refuse('listing_publish', { listing_pk, ...more }, call);
const edit = (shop_id: number, body: object) =>
  service.control('POST', `/listings/${listing_ids[shop_id]}/edit`, body);
const getStates = async () =>
  (await readState()).listings.map(({ shop_id, state }) => `${shop_id} ${state}`).sort();
const expire = (shop_id: number) =>
  service.control('POST', '/clock', { advance_ms: FOUR_MONTHS_MS, listing_ids: [listing_ids[shop_id]] });
const ASKS_NOBODY = { askConsent: () => Promise.reject(new Error('no consent is asked for')) };
const readOffer = async () => {
  type Offer = { listing_id: number; quantity: number; price: number };
  const { listings } = await service.call<{ listings: Offer[] }>('store_listings', {
    shop_id: CLAY.shop_id,
    limit: 100,
  });
  return listings.find((one) => one.listing_id === listing_ids[CLAY.shop_id]);
};
const readStock = async () => (await readOffer())?.quantity;
/** Quantity and visibility of each combination on the marketplace. */
const readOffers = async () => {
  const { listings } = await readState();
  const listing = listings.find((one) => one.listing_id === listing_ids[CLAY.shop_id]);
  return listing?.inventory.products.map(({ offering: { quantity, is_enabled } }) => ({
    quantity,
    is_enabled,
  }));
};
const SAYS_NO = { askConsent: async () => 'declined' as const };
const clay = { shops: [CLAY.shop_id] };

async function countFees(work: () => Promise<unknown>): Promise<number> {
  const before = (await readState()).fees.length;
  await work();
  return (await readState()).fees.length - before;
}

/** Its four months end while the marketplace processes the activation. */
async function endMonthsDuring(operation: string): Promise<ListingJobResult> {
  const { calls } = await readState();
  const answer = publish({ state: 'active', ...clay });
  await expect
    .poll(async () => (await readState()).calls[operation], { interval: 5 })
    .not.toBe(calls[operation]);
  await expire(CLAY.shop_id);
  return answer;
}

describe('deactivation', () => {
  it('is a free job in all shops, and reports its result in each', async () => {
    const fees = await countFees(async () => {
      expect(await publish({ state: 'inactive' })).toMatchObject({
        status: 'completed',
        listing_pk,
        results: [{ status: 'ok' }, { status: 'ok' }],
      });
    });
    expect(fees).toBe(0);
    expect(await getStates()).toEqual([`${CLAY.shop_id} inactive`, `${LINEN.shop_id} inactive`]);
    const { shops } = await service.call<{ shops: object[] }>('listing_get', { listing_pk });
    expect(shops).toMatchObject([{ state: 'inactive' }, { state: 'inactive' }]);
  });

  it('can be limited to the named shop', async () => {
    await publish({ state: 'inactive', ...clay });
    expect(await getStates()).toEqual([`${CLAY.shop_id} inactive`, `${LINEN.shop_id} active`]);
  });

  it('does nothing and creates no job if the listing is inactive already', async () => {
    await publish({ state: 'inactive', ...clay });
    const again = await publish({ state: 'inactive', ...clay });
    expect(again).toMatchObject({ status: 'unchanged', results: [{ status: 'unchanged' }] });
    expect(again.job_id).toBeUndefined();
    await edit(CLAY.shop_id, { state: 'active' });
    expect(await publish({ state: 'inactive', ...clay })).toMatchObject({ status: 'completed' });
    expect(await getStates()).toContain(`${CLAY.shop_id} inactive`);
  });

  it('leaves a sold-out listing unchanged, and reports so', async () => {
    await edit(LINEN.shop_id, { state: 'sold_out' });
    expect(await publish({ state: 'inactive' })).toMatchObject({
      status: 'completed',
      results: [{ shop_id: `${CLAY.shop_id}`, status: 'ok' }],
      warnings: [
        {
          code: 'left_as_it_is',
          reason: expect.stringContaining('in "NordLinen", the listing is sold_out') as string,
        },
      ],
    });
  });

  it('can be tried in a dry run, and asks for no consent', async () => {
    expect(await publish({ state: 'inactive', dry_run: true })).toMatchObject({
      status: 'valid',
      message: 'It would be deactivated in "ClayAndOak", "NordLinen", which is free. Nothing was changed.',
      cost_usd: 0,
    });
    expect(await getStates()).toEqual([`${CLAY.shop_id} active`, `${LINEN.shop_id} active`]);
    await publish({ state: 'inactive' }, ASKS_NOBODY);
  });
});

describe('activation of an inactive listing', () => {
  it('happens only in named shops', async () => {
    await publish({ state: 'inactive' });
    expect(await publish({ state: 'active' })).toMatchObject({
      status: 'unchanged',
      message: 'Nothing was done; the warnings say which shops do not have the requested state.',
      warnings: [
        {
          code: 'not_on_sale',
          reason: `in "ClayAndOak", the listing is inactive. To activate it again, send ${CLAY.shop_id} in shops.`,
        },
        { code: 'not_on_sale' },
      ],
    });
    expect(await getStates()).toEqual([`${CLAY.shop_id} inactive`, `${LINEN.shop_id} inactive`]);
  });

  it('is not repeated if the four months end while an unanswered request is being checked', async () => {
    await publish({ state: 'inactive' });
    const rules = [
      { operation: 'updateListing', action: { type: 'reset' } },
      { operation: 'getListing', action: { type: 'slow', ms: 500 } },
    ];
    await service.control('POST', '/faults', { rules });
    const fees = await countFees(async () => {
      const { results } = await endMonthsDuring('updateListing');
      expect(results).toMatchObject([{ status: 'error', error: expect.stringContaining('incurs a fee') }]);
    });
    expect(fees).toBe(0);
    expect(await getStates()).toContain(`${CLAY.shop_id} inactive`);
  });

  it('reports and counts a fee the marketplace charged although it was free when it was sent', async () => {
    await service.close();
    await open({ MAX_ACTIVATIONS_PER_DAY: '3' });
    await publish({ state: 'inactive' });
    const rules = [{ operation: 'updateListing', action: { type: 'slow', ms: 2_000 } }];
    await service.control('POST', '/faults', { rules });
    const fees = await countFees(async () => {
      const { results } = await endMonthsDuring('updateListing');
      expect(results).toMatchObject([
        {
          status: 'ok',
          activated: true,
          activation_cost_usd: 0.2,
          warnings: [{ code: 'fee_charged', level: 'warning' }],
        },
      ]);
    });
    expect(fees).toBe(1);
    await expire(LINEN.shop_id);
    const { message } = await refuse({ state: 'active', shops: [LINEN.shop_id] });
    expect(message).toContain('exceed the limit of 3 activations in 24 hours');
  });

  it('asks for the fee if the four months end within minutes, and reports the charged amount', async () => {
    await publish({ state: 'inactive' });
    await edit(CLAY.shop_id, { ends_at_epoch_s: Math.floor(Date.now() / 1000) + 60 });
    expect(await publish({ state: 'active', ...clay, dry_run: true })).toMatchObject({ cost_usd: 0.2 });
    expect((await refuse({ state: 'active', ...clay }, SAYS_NO)).code).toBe('ACTIVATION_DECLINED');
    const fees = await countFees(async () => {
      const { results } = await publish({ state: 'active', ...clay });
      expect(results).toMatchObject([{ status: 'ok', activated: true, activation_cost_usd: 0 }]);
    });
    expect(fees).toBe(0);
  });

  it('is reported for no shop where it was deactivated, alongside one that failed at its creation', async () => {
    const rules = [
      {
        operation: 'uploadListingImage',
        shop_id: LINEN.shop_id,
        times: 9,
        action: { type: 'status', status: 400, body: { error: 'not now' } },
      },
    ];
    await service.control('POST', '/faults', { rules });
    const images = [{ url: await upload(service, 'photo-02.jpg') }];
    const made = await service.call<ListingJobResult>(
      'listing_create',
      buildMug(targets, { state: 'active', images }),
    );
    expect(made.results).toMatchObject([{ status: 'ok' }, { status: 'error' }]);
    await service.control('DELETE', '/faults');
    const again = { listing_pk: made.listing_pk };
    await publish({ ...again, state: 'inactive', ...clay });
    const warnings = [
      { code: 'not_on_sale', reason: expect.stringContaining('in "ClayAndOak", the listing is inactive') },
    ];
    const tried = await publish({ ...again, state: 'active', dry_run: true });
    expect(tried).toMatchObject({ cost_usd: 0.2, warnings });
    const fees = await countFees(async () => {
      const done = await publish({ ...again, state: 'active' });
      expect(done.results).toMatchObject([{ shop_id: `${LINEN.shop_id}`, status: 'ok', activated: true }]);
      expect(done.message).toContain('1 of 1');
      expect(done.warnings).toMatchObject(warnings);
    });
    expect(fees).toBe(1);
    const ids = made.results?.map((one) => one.listing_id ?? one.details?.['listing_id']);
    const { listings } = await readState();
    const states = ids?.map((id) => listings.find(({ listing_id }) => listing_id === id)?.state);
    expect(states).toEqual(['inactive', 'active']);
  });

  it('is free while the four months run: no consent is asked for, and no limit counts it', async () => {
    await service.close();
    await open({ MAX_ACTIVATIONS_PER_DAY: '2' });
    await publish({ state: 'inactive' });
    const fees = await countFees(async () => {
      const done = await publish({ state: 'active', ...clay }, ASKS_NOBODY);
      expect(done).toMatchObject({
        status: 'completed',
        results: [{ status: 'ok', activation_cost_usd: 0 }],
      });
    });
    expect(fees).toBe(0);
    expect(await getStates()).toEqual([`${CLAY.shop_id} active`, `${LINEN.shop_id} inactive`]);
  });

  it('costs a fee once the listing has expired, which the dry run and the question report for each shop', async () => {
    await publish({ state: 'inactive', shops: [LINEN.shop_id] });
    await expire(CLAY.shop_id);
    const shops = [CLAY.shop_id, LINEN.shop_id];
    expect(await publish({ state: 'active', shops, dry_run: true })).toMatchObject({
      status: 'valid',
      cost_usd: 0.2,
      shops: [
        { shop_name: 'ClayAndOak', state: 'expired', cost_usd: 0.2 },
        { shop_name: 'NordLinen', state: 'inactive', cost_usd: 0 },
      ],
    });
    const questions: string[] = [];
    const askConsent = async (question: FeeQuestion) => {
      questions.push(describeFeeQuestion(question));
      return 'accepted' as const;
    };
    expect(await countFees(() => publish({ state: 'active', shops }, { askConsent }))).toBe(1);
    expect(questions).toEqual([
      'Activate this listing in "ClayAndOak" (expired: 0.20 USD), "NordLinen" (inactive: free)? The marketplace charges 0.20 USD.',
    ]);
    expect(await getStates()).toEqual([`${CLAY.shop_id} active`, `${LINEN.shop_id} active`]);
  });

  it('does nothing if the person declines', async () => {
    await expire(CLAY.shop_id);
    const { code } = await refuse({ state: 'active', ...clay }, SAYS_NO);
    expect(code).toBe('ACTIVATION_DECLINED');
    expect(await getStates()).toContain(`${CLAY.shop_id} expired`);
  });

  it('asks again if the confirmed facts have changed since', async () => {
    const shops = [CLAY.shop_id, LINEN.shop_id];
    await expire(CLAY.shop_id);
    const face = { face: 'mcp_http' };
    const first = await publish({ state: 'active', shops }, face);
    expect(first).toMatchObject({
      status: 'confirmation_required',
      cost_usd: 0.2,
      shops: [{ state: 'expired' }],
    });
    await expire(LINEN.shop_id);
    const second = await publish({ state: 'active', shops, confirm: first.confirm_token }, face);
    expect(second).toMatchObject({
      status: 'confirmation_required',
      cost_usd: 0.4,
      message: expect.stringContaining('The cost, the shops or their prices have changed.') as string,
    });
    expect(await getStates()).toEqual([`${CLAY.shop_id} expired`, `${LINEN.shop_id} expired`]);
    const done = await publish({ state: 'active', shops, confirm: second.confirm_token }, face);
    expect(done).toMatchObject({ status: 'completed', results: [{ status: 'ok' }, { status: 'ok' }] });
    const again = await publish({ state: 'active', shops, confirm: second.confirm_token }, face);
    expect(again).toMatchObject({ job_id: done.job_id, warnings: [{ code: 'replayed' }] });
  });

  it('requires a stock if the listing is sold out, and writes it', async () => {
    await edit(CLAY.shop_id, { state: 'sold_out' });
    const { message } = await refuse({ state: 'active', ...clay });
    expect(message).toBe(
      'stock: is required, because the listing is sold out in "ClayAndOak"; ask the seller how many of each are in stock',
    );
    expect(await countFees(() => publish({ state: 'active', ...clay, stock: 7 }))).toBe(1);
    expect(await getStates()).toContain(`${CLAY.shop_id} active`);
    expect(await readStock()).toBe(7);
  });

  it('writes that stock even if it equals the previous one and the first write failed', async () => {
    const had = await readStock();
    await edit(CLAY.shop_id, { state: 'sold_out' });
    // Simulates a write that arrives after the last piece was sold: the listing stays sold out.
    await edit(CLAY.shop_id, { products: [{ quantity: had }] });
    await service.control('POST', '/faults', {
      rules: [{ operation: 'updateListingInventory', action: { type: 'status', status: 500, body: {} } }],
    });
    await publish({ state: 'active', ...clay, stock: had });
    expect(await readStock()).toBe(had);
  });

  it('keeps a price that was edited while the activation waited, and writes the stock', async () => {
    await edit(CLAY.shop_id, { state: 'sold_out' });
    // As if the write of an earlier job had arrived late: the activation replaces it with 1.
    await edit(CLAY.shop_id, { products: [{ quantity: 7 }] });
    await service.control('POST', '/faults', {
      rules: [{ operation: 'updateListing', action: { type: 'commit_then_slow', ms: 2_200 } }],
    });
    const publishing = publish({ state: 'active', ...clay, stock: 7 });
    await expect.poll(getStates).toContain(`${CLAY.shop_id} active`);
    await edit(CLAY.shop_id, { products: [{ price: 61 }] });
    expect(await publishing).toMatchObject({ results: [{ status: 'ok' }] });
    expect(await readOffer()).toMatchObject({ quantity: 7, price: 61 });
  });

  it.each([
    ['quick', 0],
    ['slow', 2_200],
  ])(
    'writes stock that all combinations share, and keeps a hidden one hidden, if the activation is %s',
    async (_speed, ms) => {
      const properties = [{ property_id: 513, name: 'Size', values: ['Small', 'Medium', 'Large'] }];
      const made = await service.call<ListingJobResult>('listing_create', {
        ...buildMug(targets, { state: 'active', variations: { properties } }),
        images: [{ url: await upload(service, 'photo-01.jpg') }],
      });
      const sized = { listing_pk: made.listing_pk, ...clay };
      listing_ids = Object.fromEntries((made.results ?? []).map((one) => [one.shop_id, one.listing_id ?? 0]));
      await edit(CLAY.shop_id, { products: [{ values: { Size: 'Small' }, is_enabled: false }] });
      await edit(CLAY.shop_id, { state: 'sold_out' });
      await service.control('POST', '/faults', {
        rules: [{ operation: 'updateListing', action: { type: 'commit_then_slow', ms } }],
      });
      expect(await publish({ state: 'active', ...sized, stock: 7 })).toMatchObject({
        results: [{ status: 'ok' }],
      });
      await service.control('POST', `/listings/${listing_ids[CLAY.shop_id]}/sell`, { quantity: 1 });
      expect(await readOffers()).toEqual([
        { quantity: 6, is_enabled: false },
        { quantity: 6, is_enabled: true },
        { quantity: 6, is_enabled: true },
      ]);
    },
  );

  it('counts towards the daily limit, even a second time for the same listing', async () => {
    await service.close();
    await open({ MAX_ACTIVATIONS_PER_DAY: '3' });
    await expire(CLAY.shop_id);
    await publish({ state: 'active', ...clay });
    await expire(CLAY.shop_id);
    const { message } = await refuse({ state: 'active', ...clay });
    expect(message).toContain(
      'state: active would exceed the limit of 3 activations in 24 hours (this call needs 1)',
    );
    expect((await readState()).fees).toHaveLength(3);
    // Forgetting the listing returns nothing.
    await edit(CLAY.shop_id, { state: 'removed' });
    await edit(LINEN.shop_id, { state: 'removed' });
    expect(await service.call('listing_delete', { listing_pk })).toEqual({ listing_pk, deleted: true });
    const live = buildMug(targets.slice(0, 1), {
      state: 'active',
      images: [{ url: await upload(service, 'photo-01.jpg') }],
      idempotency_key: 'another',
    });
    expect((await service.refuse('listing_create', live)).message).toContain(
      'exceed the limit of 3 activations',
    );
  });

  it('is refused for a removed listing, for a shop the listing does not have, and for earlier and new shops together', async () => {
    await edit(CLAY.shop_id, { state: 'removed' });
    expect((await refuse({ state: 'active', ...clay })).message).toBe(
      'shops[0]: the listing is no longer in this shop (state: removed) and cannot be activated again; create a new listing with listing_create',
    );
    expect((await refuse({ state: 'active', shops: [LINEN.shop_id, 7] })).message).toBe(
      `shops[1]: this listing is not in shop 7; it is in ${CLAY.shop_id} ("ClayAndOak"), ${LINEN.shop_id} ("NordLinen")`,
    );
    expect((await refuse({ state: 'active', shops: [LINEN.shop_id], stock: 4 })).message).toMatch(/^stock: /);
  });

  it('of a gone or removed listing names the call that creates a new one there, and that call works', async () => {
    await edit(CLAY.shop_id, { state: 'removed' });
    const { warnings } = await publish({ state: 'active' });
    expect(warnings).toMatchObject([
      {
        code: 'not_on_sale',
        reason:
          'in "ClayAndOak", the listing is removed. To create a new listing in this shop, call listing_create.',
      },
    ]);
    const { request } = await service.call<{ request: { shops: { shop_id: number }[] } }>('listing_get', {
      listing_pk,
    });
    const shops = request.shops.filter(({ shop_id }) => shop_id === CLAY.shop_id);
    // A copy is for shops the listing never had: the one where it is gone counts as one of its shops.
    expect((await service.refuse('listing_copy', { listing_pk, shops })).code).toBe('ALREADY_IN_SHOP');
    expect((await service.refuse('listing_delete', { listing_pk })).code).toBe('NOT_DELETABLE');
    const created = await service.call<ListingJobResult>('listing_create', { ...request, shops });
    expect(created).toMatchObject({ status: 'completed', results: [{ activated: true }] });
    expect(await getStates()).toEqual([
      `${CLAY.shop_id} active`,
      `${CLAY.shop_id} removed`,
      `${LINEN.shop_id} active`,
    ]);
  });

  it('joins an identical running call, and names another kind of running job', async () => {
    const rules = [{ operation: 'updateListing', times: 1, action: { type: 'slow', ms: 1_500 } }];
    await service.control('POST', '/faults', { rules });
    const first = await publish({ state: 'inactive', ...clay }, { wait_ms: 1 });
    expect(first.status).toBe('processing');
    const { code, message } = await refuse({ state: 'inactive', shops: [LINEN.shop_id] });
    expect(code).toBe('LISTING_BUSY');
    expect(message).toContain(first.job_id);
    const same = await publish({ state: 'inactive', ...clay });
    expect(same).toMatchObject({
      job_id: first.job_id,
      status: 'completed',
      warnings: [{ code: 'replayed' }],
    });
    expect(await service.call('listing_create_status', { job_id: first.job_id })).toMatchObject({
      status: 'completed',
      results: [{ status: 'ok' }],
    });
  });
});

describe('publishing in some of the shops', () => {
  it('touches only these, and reports problems by their position in the request', async () => {
    const images = [{ url: await upload(service, 'photo-02.jpg') }];
    const draft = await service.call<ListingJobResult>('listing_create', buildMug(targets, { images }));
    const pk = draft.listing_pk;
    const done = await service.call<ListingJobResult>('listing_publish', {
      listing_pk: pk,
      state: 'publish',
      shops: [LINEN.shop_id],
    });
    expect(done).toMatchObject({
      status: 'completed',
      shops_count: 1,
      results: [{ shop_id: `${LINEN.shop_id}` }],
    });
    const mixed = await service.call<ListingJobResult>('listing_publish', {
      listing_pk: pk,
      state: 'active',
      shops: [LINEN.shop_id],
    });
    expect(mixed).toMatchObject({ results: [{ activated: true }] });
    const { message } = await service.refuse('listing_publish', {
      listing_pk: pk,
      state: 'active',
      shops: [CLAY.shop_id, LINEN.shop_id],
    });
    expect(message).toBe(
      `shops: the listing has been active in ${LINEN.shop_id}, but never in the other shops; make one call for each of these two groups`,
    );
    const rest = await service.call<ListingJobResult>('listing_publish', { listing_pk: pk, state: 'active' });
    expect(rest).toMatchObject({ results: [{ shop_id: `${CLAY.shop_id}`, activated: true }] });
  });
});

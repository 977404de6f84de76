import type { ListingJobResult, UpdateResult } from '../../../answers.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../../../service.js';

/* Updates of a listing that one shop has and another does not. */

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
});
afterAll(() => service.close());
afterEach(() => service.control('DELETE', '/faults'));

const REFUSED = { operation: 'createDraftListing', action: { type: 'status', status: 400 } };
/** The draft is created, the answer is lost, and no search finds the draft. */
const LOST = [
  { operation: 'createDraftListing', action: { type: 'commit_then_reset' } },
  { operation: 'getListingsByShop', times: 1_000, action: { type: 'status', status: 503 } },
];

let made_count = 0;

/** Active in the first shop; the outcome in the second depends on the faults. */
async function makeInOne(faults: readonly object[]) {
  const [first, second] = await listTargets(service);
  if (!first || !second) throw new Error('there are two');
  const rules = faults.map((fault) => ({ times: 1, ...fault, shop_id: second.shop_id }));
  await service.control('POST', '/faults', { rules });
  made_count += 1;
  const images = [{ url: await upload(service, 'photo-01.jpg') }];
  const request = buildMug([first, second], {
    state: 'active',
    images,
    idempotency_key: `in-one-${made_count}`,
  });
  request.listing.title = `Mug ${made_count}`;
  const { listing_pk = 0, results } = await service.call<ListingJobResult>('listing_create', request);
  expect(results?.map(({ status }) => status)).toEqual(['ok', 'error']);
  await service.control('DELETE', '/faults');
  return { listing_pk, title: request.listing.title, first: first.shop_id, second: second.shop_id };
}

const update = (listing_pk: number, changes: object, more: object = {}) =>
  service.call<UpdateResult>('listing_update', { listing_pk, changes, ...more });
const refuse = (listing_pk: number, changes: object, more: object = {}) =>
  service.refuse('listing_update', { listing_pk, changes, ...more });
const getRequest = async (listing_pk: number) =>
  (await service.call<{ request: ListingRequest }>('listing_get', { listing_pk })).request;
const getPrices = async (listing_pk: number) =>
  (await getRequest(listing_pk)).shops.map(({ price }) => price);

describe('a shop that does not have the listing yet', () => {
  it('gets its own values saved at once, whether it is named or not', async () => {
    const { listing_pk, second } = await makeInOne([REFUSED]);
    for (const [price, more] of [
      [30, { shops: [second] }],
      [31, {}],
    ] as const) {
      const changes = { shops: [{ shop_id: second, price }] };
      const shown = await update(listing_pk, changes, { ...more, dry_run: true });
      expect(shown.shops).toMatchObject([
        { shop_id: String(second), status: 'ok', diff: [{ field: 'shops[1].price', after: price }] },
      ]);
      const done = await update(listing_pk, changes, more);
      expect(done).toMatchObject({ status: 'draft', listing_pk });
      expect(done.message).toContain('nothing was sent to the marketplace');
      expect(await getPrices(listing_pk)).toEqual([undefined, price]);
    }
    const published = await service.call<ListingJobResult>('listing_publish', {
      listing_pk,
      state: 'active',
    });
    expect(published.results).toMatchObject([{ shop_id: String(second), status: 'ok', price: 31 }]);
  });

  it('is named by the hint that explains how to fix what prevents the listing there, and only it is changed', async () => {
    const targets = await listTargets(service);
    const second = targets[1]?.shop_id;
    await service.control('POST', '/faults', { rules: [{ times: 1, ...REFUSED, shop_id: second }] });
    const made = buildMug(targets, { state: 'publish', idempotency_key: 'without-photos' });
    const { listing_pk = 0 } = await service.call<ListingJobResult>('listing_create', made);
    const only = { shops: [second] };
    const publication = { listing_pk, state: 'active', ...only };
    const { message, hint } = await service.refuse('listing_publish', publication);
    expect(message).toContain('images: is required for state active');
    expect(hint).toContain(`listing_update and shops [${second}]: put these fields in changes`);
    await update(listing_pk, { images: [{ url: await upload(service, 'photo-01.jpg') }] }, only);
    const published = await service.call<ListingJobResult>('listing_publish', publication);
    expect(published.results?.filter(({ activated }) => activated)).toMatchObject([
      { status: 'ok', shop_id: String(second) },
    ]);
    const { shops } = await service.call<{ shops: { state: string }[] }>('listing_get', { listing_pk });
    expect(shops.map(({ state }) => state)).toEqual(['draft', 'active']);

    const mug = buildMug(await listTargets(service), { idempotency_key: 'nowhere' });
    const draft = await service.call<ListingJobResult>('listing_create', mug);
    const alone = { listing_pk: draft.listing_pk, state: 'active' };
    expect((await service.refuse('listing_publish', alone)).hint).toContain('with listing_update: put');
  });

  it('is checked like a draft, and refuses values that cannot be saved', async () => {
    const { listing_pk, second } = await makeInOne([REFUSED]);
    const only = { shops: [second] };
    expect((await refuse(listing_pk, { offerings: [{ quantity: 0 }] }, only)).message).toContain('is 0');
    expect((await refuse(listing_pk, { shops: [{ shop_id: second, price: -1 }] }, only)).message).toMatch(
      /^changes\.shops\[0\]\.price: /,
    );
  });

  it('keeps its own values if the other shops cannot be changed, and the rest is reported as not saved yet', async () => {
    const { listing_pk, first, second } = await makeInOne([REFUSED]);
    const rules = [{ operation: 'updateListing', times: 100, action: { type: 'status', status: 400 } }];
    await service.control('POST', '/faults', { rules });
    const before = await getRequest(listing_pk);
    const changes = { listing: { title: 'Other' }, shops: [{ shop_id: second, price: 30 }] };
    const failed = await update(listing_pk, changes);
    expect(failed.results).toMatchObject([
      {
        shop_id: String(first),
        status: 'error',
        warnings: [
          {
            code: 'not_there_yet',
            reason: expect.stringContaining('once another shop has accepted them') as string,
          },
        ],
      },
    ]);
    expect(await getRequest(listing_pk)).toEqual({
      ...before,
      shops: [before.shops[0], { ...before.shops[1], price: 30 }],
    });

    await service.control('DELETE', '/faults');
    await update(listing_pk, { offerings: [{ quantity: 0 }], shops: [{ shop_id: second, price: 31 }] });
    expect(await getPrices(listing_pk)).toEqual([undefined, 31]);
  });
});

it('refuses values of a shop that the call leaves out', async () => {
  const { listing_pk, first, second } = await makeInOne([REFUSED]);
  const { message } = await refuse(
    listing_pk,
    { listing: { title: 'Other' }, shops: [{ shop_id: second, price: 30 }] },
    { shops: [first] },
  );
  expect(message).toContain(`changes.shops[0].shop_id: is ${second}, which is not in shops`);
});

describe('a shop that may or may not have the listing', () => {
  it('is searched for the sent values, so that nothing is created twice', async () => {
    const { listing_pk, title, first, second } = await makeInOne(LOST);
    const { job_id } = await service.call<{ job_id: string }>('listing_get', { listing_pk });
    const changes = { listing: { title: 'Other', description: 'Of another.' } };
    for (const more of [{}, { dry_run: true }]) {
      const { code, message, hint } = await refuse(listing_pk, changes, more);
      expect(code).toBe('LISTING_BUSY');
      expect(message).toContain(`shop ${second}`);
      expect(message).toContain(job_id);
      expect(hint).toContain('listing_publish');
    }
    // Values of the other shop are not searched for.
    const own = await update(listing_pk, { shops: [{ shop_id: first, price: 26 }] });
    expect(own.results).toMatchObject([{ shop_id: String(first), status: 'ok' }]);
    const limited = await update(listing_pk, { listing: { title: 'Of the first' } }, { shops: [first] });
    expect(limited.results).toMatchObject([{ shop_id: String(first), status: 'ok' }]);

    await service.call('listing_publish', { listing_pk, state: 'active' });
    const done = await update(listing_pk, changes);
    expect(done.results).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    type State = { listings: { shop_id: number; fields: { title: string } }[] };
    const { listings } = await service.control<State>('GET', `/state?shop_id=${second}`);
    expect(listings.filter(({ fields }) => ['Other', title].includes(fields.title))).toHaveLength(1);
  });

  it('prevents restoring other texts of the listing', async () => {
    const [first, second] = await listTargets(service);
    const images = [{ url: await upload(service, 'photo-01.jpg') }];
    const request = buildMug([first ?? {}], { state: 'active', images, idempotency_key: 'taken-back' });
    const { listing_pk = 0 } = await service.call<ListingJobResult>('listing_create', request);
    const { job_id } = await update(listing_pk, { listing: { title: 'Other', description: 'Of another.' } });
    const rules = LOST.map((fault) => ({ times: 1, ...fault, shop_id: second?.shop_id }));
    await service.control('POST', '/faults', { rules });
    const copied = await service.call<ListingJobResult>('listing_copy', {
      listing_pk,
      shops: [{ ...second, price: 20 }],
      state: 'publish',
    });
    expect(copied.results).toMatchObject([{ status: 'error' }]);
    await service.control('DELETE', '/faults');
    const own = await update(listing_pk, { shops: [{ shop_id: first?.shop_id, price: 26 }] });
    expect((await service.refuse('listing_undo', { listing_pk, job_id })).code).toBe('LISTING_BUSY');
    const undone = await service.call<UpdateResult>('listing_undo', { listing_pk, job_id: own.job_id });
    expect(undone.results).toMatchObject([{ status: 'ok' }]);
  });
});

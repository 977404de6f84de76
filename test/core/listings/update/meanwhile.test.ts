import type { ListingJobResult, UpdateResult } from '../../../answers.js';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_SHOPS, startSandbox } from '../../../../src/sandbox/index.js';
import { startService, type TestService } from '../../../service.js';
import type { CrashPoint } from '../../../wrapped/crash_point.js';
import { createPowerCut, edit, finish, readListings, makeListing, type Made } from './rig.js';

const power = createPowerCut();
let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' }, { wrapPorts: power.wrapPorts });
});
afterAll(() => service.close());

const VARIED = {
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
    offerings: [
      { glaze: 'White', price: 20, quantity: 3, sku: 'W' },
      { glaze: 'Ochre', price: 22, quantity: 4, sku: 'O' },
    ],
  },
};
const SCOPES = ['listings_r', 'listings_w', 'shops_r', 'transactions_r'];
const CHANGES = { listing: { title: 'Stoneware cup' }, offerings: [{ sku: 'W', price: 25 }] };

/** Runs `work` while the job waits for a process to resume it. Returns the outcome of the job. */
async function meddle(
  made: Made,
  point: CrashPoint,
  work: () => Promise<unknown>,
  changes: object = CHANGES,
): Promise<ListingJobResult> {
  power.setPoint(point);
  const { listing_pk } = made;
  const result = service.call<UpdateResult>('listing_update', { listing_pk, changes });
  const job_id = await power.waitForJob(service);
  await work();
  power.setPoint(undefined);
  const ended = await finish(service, job_id);
  await result;
  return ended;
}

const describeShops = async (made: Made) =>
  (await readListings(service, made)).map((listing) => [
    listing?.fields.title,
    listing?.fields['description'],
    listing?.inventory.products.map(({ offering }) => offering.price_amount),
  ]);
const undo = ({ listing_pk }: Made) => service.call<UpdateResult>('listing_undo', { listing_pk });

describe('an update that is killed halfway and waits', () => {
  it.each<CrashPoint>(['before marketplace.updateListing', 'before marketplace.updateInventory'])(
    'leaves manual edits of other fields, and so does its undo (%s)',
    async (point) => {
      const made = await makeListing(service, { more: VARIED });
      const [[title]] = (await describeShops(made)) as [[string]];
      const ended = await meddle(made, point, () => edit(service, made, { description: 'By hand.' }));
      expect(ended.results?.map(({ status, diff }) => [status, diff?.map(({ field }) => field)])).toEqual(
        made.shops.map(() => ['ok', ['listing.title', 'variations.offerings[Glaze: White].price']]),
      );
      expect(await describeShops(made)).toEqual(
        made.shops.map(() => ['Stoneware cup', 'By hand.', [2500, 2200]]),
      );
      const { request } = await service.call<{ request: { listing: object } }>('listing_get', {
        listing_pk: made.listing_pk,
      });
      expect(request.listing).toMatchObject({ title: 'Stoneware cup', description: 'By hand.' });
      const undone = await undo(made);
      expect(undone.results?.map(({ status }) => status)).toEqual(['ok', 'ok']);
      expect(await describeShops(made)).toEqual(made.shops.map(() => [title, 'By hand.', [2000, 2200]]));
    },
  );

  it('writes the requested stock if a piece is sold after its request was lost', async () => {
    const made = await makeListing(service, { more: VARIED });
    const ended = await meddle(
      made,
      'before marketplace.updateInventory',
      () => edit(service, made, { products: [{ sku: 'W', quantity: 2 }] }),
      { offerings: [{ sku: 'W', price: 31, quantity: 9 }] },
    );
    const price = 'variations.offerings[Glaze: White].price';
    const quantity = 'variations.offerings[Glaze: White].quantity';
    expect(ended.results).toMatchObject(
      made.shops.map(() => ({
        status: 'ok',
        diff: [
          { field: price, before: 20, after: 31 },
          { field: quantity, after: 9 },
        ],
      })),
    );
    const there = await readListings(service, made);
    expect(there.map((listing) => listing?.inventory.products.map(({ offering }) => offering))).toMatchObject(
      made.shops.map(() => [
        { price_amount: 3100, quantity: 9 },
        { price_amount: 2200, quantity: 4 },
      ]),
    );
  });

  it('leaves manual edits of other prices, and so does its undo', async () => {
    const made = await makeListing(service, { more: VARIED });
    const ended = await meddle(made, 'before marketplace.updateListing', () =>
      edit(service, made, { products: [{ sku: 'O', price: 31 }] }),
    );
    expect(ended.results?.map(({ status, diff }) => [status, diff?.map(({ field }) => field)])).toEqual(
      made.shops.map(() => ['ok', ['listing.title', 'variations.offerings[Glaze: White].price']]),
    );
    expect((await describeShops(made)).map(([, , prices]) => prices)).toEqual(
      made.shops.map(() => [2500, 3100]),
    );
    expect((await undo(made)).results?.map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect((await describeShops(made)).map(([, , prices]) => prices)).toEqual(
      made.shops.map(() => [2000, 3100]),
    );
  });

  it.each<[CrashPoint, object, string]>([
    ['before marketplace.updateListing', { title: 'By hand' }, 'listing.title'],
    ['after store.listings.saveJobPart("is_writing":true)', { title: 'By hand' }, 'listing.title'],
    [
      'before marketplace.updateListing',
      { products: [{ sku: 'W', price: 31 }] },
      'variations.offerings[Glaze: White].price',
    ],
    [
      'after store.listings.saveJobPart("is_inventory_sent":true)',
      { products: [{ sku: 'W', price: 31 }] },
      'variations.offerings[Glaze: White].price',
    ],
  ])('overwrites no manual edit (%s, %j)', async (point, by_hand, field) => {
    const made = await makeListing(service, { more: VARIED });
    let there: unknown;
    const ended = await meddle(made, point, async () => {
      await edit(service, made, by_hand);
      there = await describeShops(made);
    });
    expect(ended.results?.map(({ status, details }) => [status, details?.['code']])).toEqual(
      made.shops.map(() => ['error', 'DRIFT']),
    );
    const drift = ended.results?.map(({ details }) => details?.['drift'] as { field: string }[]);
    expect(drift?.map((fields) => fields.map((one) => one.field))).toEqual(made.shops.map(() => [field]));
    expect(await describeShops(made)).toEqual(there);
    for (const { diff } of ended.results ?? [])
      expect((diff ?? []).map((one) => one.field)).not.toContain(field);
    const { listing_pk } = made;
    const again = await service.call<UpdateResult>('listing_update', { listing_pk, changes: CHANGES });
    expect(again.results?.map(({ details }) => details?.['code'])).toEqual(made.shops.map(() => 'DRIFT'));
    expect(await describeShops(made)).toEqual(there);
    const after_yes = { listing_pk, changes: CHANGES, on_drift: 'overwrite' };
    const over = await service.call<UpdateResult>('listing_update', after_yes);
    expect(over.results?.map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect(await describeShops(made)).toEqual(
      made.shops.map(() => ['Stoneware cup', expect.any(String), [2500, 2200]]),
    );
  });
});

describe('an undo that found drift when it was resumed', () => {
  it.each<[CrashPoint, object, (before: [string, string, number[]]) => unknown[]]>([
    [
      'after store.listings.saveJobPart("is_writing":true)',
      { title: 'By hand' },
      ([, ...others]) => ['By hand', ...others],
    ],
    [
      'after store.listings.saveJobPart("is_inventory_sent":true)',
      { products: [{ sku: 'W', price: 31 }] },
      ([title, description]) => [title, description, [3100, 2200]],
    ],
  ])('reverts its own values, and leaves the edited ones (%s)', async (point, by_hand, toLeft) => {
    const made = await makeListing(service, { more: VARIED });
    const before = (await describeShops(made)) as [string, string, number[]][];
    await meddle(made, point, () => edit(service, made, by_hand));
    await undo(made).catch(() => undefined);
    expect(await describeShops(made)).toEqual(before.map(toLeft));
  });
});

describe('a listing whose creation was killed and resumed', () => {
  it.each<CrashPoint>([
    'before marketplace.getListingDetails',
    'before marketplace.activateListing',
    'before store.listings.finishJob',
  ])('is known as it was created: a manual edit of a price is not overwritten (%s)', async (point) => {
    power.setPoint(point);
    const making = makeListing(service, { more: VARIED });
    const job_id = await power.waitForJob(service);
    power.setPoint(undefined);
    await finish(service, job_id);
    const made = await making;
    await edit(service, made, { products: [{ sku: 'W', price: 31 }] });
    const { results } = await service.call<UpdateResult>('listing_update', {
      listing_pk: made.listing_pk,
      changes: { offerings: [{ sku: 'W', price: 25 }] },
    });
    expect(results?.map(({ details }) => details?.['code'])).toEqual(made.shops.map(() => 'DRIFT'));
  });
});

describe('a shop whose token is revoked during an update', () => {
  it('reports so, the other one is updated, and the same call does the rest after it is connected again', async () => {
    const made = await makeListing(service, { more: VARIED });
    const [first] = SANDBOX_SHOPS;
    const before = await describeShops(made);
    const ended = await meddle(made, 'before marketplace.updateListing', () =>
      service.control('POST', '/tokens/revoke', { user_id: first?.user_id }),
    );
    const revoked = made.shops.findIndex(({ shop_id }) => shop_id === first?.shop_id);
    const isRevoked = (index: number) => index === revoked;
    expect(ended.results?.map(({ status }) => status)).toEqual(
      made.shops.map((_, index) => (isRevoked(index) ? 'error' : 'ok')),
    );
    expect(ended.results?.[revoked]?.error).toMatch(/connect/i);
    const changed = ['Stoneware cup', before[0]?.[1], [2500, 2200]];
    expect(await describeShops(made)).toEqual(
      made.shops.map((_, index) => (isRevoked(index) ? before[index] : changed)),
    );
    const { listing_pk } = made;
    const refused = await service.refuse('listing_update', { listing_pk, changes: CHANGES });
    expect(refused.code).toBe('STORE_RECONNECT_REQUIRED');
    const others = made.shops.flatMap(({ shop_id }, index) => (isRevoked(index) ? [] : [shop_id]));
    const left = await service.call<UpdateResult>('listing_update', {
      listing_pk,
      changes: CHANGES,
      shops: others,
    });
    expect(left.results?.map(({ status }) => status)).toEqual(['unchanged']);
    await connectAgain(first ?? never());
    const again = await service.call<UpdateResult>('listing_update', {
      listing_pk: made.listing_pk,
      changes: CHANGES,
    });
    expect(again.results?.map(({ status }) => status)).toEqual(
      made.shops.map((_, index) => (isRevoked(index) ? 'ok' : 'unchanged')),
    );
    expect(await describeShops(made)).toEqual(made.shops.map(() => changed));
  });
});

async function connectAgain({ shop_id, user_id }: { shop_id: number; user_id: number }): Promise<void> {
  const { core, store } = service.app;
  const { account_id } = await core.accounts.getDefault();
  const sandbox = await startSandbox({ database_file: join(service.data_dir, 'sandbox.db') });
  const { access_token, refresh_token, expires_in } = sandbox.issueGrant(user_id, SCOPES);
  await sandbox.close();
  const access_expires_at = new Date(Date.now() + expires_in * 1000).toISOString();
  const tokens = { access_token, refresh_token, access_expires_at, scopes: SCOPES };
  await store.tokens.saveTokens({ account_id, shop_id }, tokens);
  await core.shops.connect({ account_id, shop_id });
}

function never(): never {
  throw new Error('the sandbox has shops');
}

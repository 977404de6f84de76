import type { ListingJobResult, UpdateResult, Warning } from '../../../answers.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { systemClock } from '../../../../src/world/clock.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../../../service.js';
import { edit, makeListing, type Made } from './rig.js';

/* Manual edits in fields an update does not touch, and which of them the saved listing adopts. */

let service: TestService;
let ahead_ms = 0;
beforeAll(async () => {
  const clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' }, { clock });
});
afterAll(() => service.close());

const update = ({ listing_pk }: Made, changes: object, more: object = {}) =>
  service.call<UpdateResult>('listing_update', { listing_pk, changes, ...more });
const getRequest = async ({ listing_pk }: Made) =>
  (await service.call<{ request: ListingRequest }>('listing_get', { listing_pk })).request;
const listTaken = (shops: readonly { warnings?: readonly Warning[] }[] = []) =>
  shops.map(({ warnings = [] }) =>
    warnings.map(({ fields, reason }) => [reason.replace(/^.*there, /s, ''), ...fields]),
  );

const TAKEN =
  'Edited on Etsy since this service last wrote it; the edit is kept, and is saved here too (a value shared by several shops is not saved here until all of them have it).';
const LEFT = 'Edited on Etsy since this service last wrote it; the edit is kept, but is not saved here.';

it("saves an edit in one shop as that shop's own value, and keeps its own price", async () => {
  const [target] = await listTargets(service);
  const images = [{ url: await upload(service, 'photo-01.jpg') }];
  const request = buildMug([{ ...target, price: 30 }], { state: 'active', images });
  const { listing_pk = 0, results } = await service.call<ListingJobResult>('listing_create', request);
  const shops = (results ?? []).map(({ shop_id, listing_id = 0 }) => ({
    shop_id: Number(shop_id),
    listing_id,
  }));
  const made = { listing_pk, shops };
  const before = await getRequest(made);
  await edit(service, made, {
    products: [{ price: 33 }],
    shop_section_id: 40118202,
    item_weight: 2,
    item_weight_unit: 'kg',
    featured_rank: 1,
  });
  const result = await update(made, { offerings: [{ quantity: 9 }] });
  expect(listTaken(result.results)).toEqual([
    [
      [TAKEN, 'listing.item_weight', 'listing.item_weight_unit', 'shops[].shop_section_id', 'listing.price'],
      [LEFT, 'listing.featured_rank'],
    ],
  ]);
  const [own] = before.shops;
  expect(await getRequest(made)).toEqual({
    ...before,
    listing: { ...before.listing, quantity: 9, item_weight: 2, item_weight_unit: 'kg' },
    shops: [{ ...own, price: 33, shop_section_id: 40118202 }],
  });
});

it('adopts a shared price if all shops have it, and otherwise for the shop that has it', async () => {
  const made = await makeListing(service);
  const [first, second] = made.shops.map((shop) => ({ ...made, shops: [shop] }));
  if (!first || !second) throw new Error('there are two');
  const readPrices = async () => {
    const { listing, shops } = await getRequest(made);
    return [listing.price, ...shops.map(({ price }) => price)];
  };
  await edit(service, made, { products: [{ price: 33 }] });
  await update(made, { offerings: [{ quantity: 8 }] });
  expect(await readPrices()).toEqual([33, undefined, undefined]);
  await edit(service, second, { products: [{ price: 35 }] });
  await update(made, { offerings: [{ quantity: 7 }] });
  expect(await readPrices()).toEqual([33, undefined, 35]);
});

it('saves stock as it was set, not as earlier sales left it', async () => {
  const made = await makeListing(service);
  await edit(service, made, { products: [{ quantity: 3 }] });
  const result = await update(made, { offerings: [{ quantity: 9 }] });
  expect(result.results?.[0]?.warnings).toMatchObject([{ code: 'sold_meanwhile' }]);
  expect((await getRequest(made)).listing.quantity).toBe(9);

  await edit(service, made, { state: 'sold_out' });
  await update(made, { offerings: [{ price: 30 }] });
  expect((await getRequest(made)).listing).toMatchObject({ quantity: 9, price: 30 });
  const shops = made.shops.map(({ shop_id }) => shop_id);
  await service.call('listing_publish', { listing_pk: made.listing_pk, state: 'active', shops, stock: 5 });
  expect((await getRequest(made)).listing.quantity).toBe(9);
});

it('reports nothing as adopted before anything is written', async () => {
  const made = await makeListing(service);
  await edit(service, made, { tags: ['theirs'] });
  const shown = await update(made, { listing: { title: 'Ours' } }, { dry_run: true });
  expect(listTaken(shown.shops)).toEqual([[[LEFT, 'listing.tags']], [[LEFT, 'listing.tags']]]);
});

it.each([
  ['a dry run of the same', { listing: { title: 'Ours' } }],
  ['a dry run of another change', { offerings: [{ price: 40 }] }],
  ['listing_get', undefined],
])('reports and adopts edits shown by %s as if they had not been shown', async (_what, shown) => {
  const made = await makeListing(service);
  const before = await getRequest(made);
  await edit(service, made, { products: [{ price: 33 }], item_weight: 2, item_weight_unit: 'kg' });
  if (shown) {
    await update(made, shown, { dry_run: true });
    await update(made, shown, { dry_run: true });
  } else {
    ahead_ms += 2 * 60_000;
    await getRequest(made);
  }
  // Only the inventory contains prices.
  const result = await update(made, { listing: { title: 'Ours' }, offerings: [{ quantity: 9 }] });
  const taken = [TAKEN, 'listing.item_weight', 'listing.item_weight_unit', 'listing.price'];
  expect(listTaken(result.results)).toEqual([[taken], [taken]]);
  expect(await getRequest(made)).toMatchObject({
    ...before,
    listing: { ...before.listing, title: 'Ours', quantity: 9, item_weight: 2, price: 33 },
  });
  const again = await update(made, { listing: { title: 'Ours once more' }, offerings: [{ quantity: 8 }] });
  expect(listTaken(again.results)).toEqual([[], []]);
});

it('adopts an edit that was shown but could not be adopted with the next update', async () => {
  const made = await makeListing(service);
  await edit(service, made, { products: [{ price: 33 }], item_weight: 2, item_weight_unit: 'kg' });
  await update(made, { offerings: [{ quantity: 9 }] }, { dry_run: true });
  const action = { type: 'status', status: 400, body: { error: 'Not today' } };
  const operation = 'updateListingPersonalization';
  const rules = made.shops.map(({ shop_id }) => ({ operation, shop_id, times: 1, action }));
  await service.control('POST', '/faults', { rules });
  const failed = await update(made, { personalization: { enabled: true, instructions: 'A name' } });
  expect(failed.results?.map(({ status }) => status)).toEqual(['error', 'error']);
  await update(made, { offerings: [{ quantity: 9 }] });
  expect((await getRequest(made)).listing).toMatchObject({ price: 33, quantity: 9, item_weight: 2 });
});

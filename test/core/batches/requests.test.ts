import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BatchAnswer } from '../../../schemas/batch.js';
import { startService, type TestService } from '../../service.js';
import { readListings, makeListing, type Made } from '../listings/update/rig.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
});
afterAll(() => service.close());

const UP = [{ field: 'price', op: 'increase_percent', value: 10 }];

const makePair = async () => [
  await makeListing(service, { photos: 1, listing: { price: 20, title: 'Bowl' } }),
  await makeListing(service, { photos: 1, listing: { price: 20, title: 'Mug' } }),
];

const plan = (made: readonly Made[], edits: object[] = UP) =>
  service.call<BatchAnswer>('batch_create', {
    select: { listing_pks: made.map(({ listing_pk }) => listing_pk) },
    edits,
  });

/** By listing, in each of its shops. */
const listPrices = (made: readonly Made[]) =>
  Promise.all(
    made.map(async (one) =>
      (await readListings(service, one)).map(
        (listing) => listing?.inventory.products[0]?.offering.price_amount,
      ),
    ),
  );

it('undoes the changes of some listings, of some shops, and then the rest', async () => {
  const made = await makePair();
  const [bowl, mug] = made;
  const { batch_id } = await plan(made);
  await service.call('batch_start', { batch_id });
  const undo = (more: object) => service.call<BatchAnswer>('batch_undo', { batch_id, ...more });
  await undo({ listing_pks: [bowl?.listing_pk, 999] });
  expect(await listPrices(made)).toEqual([
    [2_000, 2_000],
    [2_200, 2_200],
  ]);
  await undo({ shops: [mug?.shops[0]?.shop_id] });
  expect(await listPrices(made)).toEqual([
    [2_000, 2_000],
    [2_000, 2_200],
  ]);
  expect((await undo({})).counts).toMatchObject({ ok: 1, unchanged: 3 });
  const { code, message } = await service.refuse('batch_undo', { batch_id, listing_pks: [999] });
  expect([code, message]).toEqual(['NOTHING_TO_UNDO', expect.stringContaining('none of these listings')]);
});

const refuse = async (operation: string, input: object) =>
  (await service.refuse(operation, input)).message.split('\n');

it('refuses unknown keys, which could change more listings than intended', async () => {
  const made = await makePair();
  const { batch_id } = await plan(made);
  expect(await refuse('batch_start', { batch_id, listing_pks: [1], dry_run: true })).toEqual([
    'listing_pks: is unknown; known keys: batch_id, confirm, idempotency_key',
    'dry_run: is unknown; known keys: batch_id, confirm, idempotency_key',
  ]);
  expect(await refuse('batch_undo', { batch_id, shop_ids: [1] })).toEqual([
    'shop_ids: is unknown; here it is called "shops"',
  ]);
  const edits = [{ field: 'price', op: 'increase_by', amount: 2 }];
  expect(await refuse('batch_create', { filter: { tags: 'oat' }, edits, currency: 'USD' })).toEqual([
    'filter: is unknown; it belongs in select.filter',
    'edits[0].amount: is unknown; here it is called "value"',
    'currency: is unknown; it belongs in select.filter.currency or edits[].currency',
  ]);
  expect(await listPrices(made)).toEqual([
    [2_000, 2_000],
    [2_000, 2_000],
  ]);
});

it('refuses keys of a merge patch that nothing reads, but accepts those of a copy', async () => {
  const made = await makePair();
  const select = { listing_pks: made.map(({ listing_pk }) => listing_pk) };
  const edits = [{ field: 'any', op: 'merge', value: { title: 'Bowl', offerings: [{ glaze: 'White' }] } }];
  const { message } = await service.refuse('batch_create', { select, edits });
  expect(message).toBe('edits[0].value.title: is unknown; it belongs in listing.title');
  const shops = [{ shop_id: made[0]?.shops[0]?.shop_id, shipping_profile_id: 1 }];
  const copied = await plan(made, [{ field: 'copy', op: 'to', shops }]);
  expect(copied.warnings).toEqual([]);
});

it('reports fields that the marketplace cannot change', async () => {
  const made = await makeListing(service, { photos: 1 });
  const planned = await plan([made], [{ field: 'styles', op: 'set', value: ['Minimalist'] }]);
  expect(planned.items?.map(({ status, issues }) => [status, issues[0]?.code])).toEqual([
    ['unchanged', 'not_changeable'],
    ['unchanged', 'not_changeable'],
  ]);
});

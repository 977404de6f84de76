import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BatchAnswer } from '../../../schemas/batch.js';
import type { BatchSpec } from '../../../src/core/ports/index.js';
import { buildMug, CLAY, LINEN, listTargets, startService, type TestService } from '../../service.js';
import { edit, makeListing } from '../listings/update/rig.js';
import { listCodes, openBatches } from './rig.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
});
afterAll(() => service.close());

const TITLE = [{ field: 'title', op: 'append', value: ' in oat' }];
const create = (input: object) => service.call<BatchAnswer>('batch_create', input);
const refuse = async (input: object) => (await service.refuse('batch_create', input)).message;

it('points to listing_import if a shop has more listings than are managed here', async () => {
  for (const { shop_id } of [CLAY, LINEN]) {
    const input = { shop_id, state: 'active' };
    const { listings } = await service.call<{ listings: { listing_id: number }[] }>('store_listings', input);
    const listing_ids = listings.map(({ listing_id }) => listing_id);
    if (listing_ids.length > 0) await service.call('listing_import', { shop_id, listing_ids });
    await service.call('store_sync', { shop_id });
  }
  const none = { select: { filter: { tag: 'none of these' } }, edits: TITLE };
  expect(await refuse(none)).toContain('listings_list');
  await service.control('POST', '/listings', { shop_id: CLAY.shop_id, is_plain: true });
  expect(await refuse(none)).toContain('listing_import');
  const filter = { ...none.select.filter, shop_id: LINEN.shop_id };
  expect(await refuse({ ...none, select: { filter } })).toContain('listings_list');
});

it('refuses listings that no shop has yet, for each shop of their request', async () => {
  const targets = await listTargets(service);
  const saved = await service.call<{ listing_pk: number }>(
    'listing_create',
    buildMug(targets, { state: 'draft', idempotency_key: 'only-saved' }),
  );
  const made = await makeListing(service, { photos: 1 });
  const select = { listing_pks: [saved.listing_pk, made.listing_pk] };
  const { counts, items } = await create({ select, edits: TITLE });
  expect(counts).toMatchObject({ listings: 2, items: 4, changed: 2, refused: 2 });
  const refused = items?.filter(({ listing_pk }) => listing_pk === saved.listing_pk) ?? [];
  expect(listCodes(refused)).toEqual(targets.map(() => ['refused', 'item_not_there']));
  expect(refused.map(({ shop_id }) => shop_id)).toEqual(targets.map(({ shop_id }) => String(shop_id)));
});

it('refuses listings that no shop has yet if a filter selects them together with others', async () => {
  const targets = await listTargets(service);
  const request = buildMug(targets, { state: 'draft', idempotency_key: 'only-here' });
  const listing = { ...(request as { listing: object }).listing, title: 'Teapot, only here' };
  const saved = await service.call<{ listing_pk: number }>('listing_create', { ...request, listing });
  const select = { filter: { keywords: 'Teapot' } };
  expect(await refuse({ select, edits: TITLE })).toContain('select.filter');
  await makeListing(service, { photos: 1, listing: { title: 'Teapot' } });
  const { counts, items } = await create({ select, edits: TITLE });
  expect(counts).toMatchObject({ listings: 2, changed: 2, refused: 2 });
  const refused = items?.filter(({ listing_pk }) => listing_pk === saved.listing_pk) ?? [];
  expect(listCodes(refused)).toEqual(targets.map(() => ['refused', 'item_not_there']));
});

it('asks for a currency only if the selected listings are in shops with several currencies', async () => {
  const [, linen] = await listTargets(service);
  const only = await makeListing(service, { photos: 1, more: { shops: [linen] } });
  const both = await makeListing(service, { photos: 1 });
  const price = { field: 'price', op: 'set', value: 30 };
  const select = { listing_pks: [only.listing_pk] };
  expect((await create({ select, edits: [price] })).counts).toMatchObject({ items: 1, changed: 1 });
  expect(await refuse({ select, edits: [{ ...price, currency: 'USD' }] })).toContain('edits[0].currency');
  expect(
    await refuse({ select: { listing_pks: [only.listing_pk, both.listing_pk] }, edits: [price] }),
  ).toContain('edits[0].currency');
});

it('answers a repeated call with its batch, even if the filter no longer matches anything', async () => {
  const made = await makeListing(service, { photos: 1, listing: { tags: ['repeated'] } });
  const input = { select: { filter: { tag: 'repeated' } }, edits: TITLE, idempotency_key: 'repeated' };
  const { batch_id } = await create(input);
  await edit(service, made, { tags: ['other'] });
  await service.call('listing_update', {
    listing_pk: made.listing_pk,
    changes: { listing: { tags: ['other'] } },
    on_drift: 'overwrite',
  });
  expect(await refuse({ ...input, idempotency_key: 'another' })).toContain('select.filter');
  expect((await create(input)).batch_id).toBe(batch_id);
  const other = await service.refuse('batch_create', { ...input, select: { filter: { tag: 'x' } } });
  expect(other.code).toBe('IDEMPOTENCY_KEY_REUSED');
});

it('refuses item_status without batch_id', async () => {
  const made = await makeListing(service, { photos: 1 });
  const select = { listing_pks: [made.listing_pk], item_status: 'error' };
  expect(await refuse({ select, edits: TITLE })).toBe(
    'select.item_status: can be used only with batch_id. Remove it, or name a batch',
  );
  const { code, message } = await service.refuse('batches_list', { item_status: 'error' });
  expect([code, message]).toEqual([
    'VALIDATION_FAILED',
    'item_status: can be used only with batch_id. Remove it, or name a batch',
  ]);
});

it('answers at once with the next call to make if a plan has more than 50 listings', async () => {
  const targets = await listTargets(service);
  const listing_pks: number[] = [];
  for (let index = 0; index < 51; index += 1) {
    const draft = buildMug(targets, { state: 'draft', idempotency_key: `draft-${index}` });
    listing_pks.push((await service.call<{ listing_pk: number }>('listing_create', draft)).listing_pk);
  }
  const few = await create({ select: { listing_pks: listing_pks.slice(1) }, edits: TITLE });
  expect(few.status).toBe('planned');
  const many = await create({ select: { listing_pks }, edits: TITLE });
  expect(many).toMatchObject({ status: 'planning', counts: { changed: 0 } });
  expect(many.message).toMatch(/^Planning 51 listings: \d+ items so far\. /);
  expect(many.message).toContain(`batches_list with batch_id ${many.batch_id} until its status is planned`);
  await openBatches(service).follow(many, 'planned');
});

it('refuses a plan if too many are open, until one is started, is canceled or expires', async () => {
  const { store } = service.app;
  const { account_id } = await service.app.core.accounts.getDefault();
  const made = await makeListing(service, { photos: 1 });
  const input = { select: { listing_pks: [made.listing_pk] }, edits: TITLE };
  const planned = await create(input);
  for (let index = 1, isFull = false; !isFull; index += 1) {
    const ids = { batch_id: `batch_${index}`, job_id: `job_${index}` };
    const spec: BatchSpec = { kind: 'edit', edits: [], places: [], on_drift: 'refuse' };
    const more = { warnings: [], life_ms: 60_000, key: null, digest: 'digest' };
    const creating = store.batches.createBatch({
      account_id,
      ...ids,
      spec,
      ...more,
      most: { open_plans: 100 },
    });
    isFull = await creating.then(
      () => false,
      () => true,
    );
  }
  const { code, message, hint } = await service.refuse('batch_create', input);
  expect([code, message]).toEqual([
    'QUOTA_EXCEEDED',
    'The account has 100 plans waiting to be started, which is the maximum.',
  ]);
  expect(hint).toContain('batch_cancel');
  await openBatches(service).cancel(planned);
  expect((await create(input)).status).toBe('planned');
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListingJobResult } from '../../../answers.js';
import type { UpdateResult } from '../../../answers.js';
import { startService, type TestService } from '../../../service.js';
import { countCalls, edit, makeListing, type Made } from '../update/rig.js';

/* Deactivating and activating: a read per shop, and the write with what it removes. A dry run only reads. */

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
});
afterAll(() => service.close());

type Calls = Record<string, number>;

async function count(operation: string, input: object): Promise<Calls> {
  return countCalls(service, async () => {
    const { results = [] } = await service.call<ListingJobResult>(operation, input);
    expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
  });
}

async function expectCalls(
  { listing_pk }: Made,
  asked: object,
  { dry, wanted }: { dry: Calls; wanted: Calls },
): Promise<void> {
  const input = { listing_pk, ...asked };
  expect(await count('listing_publish', { ...input, dry_run: true })).toEqual(dry);
  expect(await count('listing_publish', input)).toEqual(wanted);
}

async function expectUndoReported({ listing_pk }: Made): Promise<void> {
  const shown = await service.call<UpdateResult>('listing_undo', { listing_pk, dry_run: true });
  const calls = await count('listing_undo', { listing_pk });
  expect(shown.marketplace_calls).toBe(Object.values(calls).reduce((sum, count) => sum + count, 0));
}

const LOOK = { getListing: 2 };
const WRITE = { getListing: 6, updateListing: 2 };
const translations = { de: { title: 'Becher', description: 'Ein Becher.', tags: [] } };
const toShops = ({ shops }: Made) => shops.map(({ shop_id }) => shop_id);

describe('the calls of a listing in two shops', () => {
  it('match deactivating it, and activating it again for free', async () => {
    const made = await makeListing(service, { photos: 1 });
    await expectCalls(made, { state: 'inactive' }, { dry: LOOK, wanted: WRITE });
    await expectCalls(made, { state: 'inactive' }, { dry: LOOK, wanted: LOOK });
    await expectCalls(made, { state: 'active', shops: toShops(made) }, { dry: LOOK, wanted: WRITE });
    await expectUndoReported(made);
  });

  it('match deactivating it with translations, which are written again', async () => {
    const made = await makeListing(service, { photos: 1 });
    await edit(service, made, { translations });
    const wanted = { ...WRITE, createListingTranslation: 2 };
    await expectCalls(made, { state: 'inactive' }, { dry: LOOK, wanted });
    await expectUndoReported(made);
  });

  it('match activating it for a fee after it sold out', async () => {
    const made = await makeListing(service, { photos: 1 });
    for (const { listing_id } of made.shops) {
      await service.control('POST', `/listings/${listing_id}/state`, { state: 'sold_out' });
    }
    const wanted = { ...LOOK, getListingInventory: 4, updateListing: 2, updateListingInventory: 2 };
    await expectCalls(made, { state: 'active', stock: 5, shops: toShops(made) }, { dry: LOOK, wanted });
  });
});

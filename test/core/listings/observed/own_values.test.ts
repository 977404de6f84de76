import type { ListingJobResult } from '../../../answers.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildMug, listTargets, startService, type TestService } from '../../../service.js';

/* A shop's own value is not a manual edit. */

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const listDiffering = async (listing_pk: number) => {
  const { shops } = await service.call<{ shops: { differs?: { field: string }[] }[] }>('listing_get', {
    listing_pk,
  });
  return shops.map(({ differs }) => differs?.map(({ field }) => field));
};

it('does not report the title given to a copy as edited there', async () => {
  const [first, second] = await listTargets(service);
  const { listing_pk = 0 } = await service.call<ListingJobResult>(
    'listing_create',
    buildMug(first ? [first] : [], { state: 'publish' }),
  );
  const { status } = await service.call<ListingJobResult>('listing_copy', {
    listing_pk,
    shops: [{ ...second, price: 30 }],
    changes: { listing: { title: 'A mug for the other shop' } },
    state: 'publish',
  });
  expect(status).toBe('completed');
  expect(await listDiffering(listing_pk)).toEqual([undefined, undefined]);
  const { account_id } = await service.app.core.accounts.getDefault();
  expect(await service.app.core.listings.listChangedElsewhere(account_id)).toEqual([]);
});

it('stores a tag once that the request has twice, and does not report it as edited', async () => {
  const [first] = await listTargets(service);
  const mug = buildMug(first ? [first] : [], { state: 'publish' });
  const { listing_pk = 0 } = await service.call<ListingJobResult>('listing_create', {
    ...mug,
    listing: { ...mug.listing, title: 'Tagged mug', tags: ['Mug', 'clay', 'mug'] },
  });
  expect(await listDiffering(listing_pk)).toEqual([undefined]);
});

import type { ImportJobResult, ListingJobResult } from '../../answers.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLAY, LINEN, startService, TARGETS, type TestService } from '../../service.js';

/*
 * While the outcome of a creation in one shop is unknown, its texts are kept: they are used to search for the
 * listing.
 */

type World = { listings: { shop_id: number; fields: { title: string } }[] };

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const readState = () => service.control<World>('GET', '/state');
const countThere = async (title: string) =>
  (await readState()).listings.filter(
    ({ shop_id, fields }) => shop_id === LINEN.shop_id && fields.title === title,
  ).length;
const take = (listing_ids: number[], more: object = {}) =>
  service.call<ImportJobResult>('listing_import', { shop_id: CLAY.shop_id, listing_ids, ...more });

/** A listing of one shop, whose copy in the other one was made without an answer. */
async function makeOpen(title: string) {
  const { listing_ids } = await service.control<{ listing_ids: [number] }>('POST', '/listings', {
    shop_id: CLAY.shop_id,
    is_plain: true,
    title,
  });
  const imported = await take(listing_ids);
  const listing_pk = imported.results[0]?.listing_pk;
  await service.control('POST', '/faults', {
    rules: [
      { operation: 'createDraftListing', times: 1, action: { type: 'commit_then_reset' } },
      { operation: 'getListingsByShop', times: 20, action: { type: 'status', status: 400, body: {} } },
    ],
  });
  const copy = {
    listing_pk,
    shops: [{ ...TARGETS.linen, shop_section_id: null, price: 21 }],
    state: 'publish',
  };
  const { job_id, results } = await service.call<ListingJobResult>('listing_copy', copy);
  expect(results).toMatchObject([{ status: 'error' }]);
  await service.control('DELETE', '/faults');
  return { listing_ids, listing_pk, job_id };
}

it('keeps the texts it searches for when another shop is refreshed, because an edit there belongs to that shop', async () => {
  const { listing_ids, listing_pk } = await makeOpen('Open mug');
  await service.control('POST', `/listings/${listing_ids[0]}/edit`, { title: 'Mug by hand' });
  expect((await take(listing_ids)).results).toMatchObject([{ status: 'refreshed' }]);
  const published = await service.call<ListingJobResult>('listing_publish', {
    listing_pk,
    state: 'publish',
    shops: [LINEN.shop_id],
  });
  expect(published.results).toMatchObject([{ status: 'ok' }]);
  expect([await countThere('Open mug'), await countThere('Mug by hand')]).toEqual([1, 0]);
  expect((await take(listing_ids)).results).toMatchObject([{ status: 'refreshed' }]);
});

it('makes an update of another shop wait for it', async () => {
  const { listing_pk, job_id } = await makeOpen('Second open mug');
  const changes = { listing: { title: 'Second mug, changed' } };
  const refused = await service.invoke('listing_update', { listing_pk, changes });
  const published = await service.call<ListingJobResult>('listing_publish', {
    listing_pk,
    state: 'publish',
    shops: [LINEN.shop_id],
  });
  expect(published.results).toMatchObject([{ status: 'ok' }]);
  expect([await countThere('Second open mug'), await countThere('Second mug, changed')]).toEqual([1, 0]);
  expect(refused).toMatchObject({ ok: false, error: { error: { code: 'LISTING_BUSY' } } });
  expect(JSON.stringify(refused)).toContain(job_id);
});

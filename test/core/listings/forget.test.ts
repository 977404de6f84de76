import type { ListingJobResult } from '../../answers.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/world/clock.js';
import { buildMug, listTargets, startService, type TestService } from '../../service.js';

/* Listings that are no longer on the marketplace are forgotten here, and no others. */

let service: TestService;
let ahead_ms = 0;
let listing_pk: number;
let listing_ids: number[];

beforeEach(async () => {
  ahead_ms = 0;
  const clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
  service = await startService({}, { clock });
  const made = await service.call<ListingJobResult>(
    'listing_create',
    buildMug(await listTargets(service), { state: 'publish' }),
  );
  listing_pk = made.listing_pk ?? 0;
  listing_ids = (made.results ?? []).map(({ listing_id = 0 }) => listing_id);
});
afterEach(() => service.close());

const remove = (index: number) =>
  service.control('POST', `/listings/${listing_ids[index]}/edit`, { state: 'removed' });

it('forgets a listing that is removed or gone in all its shops, after reading it at that moment', async () => {
  await remove(0);
  ahead_ms = 2 * 60_000;
  expect((await service.refuse('listing_delete', { listing_pk })).code).toBe('NOT_DELETABLE');
  await remove(1);
  ahead_ms += 2 * 60_000;
  expect(await service.call('listing_delete', { listing_pk })).toEqual({ listing_pk, deleted: true });
  expect((await service.refuse('listing_get', { listing_pk })).code).toBe('LISTING_NOT_FOUND');
  const { calls } = await service.control<{ calls: Record<string, number> }>('GET', '/state');
  expect(calls['deleteListing']).toBeUndefined();
});

it('keeps a listing in a shop that does not answer', async () => {
  await remove(0);
  await remove(1);
  const rules = [{ operation: 'getListing', times: 99, action: { type: 'status', status: 503 } }];
  await service.control('POST', '/faults', { rules });
  ahead_ms = 2 * 60_000;
  expect((await service.refuse('listing_delete', { listing_pk })).code).toBe('NOT_DELETABLE');
});

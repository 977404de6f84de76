import type { UpdateResult } from '../../../answers.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type TestService } from '../../../service.js';
import { countCalls, makeListing } from './rig.js';

/* Problems in fields an update does not touch do not prevent it. */

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
});
afterAll(() => service.close());

/** An id that no section and no profile has. */
const GONE = 999_999;

it('refuses no update of other fields for ids that are gone from the shop, and makes no calls for them', async () => {
  const { listing_pk, shops } = await makeListing(service);
  const [{ shop_id, listing_id } = { shop_id: 0, listing_id: 0 }] = shops;
  await service.control('POST', `/listings/${listing_id}/edit`, {
    shop_section_id: GONE,
    return_policy_id: GONE,
  });
  const { job_id } = await service.call('listing_import', { shop_id, listing_ids: [listing_id] });
  await expect
    .poll(async () => (await service.call('listing_create_status', { job_id }))['status'])
    .toBe('completed');
  const update = (own: object) =>
    service.call<UpdateResult>('listing_update', { listing_pk, changes: { shops: [{ shop_id, ...own }] } });
  const calls = await countCalls(service, async () => {
    expect((await update({ price: 25 })).results).toMatchObject([{ status: 'ok' }]);
  });
  expect(Object.keys(calls).filter((name) => /Section|Polic|Profile/.test(name))).toEqual([]);

  const { message } = await service.refuse('listing_update', {
    listing_pk,
    changes: { shops: [{ shop_id, shop_section_id: GONE }] },
  });
  expect(message).toMatch(/^changes\.shops\[0\]\.shop_section_id: "ClayAndOak" has no shop section 999999/);
  expect(message.split('\n')).toHaveLength(1);
});

import { expect, it, onTestFinished } from 'vitest';
import { buildEmptyUpdate } from '../../../../src/core/listings/update/run/progress.js';
import { startService } from '../../../service.js';
import { buildSnapshot } from './pieces.js';
import { finish, look, makeJob, makeListing } from './rig.js';

const MINUTE_MS = 60_000;
const FIVE_MONTHS_MS = 5 * 31 * 24 * 60 * MINUTE_MS;

it('what was free to put on sale when it was decided is not paid for when it is taken up later', async () => {
  const service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  onTestFinished(() => service.close());
  const made = await makeListing(service);
  const { listing_pk, shops } = made;
  await service.call('listing_publish', { listing_pk, state: 'inactive' });
  const countFees = async () => (await service.control<{ fees: unknown[] }>('GET', '/state')).fees.length;
  const fees = await countFees();

  const { listings } = service.app.store;
  const { account_id, job_id } = await makeJob(
    service,
    made,
    { kind: 'state', state: 'active', is_paid: false, seen_state: 'inactive' },
    'on_sale',
  );
  const claim = await listings.claimJob(account_id, job_id, MINUTE_MS);
  if (!claim) throw new Error('the job could not be claimed');
  const { listing } = buildSnapshot();
  for (const { shop_id, listing_id } of shops) {
    const before = { listing: { ...listing, listing_id, shop_id, state: 'inactive' as const } };
    const progress = { ...buildEmptyUpdate(), before, target: { state: 'active' as const } };
    await listings.saveJobPart(claim, { part_id: shop_id, progress });
  }
  await listings.releaseClaim(claim);
  const listing_ids = shops.map(({ listing_id }) => listing_id);
  await service.control('POST', '/clock', { advance_ms: FIVE_MONTHS_MS, listing_ids });

  const { results } = await finish(service, job_id);
  expect(await countFees()).toBe(fees);
  expect(results).toMatchObject([{ status: 'error' }, { status: 'error' }]);
  expect(results?.[0]?.error).toMatch(/would cost a fee now/);
  expect((await look(service, made)).map((there) => there?.state)).toEqual(['inactive', 'inactive']);
});

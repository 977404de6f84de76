import type { JobEnd } from '../../../../src/core/ports/index.js';
import { buildEmptyProgress } from '../../../../src/core/ports/listing/progress.js';
import { buildListing, buildPlan } from '../../../store/samples/listing_samples.js';
import { CLAY, type OrderRig } from '../../orders/rig.js';

/** Managed listings in the sandbox's first shop that were never checked since. */
export async function manage(
  { store }: Pick<OrderRig, 'store'>,
  account_id: string,
  listing_ids: readonly number[],
): Promise<number[]> {
  const { shop_id } = CLAY;
  const made: number[] = [];
  for (const listing_id of listing_ids) {
    const job_id = `job_${account_id}_${listing_id}`;
    const created = await store.listings.createListing(
      {
        ...buildListing(account_id, { digest: job_id }),
        request: {
          state: 'publish',
          shops: [{ shop_id }],
          listing: {
            title: 'Oak bowl',
            description: 'Turned by hand.',
            listing_type: 'physical',
            taxonomy_id: 1,
            price: 40,
            quantity: 1,
          },
        },
        job: { job_id, plan: buildPlan([shop_id]), state: 'publish' },
      },
      0,
    );
    if (created.match !== 'created') throw new Error('each is another');
    const claim = await store.listings.claimJob(account_id, job_id, 60_000);
    if (!claim) throw new Error('no other claim exists');
    const publications = [{ shop_id, listing_id, progress: buildEmptyProgress() }];
    const end: JobEnd = { status: 'completed', results: [], error_message: null, publications };
    await store.listings.finishJob(claim, end);
    made.push(created.listing.listing_pk);
  }
  return made;
}

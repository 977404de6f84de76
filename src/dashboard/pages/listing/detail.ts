import type { z } from 'zod/v3';
import type { ShopResult } from '../../../../schemas/job.js';
import type { listingDetail, ListingHistory } from '../../../../schemas/listing.js';
import type { Operations } from '../../operations.js';
import type { PageTask } from '../../../core/ports/index.js';
import type { Tasks } from '../../tasks.js';

/** A listing with everything that its page shows. */
export type Detail = z.output<typeof listingDetail> & {
  history: ListingHistory;
  task: PageTask | undefined;
  /** The progress in each shop of a running job that changes the listing; undefined without one. */
  change: readonly ShopResult[] | undefined;
};

/** Throws RefusedError LISTING_NOT_FOUND. */
export async function getDetail(
  { operations, account_id }: { operations: Operations; account_id: string },
  tasks: Tasks,
  listing_pk: number,
): Promise<Detail> {
  const { history = { jobs: [], shops: [] }, ...listing } = await operations.call('listing_get', {
    listing_pk,
    history: true,
  });
  const running = history.jobs.find(({ status, kind }) => status === 'processing' && kind !== 'publish');
  const change =
    running && (await operations.call('listing_create_status', { job_id: running.job_id })).results;
  return { ...listing, history, change, task: await tasks.find({ account_id, listing_pk }) };
}

/** Whether the listing is going to change without another step of the seller. */
export function isMoving({ status, change, task }: Detail): boolean {
  return status === 'processing' || change !== undefined || task?.status === 'running';
}

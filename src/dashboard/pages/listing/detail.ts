import type { z } from 'zod/v3';
import type { ShopResult } from '../../../../schemas/job.js';
import { listingDetail, type ListingHistory } from '../../../../schemas/listing.js';
import type { PageTask } from '../../../core/ports/index.js';
import type { OwnVisit } from '../../page.js';
import type { Tasks } from '../../tasks.js';

/** A listing with everything that its page shows. */
export type Detail = z.output<typeof listingDetail> & {
  history: ListingHistory;
  task: PageTask | undefined;
  /** The progress in each shop of a running job that changes the listing; undefined without one. */
  change: readonly ShopResult[] | undefined;
};

type Visitor = Pick<OwnVisit, 'operations' | 'core' | 'account_id'>;

/** For a page that shows the listing as it is in its shops now. Throws RefusedError LISTING_NOT_FOUND. */
export async function getDetail(visitor: Visitor, tasks: Tasks, listing_pk: number): Promise<Detail> {
  const detail = await visitor.operations.call('listing_get', { listing_pk, history: true });
  return complete(visitor, tasks, detail);
}

/** For every other page. Throws ServiceError LISTING_NOT_FOUND. */
export async function peekDetail(visitor: Visitor, tasks: Tasks, listing_pk: number): Promise<Detail> {
  const { core, account_id } = visitor;
  const detail = await core.listings.peek(account_id, { listing_pk, history: true });
  return complete(visitor, tasks, listingDetail.parse(detail));
}

async function complete(
  { operations, account_id }: Visitor,
  tasks: Tasks,
  { history = { jobs: [], shops: [], fees: [] }, ...listing }: z.output<typeof listingDetail>,
): Promise<Detail> {
  const { listing_pk } = listing;
  const running = history.jobs.find(({ status, kind }) => status === 'processing' && kind !== 'publish');
  const change =
    running && (await operations.call('listing_create_status', { job_id: running.job_id })).results;
  return { ...listing, history, change, task: await tasks.find({ account_id, listing_pk }) };
}

/** Whether the listing is going to change without another step of the seller. */
export function isMoving({ status, change, task }: Detail): boolean {
  return status === 'processing' || change !== undefined || task?.status === 'running';
}

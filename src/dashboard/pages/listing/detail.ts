import type { ShopResult } from '../../../../schemas/job.js';
import type { ListingDetail, ListingHistory } from '../../../../schemas/listing.js';
import type { PageTask } from '../../../core/ports/index.js';
import type { OwnVisit } from '../../page.js';
import type { Tasks } from '../../tasks.js';

/** A listing with everything that its page shows. */
export type Detail = ListingDetail & {
  history: ListingHistory;
  task: PageTask | undefined;
  /** The progress in each shop of a running job that changes the listing; undefined without one. */
  change: readonly ShopResult[] | undefined;
};

type Visitor = Pick<OwnVisit, 'core' | 'account_id'>;

/** For a page that shows the listing's current state in its shops. Throws ServiceError LISTING_NOT_FOUND. */
export async function getDetail(visitor: Visitor, tasks: Tasks, listing_pk: number): Promise<Detail> {
  const { core, account_id } = visitor;
  const detail = await core.listings.get(account_id, { listing_pk, history: true });
  return complete(visitor, tasks, detail);
}

/** For every other page. Throws ServiceError LISTING_NOT_FOUND. */
export async function peekDetail(visitor: Visitor, tasks: Tasks, listing_pk: number): Promise<Detail> {
  const { core, account_id } = visitor;
  const detail = await core.listings.peek(account_id, { listing_pk, history: true });
  return complete(visitor, tasks, detail);
}

async function complete(
  { core, account_id }: Visitor,
  tasks: Tasks,
  { history = { jobs: [], shops: [], fees: [] }, ...listing }: ListingDetail,
): Promise<Detail> {
  const { listing_pk } = listing;
  const running = history.jobs.find(({ status, kind }) => status === 'processing' && kind !== 'publish');
  const change = running && (await core.listings.listShopResults(account_id, running.job_id));
  return { ...listing, history, change, task: await tasks.find({ account_id, listing_pk }) };
}

/** Whether the listing will change without another step by the seller. */
export function isMoving({ status, change, task }: Detail): boolean {
  return status === 'processing' || change !== undefined || task?.status === 'running';
}

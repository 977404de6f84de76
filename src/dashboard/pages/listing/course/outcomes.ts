import type { ShopResult } from '../../../../../schemas/job.js';
import { isLeftOut } from '../../changes/jobs/words.js';
import type { OwnVisit } from '../../../page.js';
import type { Detail } from '../detail.js';

/** The results of changes in each shop, by job_id. */
export type Outcomes = ReadonlyMap<string, readonly ShopResult[]>;

/** Older changes are shown without their results, which their own pages have. */
const MOST = 20;

/** Of the last changes that are finished; a publication's steps are part of the history. */
export async function listOutcomes(
  { core, account_id }: Pick<OwnVisit, 'core' | 'account_id'>,
  { history }: Pick<Detail, 'history'>,
): Promise<Outcomes> {
  const changes = history.jobs.filter(({ kind, status }) => kind !== 'publish' && status !== 'processing');
  return new Map(
    await Promise.all(
      changes
        .slice(-MOST)
        .map(
          async ({ job_id }) => [job_id, await core.listings.listShopResults(account_id, job_id)] as const,
        ),
    ),
  );
}

/** Without those that a person's cancellation left out. */
export function listFailed(results: readonly ShopResult[] = []): ShopResult[] {
  return results.filter((result) => result.status === 'error' && !isLeftOut(result));
}

export function nameShop({ shop_id, shop_name }: ShopResult): string {
  return shop_name ?? `shop ${shop_id}`;
}

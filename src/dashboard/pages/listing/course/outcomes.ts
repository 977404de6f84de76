import type { ShopResult } from '../../../../../schemas/job.js';
import { isSkipped } from '../../changes/jobs/words.js';
import type { OwnVisit } from '../../../page.js';
import type { Detail } from '../detail.js';

/** The results of changes in each shop, by job_id. */
export type Outcomes = ReadonlyMap<string, readonly ShopResult[]>;

/** Only this many changes are listed with results; older ones link to their own pages. */
const MOST = 20;

/** Reads the results of the latest finished changes, except publications, whose steps are in the history. */
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

/** Excludes shops that were skipped because a person canceled the job. */
export function listFailed(results: readonly ShopResult[] = []): ShopResult[] {
  return results.filter((result) => result.status === 'error' && !isSkipped(result));
}

export function nameShop({ shop_id, shop_name }: ShopResult): string {
  return shop_name ?? `shop ${shop_id}`;
}

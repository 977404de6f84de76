import pLimit from 'p-limit';
import type { ImportResult } from '../../../../schemas/import.js';
import type { ImportProgress } from '../../ports/listing/progress.js';
import type { Fact } from '../../../../schemas/issue.js';
import { quoteName } from '../../text/foreign.js';
import type { Uploads } from '../../uploads/uploads.js';
import type { WorkPorts } from '../run/context.js';
import { buildCanceled, findCancellation } from '../engine/cancel.js';
import { toJobFailure, isTransient } from '../engine/failures.js';
import type { KindRunner } from '../jobs/hold.js';
import { importListing } from './import_listing.js';

const AGAIN = { operation: 'listing_import' } as const;
/** Listings read at a time; the marketplace client keeps the limits. */
const PARALLEL = 4;

/** Runs an import, listing by listing. */
export function createImportRunner(ports: WorkPorts & { uploads: Uploads }): KindRunner<'import'> {
  const { store, log } = ports;

  return async ({ account_id, job_id, plan }, hold, meter) => {
    const { claim } = hold;
    const parts = await store.listings.listJobParts<ImportProgress>(account_id, job_id);
    const results = new Map(parts.map(({ part_id, progress }) => [part_id, progress.result]));
    meter.setTotal(plan.listing_ids.length);
    const name = quoteName(plan.shop_name);
    for (const { title = '' } of results.values()) meter.advance(`${name}: ${quoteName(title)}`);
    const atOnce = pLimit(PARALLEL);
    const left = plan.listing_ids.filter((listing_id) => !results.has(listing_id));
    const outcomes = await Promise.allSettled(left.map((listing_id) => atOnce(() => importOne(listing_id))));
    const thrown = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    );
    const passing = thrown.find(isTransient);
    if (passing !== undefined) throw passing;
    const [cause] = thrown;
    if (cause !== undefined) log.error('job failed', { job_id, error: cause });
    const failure = cause === undefined ? undefined : toJobFailure(cause, AGAIN);
    const ended = plan.listing_ids.map(
      (listing_id) => results.get(listing_id) ?? buildUnreached(listing_id, failure),
    );
    return {
      status: failure ? 'failed' : 'completed',
      results: ended,
      error_message: failure ?? findCancellation(ended),
    };

    async function importOne(listing_id: number): Promise<void> {
      hold.checkStop();
      if (await store.listings.isCanceled(account_id, job_id)) return;
      const result = await importListing(ports, hold, plan, listing_id);
      results.set(listing_id, result);
      if (result.status === 'error') {
        log.info('a listing was not imported', { job_id, listing_id, code: result.details?.code });
        await store.listings.saveJobPart(claim, { part_id: listing_id, progress: { result } });
      }
      const { title } = result;
      const what = title === undefined ? `listing ${listing_id}` : quoteName(title);
      meter.advance(`${name}: ${what} ${result.status === 'error' ? 'was not imported' : result.status}`);
    }
  };
}

/** The result of a listing if the job failed or was canceled before reaching it. */
function buildUnreached(listing_id: number, failure: Fact | undefined): ImportResult {
  const common = { listing_id, status: 'error' as const, warnings: [] };
  if (!failure) return { ...common, error: buildCanceled('start', AGAIN) };
  return { ...common, error: failure, details: { code: 'INTERNAL' } };
}

import pLimit from 'p-limit';
import type { ImportResult } from '../../../../schemas/import.js';
import type { ImportProgress } from '../../ports/listing/progress.js';
import type { Fact } from '../../../../schemas/issue.js';
import { quoteName } from '../../text/foreign.js';
import type { Uploads } from '../../uploads/uploads.js';
import type { WorkPorts } from '../run/context.js';
import { toJobFailure, isPassing } from '../engine/failures.js';
import type { KindRunner } from '../jobs/hold.js';
import { importListing } from './import_listing.js';

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
    const passing = thrown.find(isPassing);
    if (passing !== undefined) throw passing;
    const [cause] = thrown;
    if (cause !== undefined) log.error('job failed', { job_id, error: cause });
    const error_message = cause === undefined ? null : toJobFailure(cause, { operation: 'listing_import' });
    return {
      status: error_message === null ? 'completed' : 'failed',
      results: plan.listing_ids.map(
        (listing_id) => results.get(listing_id) ?? buildUnknown(listing_id, error_message),
      ),
      error_message,
    };

    async function importOne(listing_id: number): Promise<void> {
      hold.checkStop();
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

/** The result of a listing if the job failed before reaching it. */
function buildUnknown(listing_id: number, error: Fact | null): ImportResult {
  return {
    listing_id,
    status: 'error',
    warnings: [],
    ...(error !== null && { error }),
    details: { code: 'INTERNAL' },
  };
}

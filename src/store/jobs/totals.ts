import type { Transaction } from 'kysely';
import type { JobStatus } from '../../../schemas/job.js';
import type { Tables } from '../schema.js';

/**
 * Jobs grow without end, so how many there are of each status is kept beside them. What adds, ends and deletes jobs counts them here in
 * the same transaction, with the account's row taken.
 * @param by negative to subtract
 */
export async function addToJobTotals(
  trx: Transaction<Tables>,
  account_id: string,
  status: JobStatus,
  by: number,
): Promise<void> {
  await trx
    .insertInto('job_totals')
    .values({ account_id, status, total: by })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'status'])
        .doUpdateSet(({ eb }) => ({ total: eb('job_totals.total', '+', by) })),
    )
    .execute();
}

import { sql, type Selectable, type SqlBool, type Transaction } from 'kysely';
import { ClaimLostError, type JobClaim, type ListingStore } from '../../core/ports/index.js';
import { isFree, listGone, RELEASED, toClaimed } from '../engine/claims.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { fromJson, toJson } from '../json.js';
import type { Tables } from '../schema.js';

/**
 * The partial index of running jobs is only used if its condition is in the text of the query, so `processing` is not a
 * parameter.
 */
export const IS_RUNNING = sql<SqlBool>`jobs.status = 'processing'`;

/** Which process may work on a job. */
export function createJobClaims(
  engine: Engine<Tables>,
): Pick<
  ListingStore,
  'claimJob' | 'renewClaim' | 'releaseClaim' | 'listClaimableJobs' | 'saveJobProgress' | 'findJobProgress'
> {
  const { read, write } = engine;

  return {
    async claimJob(account_id, job_id, duration_ms) {
      const before = await read((trx) =>
        trx
          .selectFrom('jobs')
          .select(['claimed_by', 'fence'])
          .where('account_id', '=', account_id)
          .where('job_id', '=', job_id)
          .executeTakeFirst(),
      );
      if (!before) return undefined;
      const gone = await listGone(engine, [before.claimed_by]);
      const isAlone = before.claimed_by === null || gone.length > 0;
      const row = await write(async (trx) => {
        const now = await engine.now(trx);
        return (
          trx
            .updateTable('jobs')
            .set(toClaimed(engine, now, duration_ms))
            .where('account_id', '=', account_id)
            .where('job_id', '=', job_id)
            .where(IS_RUNNING)
            // Whether the previous holder is gone counts only if no other claim came in between.
            .where('fence', '=', before.fence)
            .where(isFree(now, gone))
            .returning('fence')
            .executeTakeFirst()
        );
      });
      return row && { account_id, job_id, fence: row.fence, is_alone: isAlone };
    },
    async renewClaim(claim, duration_ms) {
      await write(async (trx) => {
        const now = await engine.now(trx);
        const { numUpdatedRows } = await trx
          .updateTable('jobs')
          .set({ claimed_until: shiftTime(now, duration_ms) })
          .where('account_id', '=', claim.account_id)
          .where('job_id', '=', claim.job_id)
          .where('fence', '=', claim.fence)
          .where(IS_RUNNING)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) throw buildClaimLost(claim);
      });
    },
    async saveJobProgress(claim, progress) {
      await write((trx) =>
        trx
          .updateTable('jobs')
          .set({ progress: toJson(progress) })
          .where('account_id', '=', claim.account_id)
          .where('job_id', '=', claim.job_id)
          .where('fence', '=', claim.fence)
          .execute(),
      );
    },
    async findJobProgress(account_id, job_id) {
      const row = await read((trx) =>
        trx
          .selectFrom('jobs')
          .select('progress')
          .where('account_id', '=', account_id)
          .where('job_id', '=', job_id)
          .executeTakeFirst(),
      );
      return row?.progress ? fromJson(row.progress) : undefined;
    },
    async releaseClaim(claim) {
      await write((trx) =>
        trx
          .updateTable('jobs')
          .set(RELEASED)
          .where('account_id', '=', claim.account_id)
          .where('job_id', '=', claim.job_id)
          .where('fence', '=', claim.fence)
          .execute(),
      );
    },
    async listClaimableJobs() {
      const owners = await read((trx) =>
        trx.selectFrom('jobs').select('claimed_by').distinct().where(IS_RUNNING).execute(),
      );
      const gone = await listGone(
        engine,
        owners.map(({ claimed_by }) => claimed_by),
      );
      return read(async (trx) => {
        const now = await engine.now(trx);
        return trx
          .selectFrom('jobs')
          .select(['account_id', 'job_id'])
          .where(IS_RUNNING)
          .where(isFree(now, gone))
          .orderBy('created_at')
          .orderBy('job_id')
          .execute();
      });
    },
  };
}

/**
 * Locks the job's row until the transaction ends, so that no other process claims it in between. Throws ClaimLostError if a
 * higher fence was given out.
 */
export async function requireClaim(
  { lockRows }: Pick<Engine<Tables>, 'lockRows'>,
  trx: Transaction<Tables>,
  claim: JobClaim,
): Promise<Pick<Selectable<Tables['jobs']>, 'listing_pk' | 'status'>> {
  const { account_id, job_id, fence } = claim;
  const job = await lockRows(
    trx
      .selectFrom('jobs')
      .select(['listing_pk', 'status'])
      .where('account_id', '=', account_id)
      .where('job_id', '=', job_id)
      .where('fence', '=', fence),
  ).executeTakeFirst();
  if (!job) throw buildClaimLost(claim);
  return job;
}

function buildClaimLost({ job_id }: JobClaim): ClaimLostError {
  return new ClaimLostError(`Another process has taken over job ${job_id}.`);
}

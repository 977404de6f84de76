import type { Warning } from '../../../../schemas/job.js';
import type { UpdateResult } from '../../../../schemas/listing_changes.js';
import type { Ports } from '../../ports/index.js';
import { ServiceError } from '../../errors.js';
import type { Call } from '../../operations/call.js';
import type { Binding, BindingMatch, ListingRecord } from '../../ports/index.js';
import { REPLAYED } from '../answers.js';
import type { JobAnswers } from '../jobs/job_answers.js';
import type { Jobs } from '../jobs/jobs.js';
import { toLicensedCall } from './edit_license.js';
import type { UpdatePlan } from './plan.js';

/** Jobs that change listings: made where none runs, and followed. */
export type UpdateStart = {
  /** Throws LISTING_BUSY: one job of a listing runs at a time. */
  expectIdle(listing: ListingRecord): Promise<void>;
  /** The answer of the job that the same request has made; undefined where there is none. */
  follow(found: BindingMatch, call: Call, deadline_ms: number): Promise<UpdateResult | undefined>;
  /** Makes the job and waits for it. Throws LISTING_BUSY, KeyReusedError, ListingChangedError. */
  start(
    listing: ListingRecord,
    plan: UpdatePlan,
    binding: Binding,
    call: Call,
    deadline_ms: number,
  ): Promise<UpdateResult>;
};

export function createUpdateStart({
  store,
  ids,
  jobs,
  job_answers,
  reachPoint,
}: Pick<Ports, 'store' | 'ids' | 'reachPoint'> & { jobs: Jobs; job_answers: JobAnswers }): UpdateStart {
  async function answer(
    job: Parameters<JobAnswers['answer']>[0],
    warnings: readonly Warning[] = [],
  ): Promise<UpdateResult> {
    const { shops: _, ...told } = await job_answers.answer(job, warnings);
    return told;
  }

  async function follow(
    found: BindingMatch,
    call: Call,
    deadline_ms: number,
  ): Promise<UpdateResult | undefined> {
    if (found.match !== 'same' || !found.job) return undefined;
    return answer(await jobs.follow(found.job, call, deadline_ms), [REPLAYED]);
  }

  return {
    follow,
    async expectIdle({ account_id, listing_pk }) {
      const running = await store.listings.findRunningJob(account_id, listing_pk);
      if (running) throw buildBusy(running.job_id);
    },
    async start({ account_id, listing_pk, updated_at }, plan, binding, call, deadline_ms) {
      reachPoint?.('job.before_create');
      const { created, job } = await store.listings.createJob({
        kind: 'update',
        account_id,
        listing_pk,
        job_id: ids.build('job_'),
        plan,
        binding,
        license: toLicensedCall(call, binding),
        as_of: updated_at,
      });
      if (!created) {
        // Another call was quicker: the same one, whose job is found by what binds it now, or another one.
        const found = await store.listings.findBinding(account_id, binding, 0);
        const again = await follow(found, call, deadline_ms);
        if (again) return again;
        throw buildBusy(job.job_id);
      }
      reachPoint?.('job.created');
      if (job.kind !== 'update') throw new Error('a job of an update is one');
      return answer(await jobs.follow(job, call, deadline_ms));
    },
  };
}

function buildBusy(job_id: string): ServiceError {
  return new ServiceError(
    'LISTING_BUSY',
    `Job ${job_id} works on this listing; ask listing_create_status for it, then call again.`,
  );
}

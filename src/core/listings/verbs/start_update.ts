import type { Warning } from '../../../../schemas/job.js';
import { toStarter } from '../../operations/starter.js';
import type { UpdateResult } from '../../../../schemas/listing_changes.js';
import type { Ports, Binding, BindingMatch, ListingRecord } from '../../ports/index.js';
import type { Call } from '../../operations/call.js';
import type { ChangeAction, Plan } from '../../ports/listing/plan.js';
import { REPLAYED } from './answers.js';
import type { JobAnswers } from './job_answers.js';
import type { Jobs } from '../jobs/jobs.js';
import { buildBusy, withBatch } from '../requests/repeats.js';
import { toLicensedCall } from '../decide/edit_license.js';

/** Jobs that change listings: creates them unless one is running, and follows them. */
export type UpdateStart = {
  /** Throws LISTING_BUSY: a listing has one running job at a time. */
  expectIdle(listing: ListingRecord): Promise<void>;
  /** The response of the job created by the same request; undefined if there is none. */
  follow(found: BindingMatch, call: Call, deadline_ms: number): Promise<UpdateResult | undefined>;
  /** Creates the job and waits for it. Throws LISTING_BUSY, KeyReusedError, ListingChangedError. */
  start(
    listing: ListingRecord,
    plan: Plan<ChangeAction>,
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
}: Pick<Ports, 'store' | 'ids'> & { jobs: Jobs; job_answers: JobAnswers }): UpdateStart {
  async function answer(
    job: Parameters<JobAnswers['answer']>[0],
    warnings: readonly Warning[] = [],
  ): Promise<UpdateResult> {
    const { shops: _, ...answered } = await job_answers.answer(job, warnings);
    return answered;
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
      if (running) throw buildBusy(running);
    },
    async start({ account_id, listing_pk, updated_at }, plan, binding, call, deadline_ms) {
      const { created, job } = await store.listings.createJob({
        kind: 'update',
        account_id,
        listing_pk,
        job_id: ids.build('job_'),
        plan: withBatch(plan, call.batch),
        binding,
        license: toLicensedCall(call, binding),
        started_by: toStarter(call),
        as_of: updated_at,
      });
      if (!created) {
        // Another call was faster: the same one, whose job the binding now finds, or a different one.
        const found = await store.listings.findBinding(account_id, binding, 0);
        const again = await follow(found, call, deadline_ms);
        if (again) return again;
        throw buildBusy(job);
      }
      if (job.kind !== 'update') throw new Error('a job of an update is one');
      return answer(await jobs.follow(job, call, deadline_ms));
    },
  };
}

/** The plan of a batch's single update, bound to the differences that the batch showed. */
export function withShown(plan: Plan<ChangeAction>, { batch }: Pick<Call, 'batch'>): Plan<ChangeAction> {
  const shown = batch?.shown;
  if (!shown) return plan;
  return {
    ...plan,
    shops: plan.shops.map((update) => ({
      ...update,
      shown: shown.get(update.shop_id) ?? [],
      ...(batch.holds_stock && { holds_stock: true }),
    })),
  };
}

import type { Warning } from '../../../../schemas/job.js';
import type { UpdateRequest, UpdateResult } from '../../../../schemas/listing_changes.js';
import type { Ports } from '../../core.js';
import { ServiceError } from '../../errors.js';
import type { Call } from '../../operation.js';
import {
  KeyReusedError,
  ListingChangedError,
  type Binding,
  type BindingMatch,
  type ListingRecord,
} from '../../ports/index.js';
import { REPLAYED } from '../answers.js';
import type { Following } from '../following.js';
import { getListing } from '../get_listing.js';
import { readIdempotencyKey } from '../request.js';
import type { DraftUpdates } from './draft.js';
import { buildUpdateDigest } from './digest.js';
import type { UpdatePlanning } from './planning.js';
import type { UpdateShowing } from './showing.js';

/** The operation listing_update: a change of a saved draft, or of a listing in its shops. */
export type UpdateListing = (request: UpdateRequest, call: Call) => Promise<UpdateResult>;

type Parts = Pick<Ports, 'store' | 'ids' | 'reachPoint'> & {
  following: Following;
  planning: UpdatePlanning;
  showing: UpdateShowing;
  drafts: DraftUpdates;
};

/** How often a listing is looked at anew that others change at the same time. */
const MAX_LOOKS = 5;

export function createUpdateListing(parts: Parts): UpdateListing {
  const { store, ids, following, planning, showing, drafts } = parts;

  return async (input, call) => {
    const deadline_ms = following.getDeadline(call);
    const key = readIdempotencyKey(input, call.idempotency_key);
    const binding: Binding = { key, digest: buildUpdateDigest(input) };
    for (let look = 1; ; look += 1) {
      try {
        return await run(input, binding, call, deadline_ms);
      } catch (cause) {
        if (cause instanceof KeyReusedError) throw buildReused();
        if (!(cause instanceof ListingChangedError) || look === MAX_LOOKS) throw cause;
      }
    }
  };

  async function run(
    input: UpdateRequest,
    binding: Binding,
    call: Call,
    deadline_ms: number,
  ): Promise<UpdateResult> {
    const { account_id } = call.caller;
    const listing = await getListing(store, account_id, input.listing_pk);
    const is_dry = input.dry_run === true;
    const before = await store.listings.findBinding(account_id, binding, 0);
    if (before.match === 'reused') throw buildReused();
    const replayed = is_dry ? undefined : await replay(before, binding, call, deadline_ms);
    if (replayed) return replayed;
    await expectIdle(listing);
    const publications = await store.listings.listPublications(account_id, listing.listing_pk);
    if (publications.every(({ listing_id }) => listing_id === null)) {
      return drafts.update(listing, publications, input, binding, call);
    }
    const plan = await planning.plan(listing, publications, input, call);
    if (is_dry) return showing.show(listing, plan);
    parts.reachPoint?.('job.before_create');
    const { created, job } = await store.listings.createJob({
      kind: 'update',
      account_id,
      listing_pk: listing.listing_pk,
      job_id: ids.build('job_'),
      plan,
      binding,
      as_of: listing.updated_at,
    });
    if (!created) {
      // Another call was quicker: the same one, whose job is found by what binds it now, or another one.
      const again = await replay(
        await store.listings.findBinding(account_id, binding, 0),
        binding,
        call,
        deadline_ms,
      );
      if (again) return again;
      throw buildBusy(job.job_id);
    }
    parts.reachPoint?.('job.created');
    if (job.kind !== 'update') throw new Error('a job of an update is one');
    return toResult(following, await following.follow(job, call, deadline_ms));
  }

  /** The answer to the same request: while its job runs, and later where a key names it. */
  async function replay(
    found: BindingMatch,
    { key }: Binding,
    call: Call,
    deadline_ms: number,
  ): Promise<UpdateResult | undefined> {
    if (found.match !== 'same') return undefined;
    if (found.job)
      return toResult(following, await following.follow(found.job, call, deadline_ms), [REPLAYED]);
    return key === null ? undefined : drafts.answer(found.listing, [REPLAYED]);
  }

  /** One job of a listing runs at a time. Throws LISTING_BUSY. */
  async function expectIdle({ account_id, listing_pk }: ListingRecord): Promise<void> {
    const running = await store.listings.findRunningJob(account_id, listing_pk);
    if (running) throw buildBusy(running.job_id);
  }
}

async function toResult(
  following: Following,
  job: Parameters<Following['answer']>[0],
  warnings: readonly Warning[] = [],
): Promise<UpdateResult> {
  const { shops: _, ...answer } = await following.answer(job, warnings);
  return answer;
}

function buildBusy(job_id: string): ServiceError {
  return new ServiceError(
    'LISTING_BUSY',
    `Job ${job_id} works on this listing; ask listing_create_status for it, then call again.`,
  );
}

function buildReused(): ServiceError {
  return new ServiceError('IDEMPOTENCY_KEY_REUSED', 'idempotency_key: came before with another body.');
}

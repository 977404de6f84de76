import type { Fact } from '../../../../schemas/issue.js';
import { ServiceError } from '../../errors.js';
import type { BatchPart, Call } from '../../operations/call.js';
import {
  type BindingMatch,
  type JobRecord,
  KeyReusedError,
  ListingChangedError,
  type ListingRecord,
} from '../../ports/index.js';

/**
 * Without a key, an equal request that creates a listing counts as a repeat for this long after the first one
 * ended: assistants repeat calls that timed out.
 */
export const REPLAY_MS = 10 * 60 * 1000;

/** An idempotency key belongs to one request; throws IDEMPOTENCY_KEY_REUSED. */
export function expectSameBody(
  found: BindingMatch,
): asserts found is Exclude<BindingMatch, { match: 'reused' }> {
  if (found.match === 'reused') throw buildReused();
}

export function buildReused(): ServiceError {
  return new ServiceError('IDEMPOTENCY_KEY_REUSED', [
    { code: 'idempotency_key_reused', at: 'idempotency_key', params: {} },
  ]);
}

/** For a listing with another job running. */
export function buildBusy(running: JobRecord): ServiceError {
  return new ServiceError('LISTING_BUSY', toBusy(running));
}

export function toBusy({ job_id, plan }: JobRecord): Fact {
  const params = { job_id, ...(plan && 'batch_id' in plan && { batch_id: plan.batch_id }) };
  return { code: 'listing_busy', params };
}

/** The plan of a job, naming the batch that makes it. */
export function withBatch<Plan extends object>(
  plan: Plan,
  batch: BatchPart | undefined,
): Plan & { batch_id?: string } {
  return batch?.batch_id === undefined ? plan : { ...plan, batch_id: batch.batch_id };
}

/** How often to retry on a listing that others change at the same time. */
const MAX_ATTEMPTS = 5;

/**
 * Repeats the run if the listing changed before it could be updated, or if another call was faster: `again`, or a
 * ListingChangedError. Throws LISTING_BUSY if that happened each time. `waited` restarts the count: the run
 * followed another job until it finished, which the deadline of the call bounds.
 */
export async function retryOnConflict<Answer>(
  run: () => Promise<Answer | 'again' | 'waited'>,
): Promise<Answer> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    try {
      const answer = await run();
      if (answer === 'waited') attempt = 0;
      else if (answer !== 'again') return answer;
    } catch (cause) {
      if (cause instanceof KeyReusedError) throw buildReused();
      if (!(cause instanceof ListingChangedError)) throw cause;
    }
  }
  throw new ServiceError(
    'LISTING_BUSY',
    { code: 'listing_contended', params: {} },
    { hint: 'Call again in a moment.' },
  );
}

/** Throws LISTING_BUSY if the listing has changed since the call saw it. */
export function expectAsOf({ updated_at }: ListingRecord, { as_of = updated_at }: Pick<Call, 'as_of'>): void {
  if (as_of !== updated_at) throw buildChanged();
}

export function buildChanged(): ServiceError {
  return new ServiceError(
    'LISTING_BUSY',
    { code: 'listing_changed', params: {} },
    { hint: 'Read it again, and repeat the change if it is still wanted.' },
  );
}

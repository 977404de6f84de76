import type { Fact } from '../../../../schemas/issue.js';
import type { Again } from '../../../../schemas/issues/failures.js';
import type { Context } from './context.js';
import { StepError } from './failures.js';

export function buildCanceled(before: 'start' | 'activation', again: Again): Fact {
  return { code: 'work_canceled', params: { before, again } };
}

/**
 * Fails the shop if a person has canceled the job. Called only where stopping leaves nothing half-done: before the shop's
 * first write, and before each request that activates a listing.
 */
export async function checkNotCanceled(
  { ports, shop, job_id, again }: Context,
  before: 'start' | 'activation',
): Promise<void> {
  if (!(await ports.store.listings.isCanceled(shop.account_id, job_id))) return;
  throw new StepError(buildCanceled(before, again), null);
}

/** The message of a job that finished without an error of the service; null if cancellation skipped no work. */
export function findCancellation(results: readonly { error?: Fact | undefined }[]): Fact | null {
  const isCanceled = results.some(({ error }) => error?.code === 'work_canceled');
  return isCanceled ? { code: 'job_canceled', params: {} } : null;
}

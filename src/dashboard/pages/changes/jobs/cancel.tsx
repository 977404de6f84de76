import type { JobChange } from '../../../../core/listings/verbs/changes.js';
import { Action } from '../../../components/action.js';
import type { Framing, Page } from '../../../page.js';
import { redirect } from '../../../replies.js';
import { toJobPath } from '../read.js';
import { isCanceled } from './words.js';

/** Cancels a running job; work in progress is finished. */
export const cancelJob: Page = {
  path: '/changes/jobs/{job_id}/cancel',
  is_past_gate: true,
  async post({ core, account_id, params }) {
    const job_id = params['job_id'] ?? '';
    await core.listings.cancelJob(account_id, job_id);
    return redirect(toJobPath(job_id));
  },
};

function canActivate({ kind, ...job }: JobChange): boolean {
  return kind === 'on_sale' || (kind === 'publish' && 'state' in job && job.state === 'active');
}

/** The button that cancels a running job. */
export function Cancel({ visit, job }: { visit: Framing; job: JobChange }) {
  const parts = job.kind === 'import' ? 'Listings' : 'Shops';
  if (isCanceled(job)) return <p class="note">Canceling. {parts} in progress are finished first.</p>;
  return (
    <>
      <Action visit={visit} to={`${toJobPath(job.job_id)}/cancel`} label="Cancel" variant="danger" />
      <p class="note">
        {parts} in progress are finished first
        {canActivate(job) ? ', but nothing more is activated' : ''}. Changes already made are not undone.
      </p>
    </>
  );
}

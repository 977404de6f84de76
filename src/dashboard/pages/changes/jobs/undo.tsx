import { ServiceError } from '../../../../core/errors.js';
import { Foreign } from '../../../../pages/index.js';
import { FormToken } from '../../../components/form_token.js';
import { Refusal } from '../../../components/notice.js';
import { Dashboard } from '../../../layout.js';
import { RefusedError, toRefusal } from '../../../operations.js';
import type { OwnPost, OwnVisit, Page } from '../../../page.js';
import { redirect, show } from '../../../replies.js';
import { listKept } from '../../shops/kept.js';
import { PATIENCE } from '../actions.js';
import { getJobChange } from './show.js';
import { toJobTitle } from './words.js';
import { PATH, toJobPath } from '../read.js';
import { Differences } from '../values.js';

const CHOICES = ['refuse', 'skip', 'overwrite'] as const;

/** Shows what an undo of one change would restore; its form restores it. */
export const undoJob: Page = {
  path: '/changes/jobs/{job_id}/undo',
  is_outward: true,
  get: (visit) => ask(visit),
  async post(visit) {
    const input = await readInput(visit);
    const undone = await visit.operations.call('listing_undo', input, PATIENCE).catch(toRefusal);
    if (undone instanceof RefusedError)
      return show(await ask(visit, undone), { status: undone.error.status });
    return redirect(undone.job_id === undefined ? PATH : toJobPath(undone.job_id));
  },
};

async function readInput(visit: OwnPost) {
  const { listing_pk, job_id } = await getShopJob(visit);
  const on_drift = CHOICES.find((choice) => choice === visit.form.fields.get('on_drift')) ?? 'refuse';
  return { listing_pk, job_id, on_drift };
}

async function getShopJob(visit: OwnVisit) {
  const job = await getJobChange(visit);
  if (!job || job.kind === 'import') {
    // Neither an import nor one listing of a bulk change has an undo of its own.
    throw new ServiceError('NOT_FOUND', { code: 'page_not_found', params: { path: visit.request.path } });
  }
  return job;
}

async function ask(visit: OwnVisit, refused?: RefusedError) {
  const job = await getShopJob(visit);
  const { listing_pk, job_id } = job;
  const plan = await visit.operations
    .call('listing_undo', { listing_pk, job_id, dry_run: true, on_drift: 'overwrite' })
    .catch(toRefusal);
  const connected = await listKept(visit);
  const href = toJobPath(job_id);
  const shops = plan instanceof RefusedError ? [] : (plan.shops ?? []);
  const isEdited = shops.some(({ diff }) => diff.some(({ manual_edit }) => manual_edit));
  const hasChanges = shops.some(({ diff }) => diff.length > 0);
  return (
    <Dashboard visit={visit} title="Undo this change?" section="Changes" width="narrow">
      <div class="stack tight">
        <p class="crumbs">
          <a href={href}>
            <Foreign text={toJobTitle(job)} />
          </a>
        </p>
        <h1>Undo this change?</h1>
      </div>
      {refused && <Refusal error={refused.error} />}
      {plan instanceof RefusedError && <Refusal error={plan.error} />}
      <form class="card" method="post">
        <FormToken visit={visit} />
        {shops.map(({ shop_id, shop_name, diff, error }) => (
          <section class="stack tight" key={shop_id}>
            <h2>
              <Foreign text={shop_name} />
            </h2>
            {error !== undefined && (
              <p>
                <Foreign text={error} />
              </p>
            )}
            {diff.length === 0 && error === undefined && <p>Nothing to restore.</p>}
            <Differences diff={diff} shop={connected.find((shop) => String(shop.shop_id) === shop_id)} />
          </section>
        ))}
        {isEdited && (
          <fieldset>
            <legend>Fields edited on Etsy since</legend>
            <label class="choice">
              <input type="radio" name="on_drift" value="skip" checked />
              Keep the edits made on Etsy
            </label>
            <label class="choice">
              <input type="radio" name="on_drift" value="overwrite" />
              Replace the edits made on Etsy
            </label>
          </fieldset>
        )}
        <div class="row">
          {hasChanges && <button type="submit">Undo</button>}
          <a class="button quiet" href={href}>
            Cancel
          </a>
        </div>
        {hasChanges && <p class="note">Free. You can undo this as well.</p>}
      </form>
    </Dashboard>
  );
}

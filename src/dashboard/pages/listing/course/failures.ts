import { renderFactForSeller, writeText } from '../../../../core/issues/render.js';
import type { ShopResult } from '../../../../../schemas/job.js';
import { joinWords } from '../../../../core/text/choices.js';
import type { Detail } from '../detail.js';
import { listFailed, nameShop, type Outcomes } from './outcomes.js';

type Jobs = { job: Detail['job']; history: Pick<Detail['history'], 'jobs'>; task?: Detail['task'] };

/**
 * Why the relevant jobs failed: the last one that published, which finishing repeats, and the last one of any
 * kind, such as a change. Each with its own text, oldest first; for a change, also by shop, unless the page
 * shows the same refusal of the form that started it.
 */
export function listFailures(
  { job, history: { jobs }, task }: Jobs,
  outcomes: Outcomes = new Map(),
): string[] {
  const last = jobs.at(-1);
  const counting = jobs.filter(({ job_id }) => job_id === job?.job_id || job_id === last?.job_id);
  const failed = task?.status === 'refused' ? [] : listFailed(outcomes.get(last?.job_id ?? ''));
  const reasons = [...new Set(failed.map(toReason))];
  const whole = counting
    .filter(({ status }) => status === 'failed')
    .map(({ error_message }) =>
      error_message ? writeText(renderFactForSeller(error_message)) : 'The last attempt ended early.',
    );
  const byShop = reasons.map((reason) => {
    const places = failed.filter((result) => toReason(result) === reason).map(nameShop);
    return `The last change failed in ${joinWords(places)}: ${reason}`;
  });
  return [...whole, ...byShop];
}

function toReason({ error }: ShopResult): string {
  return error ? writeText(renderFactForSeller(error)) : '';
}

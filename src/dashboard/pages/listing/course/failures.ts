import { renderFactForSeller, writeText } from '../../../../core/issues/render.js';
import type { Detail } from '../detail.js';

type Jobs = { job: Detail['job']; history: Pick<Detail['history'], 'jobs'> };

/**
 * Why the relevant jobs failed: the last one that published, which finishing repeats, and the last one of any
 * kind, such as a change. Each with its own text, oldest first.
 */
export function listFailures({ job, history: { jobs } }: Jobs): string[] {
  const last = jobs.at(-1);
  const counting = jobs.filter(({ job_id }) => job_id === job?.job_id || job_id === last?.job_id);
  return counting
    .filter(({ status }) => status === 'failed')
    .map(({ error_message }) =>
      error_message ? writeText(renderFactForSeller(error_message)) : 'The last attempt ended early.',
    );
}

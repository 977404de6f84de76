import type { Detail } from '../detail.js';
import { renderFactForSeller, writeText } from '../../../../core/issues/render.js';
import { isCanceled, toFieldList } from '../../changes/jobs/words.js';
import { toJobPath } from '../../changes/read.js';
import { listFailed, nameShop, type Outcomes } from './outcomes.js';
import { toStepWords } from './steps.js';

type Entry = {
  at: string;
  what: string;
  /** The shops, if not all. */
  shop_names: string[];
  is_bad: boolean;
  /** Where it says what was changed. */
  href?: string;
};

/** Newest first. Work in several shops for one request is one entry, with the time of the last. */
export function listEntries(
  { created_at, status: standing, job_id, history }: Detail,
  outcomes: Outcomes,
): Entry[] {
  const entries: Entry[] = [{ at: created_at, what: 'Saved here', shop_names: [], is_bad: false }];
  for (const job of history.jobs) {
    const { status, created_at: at, completed_at, error_message, cost_usd } = job;
    const href = toJobPath(job.job_id);
    const results = outcomes.get(job.job_id) ?? [];
    const what = `${toRequestWords(job)}${toFieldList(results)}`;
    entries.push({ at, what, shop_names: [], is_bad: false, href });
    if (completed_at === null) continue;
    const failedIn = status === 'failed' ? [] : listFailed(results).map(nameShop);
    if (failedIn.length > 0) {
      entries.push({ at: completed_at, what: 'Failed', shop_names: failedIn, is_bad: true });
      continue;
    }
    const isUnfinished = standing === 'incomplete' && job.job_id === job_id;
    // A canceled job is completed but has an error_message.
    const isCanceledJob = isCanceled({ error_message });
    const isBad = !isCanceledJob && (error_message !== null || status === 'failed' || isUnfinished);
    const unfinished = isUnfinished ? 'Stopped before it was finished' : 'Stopped early';
    const finished = isBad ? unfinished : 'Finished';
    const ended = error_message ? writeText(renderFactForSeller(error_message)) : finished;
    const paid = cost_usd !== null && cost_usd > 0 ? `; fees paid: $${cost_usd.toFixed(2)}` : '';
    entries.push({ at: completed_at, what: `${ended}${paid}`, shop_names: [], is_bad: isBad });
  }
  entries.push(...listSteps(history));
  // The sort is stable, so of entries with the same time, the one added last comes first.
  return entries.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).toReversed();
}

function toRequestWords({ kind, state }: Detail['history']['jobs'][number]): string {
  if (kind === 'publish')
    return state === 'active' ? 'Publishing started' : 'Saving as a draft on Etsy started';
  return REQUEST_WORDS[kind];
}

const REQUEST_WORDS = {
  update: 'Edit started',
  undo: 'Undo started',
  off_sale: 'Deactivation started',
  on_sale: 'Activation started',
} as const;

function listSteps({ jobs, shops }: Detail['history']): Entry[] {
  const steps = new Map<string, Entry>();
  for (const { shop_name, steps: own } of shops) {
    for (const { step, done_at } of own) {
      if (done_at === null) continue;
      const job = jobs.findLast(({ created_at }) => created_at <= done_at);
      const key = `${job?.job_id} ${step}`;
      const known = steps.get(key);
      steps.set(key, {
        at: known && known.at > done_at ? known.at : done_at,
        what: toStepWords(step).done,
        shop_names: [...(known?.shop_names ?? []), shop_name],
        is_bad: false,
      });
    }
  }
  return [...steps.values()];
}

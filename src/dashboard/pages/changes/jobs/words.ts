import type { ImportResult } from '../../../../../schemas/import.js';
import type { Fact } from '../../../../../schemas/issue.js';
import type { ShopResult } from '../../../../../schemas/job.js';
import { toFieldWords } from '../../../../core/issues/field_words.js';
import type { JobChange } from '../../../../core/listings/verbs/changes.js';
import { formatCount } from '../../../../core/text/format_count.js';
import type { Tone } from '../../../components/notice.js';

export type ShopChange = Exclude<JobChange, { kind: 'import' }>;

const MOST_FIELDS = 3;

/** `Edit Stoneware mug: title, price` */
export function toJobTitle(job: JobChange): string {
  if (job.kind === 'import') {
    const from = job.shop_name === undefined ? '' : ` from ${job.shop_name}`;
    return `Bring in ${formatCount(job.results.length, 'listing')}${from}`;
  }
  const { kind, state, title } = job;
  switch (kind) {
    case 'publish':
      return state === 'active' ? `Publish ${title}` : `Save ${title} as a draft on Etsy`;
    case 'off_sale':
      return `Deactivate ${title}`;
    case 'on_sale':
      return `Activate ${title}`;
    case 'undo':
      return `Undo a change to ${title}`;
    case 'update':
      return `Edit ${title}${toFieldList(job.results)}`;
  }
}

/** `: title, price`; empty if no field changed. */
export function toFieldList(results: readonly ShopResult[]): string {
  const fields = [
    ...new Set(results.flatMap(({ diff = [] }) => diff.map(({ field }) => toFieldWords(field)))),
  ];
  if (fields.length === 0) return '';
  const rest = fields.length - MOST_FIELDS;
  return `: ${fields.slice(0, MOST_FIELDS).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

type Status = ShopResult['status'] | ImportResult['status'];

const CANCELED = { tone: 'idle', word: 'Canceled' } as const;

const RESULT_WORDS: Record<Status, { tone: Tone; word: string }> = {
  ok: { tone: 'ok', word: 'Changed' },
  imported: { tone: 'ok', word: 'Brought in' },
  refreshed: { tone: 'ok', word: 'Updated here' },
  unchanged: { tone: 'idle', word: 'Unchanged' },
  processing: { tone: 'wait', word: 'In progress' },
  error: { tone: 'bad', word: 'Failed' },
};

/** How a shop of a job ended, or a listing of an import. */
export function toResultWord(result: { status: Status; error?: Fact | undefined }) {
  return isSkipped(result) ? CANCELED : RESULT_WORDS[result.status];
}

/** Whether the shop or listing was skipped because a person canceled the job. */
export function isSkipped({ error }: { error?: Fact | undefined }): boolean {
  return error?.code === 'work_canceled';
}

/** Whether a person canceled the job. It may still be finishing work in progress. */
export function isCanceled({ error_message }: Pick<JobChange, 'error_message'>): boolean {
  return error_message?.code === 'job_canceled';
}

/** `2 changed, 1 failed`; each is a shop, or a listing of an import. */
export function toJobResult({ results }: Pick<JobChange, 'results'>): string {
  const counts = new Map<string, number>();
  for (const result of results as readonly Parameters<typeof toResultWord>[0][]) {
    const word = toResultWord(result).word.toLowerCase();
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ') || 'nothing changed';
}

export function hasFailed({ status, results }: Pick<JobChange, 'status' | 'results'>): boolean {
  return status === 'failed' || results.some((result) => result.status === 'error');
}

export function toJobStatusWord(job: JobChange): { tone: Tone; word: string } {
  if (job.status === 'processing')
    return { tone: 'wait', word: isCanceled(job) ? 'Canceling' : 'In progress' };
  if (isCanceled(job)) return CANCELED;
  return hasFailed(job) ? { tone: 'bad', word: 'Failed' } : { tone: 'ok', word: 'Done' };
}

/** `2 shops`, or the shop's name if there is one. */
export function toJobPlace(job: JobChange): string {
  if (job.kind === 'import') return job.shop_name ?? '';
  const [only, ...others] = job.results;
  if (others.length > 0) return formatCount(job.results.length, 'shop');
  return only?.shop_name ?? '';
}

import type { ImportResult } from '../../../../schemas/import.js';
import type { ShopResult } from '../../../../schemas/job.js';
import type { ListingHistory } from '../../../../schemas/listing.js';
import type { ImportJob, JobRecord, Page, Ports, ShopJob, Starter, UpdateJob } from '../../ports/index.js';
import { getJob } from '../requests/get_listing.js';
import type { JobAnswers } from './job_answers.js';
import { toEntry } from '../jobs/history.js';

/** The job that undid another. `is_whole`: whether it did so in every shop that the other changed. */
type Undo = { job_id: string; is_whole: boolean };

type Facts = Omit<ListingHistory['jobs'][number], 'kind'> & { started_by: Starter | undefined };

/** A job outside any batch, with its outcome. */
export type JobChange =
  | (Facts & {
      kind: ListingHistory['jobs'][number]['kind'];
      listing_pk: number;
      title: string;
      results: ShopResult[];
      /** The last undo, unless it was undone itself. */
      undone_by: Undo | undefined;
    })
  | (Facts & {
      kind: 'import';
      shop_id: number | undefined;
      shop_name: string | undefined;
      results: ImportResult[];
    });

type Change = { kind: 'batch'; batch_id: string } | { kind: 'job'; job: JobChange };

/** Reads the changes of an account (jobs outside any batch, and batches), and cancels jobs. */
export type ChangeReads = {
  /** Newest first. */
  listChanges(account_id: string, page: { limit: number; offset: number }): Promise<Page<Change>>;
  /** Throws JOB_NOT_FOUND. Returns undefined for the job of a batch. */
  getChange(account_id: string, job_id: string): Promise<JobChange | undefined>;
  /**
   * Makes a running job skip shops and listings that it has not started, and activations that it has not sent; work in
   * progress is finished. Does nothing to a job that is finished or belongs to a batch. Throws JOB_NOT_FOUND.
   */
  cancelJob(account_id: string, job_id: string): Promise<void>;
};

type Parts = Pick<Ports, 'store'> & {
  job_answers: JobAnswers;
  listImported: (job: ImportJob) => Promise<ImportResult[]>;
};

export function createChangeReads({ store, job_answers, listImported }: Parts): ChangeReads {
  async function toChange(job: JobRecord): Promise<JobChange | undefined> {
    if (job.kind === 'batch') return undefined;
    return job.kind === 'import' ? toImport(job) : toShopChange(job);
  }

  async function toImport(job: ImportJob): Promise<JobChange> {
    const { job_id, status, created_at, completed_at, error_message, started_by, plan } = job;
    const facts = { job_id, status, created_at, completed_at, error_message, started_by };
    const { shop_id, shop_name } = plan ?? {};
    const results = await listImported(job);
    return { ...facts, kind: 'import', state: null, cost_usd: null, shop_id, shop_name, results };
  }

  async function toShopChange(job: ShopJob): Promise<JobChange> {
    const { account_id, listing_pk, started_by } = job;
    const listing = await store.listings.findListing(account_id, listing_pk);
    const results = await job_answers.listResults(job);
    const undone_by = findUndo(job, await store.listings.listJobs(account_id, listing_pk));
    return { ...toEntry(job), started_by, listing_pk, title: listing?.title ?? '', results, undone_by };
  }

  return {
    async listChanges(account_id, page) {
      const { total, items } = await store.listings.listChanges(account_id, page);
      const changes: Change[] = [];
      for (const ref of items) {
        if (ref.kind === 'batch') {
          changes.push(ref);
          continue;
        }
        const found = await store.listings.findJob(account_id, ref.job_id);
        const job = found && (await toChange(found));
        if (job) changes.push({ kind: 'job', job });
      }
      return { total, items: changes };
    },
    async cancelJob(account_id, job_id) {
      await getJob(store, account_id, job_id);
      await store.listings.cancelJob(account_id, job_id);
    },
    getChange: async (account_id, job_id) => toChange(await getJob(store, account_id, job_id)),
  };
}

function findUndo(job: ShopJob, jobs: readonly JobRecord[]): Undo | undefined {
  const undo = jobs.findLast(
    (other): other is UpdateJob =>
      other.kind === 'update' && other.plan?.undone === job.job_id && listChanged(other).length > 0,
  );
  if (!undo || findUndo(undo, jobs)) return undefined;
  const back = listChanged(undo);
  return { job_id: undo.job_id, is_whole: listChanged(job).every((shop_id) => back.includes(shop_id)) };
}

function listChanged({ results }: ShopJob): string[] {
  return (results ?? []).flatMap(({ status, shop_id }) => (status === 'ok' ? shop_id : []));
}

import type { z } from 'zod/v3';
import { toStarter } from '../../operations/starter.js';
import type { ImportJobResult, importRequest, ImportResult } from '../../../../schemas/import.js';
import { buildValidationError } from '../../issues/issues.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { Call } from '../../operations/call.js';
import type { ConnectedShop, ImportJob, Ports } from '../../ports/index.js';
import type { ImportPlan } from '../../ports/listing/plan.js';
import type { ImportProgress } from '../../ports/listing/progress.js';
import { buildReconnectError, toShopChoices, type Shops } from '../../shops/shops.js';
import { toPollUrl } from './answers.js';
import { listNewest } from '../requests/get_listing.js';
import type { Jobs } from '../jobs/jobs.js';

type ImportRequest = z.output<typeof importRequest>;

/** The operation listing_import, and the responses about its jobs. */
export type Imports = {
  /**
   * Binds no idempotency key: it creates nothing on the marketplace, and imports a listing only once, by its id.
   */
  start(input: ImportRequest, call: Call): Promise<ImportJobResult>;
  answer(job: ImportJob): Promise<ImportJobResult>;
  /** The result of each listing, even while the job runs. */
  listResults(job: ImportJob): Promise<ImportResult[]>;
};

export function createImports({
  store,
  ids,
  shops,
  jobs,
}: Pick<Ports, 'store' | 'ids'> & { shops: Shops; jobs: Jobs }): Imports {
  return {
    async start({ shop_id, listing_ids: given, join }, call) {
      const deadline_ms = jobs.getDeadline(call);
      const { account_id } = call.caller;
      const listing_ids = [...new Set(given)];
      const shop = await shops.find({ account_id, shop_id });
      const issues = await listIssues(account_id, { shop_id, listing_ids, join }, shop);
      if (issues.length > 0 || !shop) throw buildValidationError(issues);
      if (shop.is_reconnect_required) throw buildReconnectError(shop);
      const { shop_name } = shop.details;
      const plan: ImportPlan = { shop_id, shop_name, listing_ids, join: join ?? null };
      const { job } = await store.listings.createJob({
        kind: 'import',
        listing_pk: null,
        account_id,
        job_id: ids.build('job_'),
        plan,
        started_by: toStarter(call),
      });
      jobs.start(account_id, job.job_id);
      const { signal, onProgress } = call;
      const ended = await jobs.wait(account_id, job.job_id, {
        deadline_ms,
        ...(signal && { signal }),
        ...(onProgress && { onProgress }),
      });
      if (ended.kind !== 'import') throw new Error(`Job ${ended.job_id} is no import.`);
      return answer(ended);
    },
    answer,
    listResults: async (job) => job.results ?? (await listResults(job)),
  };

  /** Problems of the ids in a call. They are in its body, so none of them is a 404. */
  async function listIssues(
    account_id: string,
    { shop_id, listing_ids, join }: Pick<ImportRequest, 'shop_id' | 'listing_ids' | 'join'>,
    shop: ConnectedShop | undefined,
  ): Promise<Issue[]> {
    const issues: Issue[] = [];
    if (!shop) {
      const connected = toShopChoices(await shops.listConnected(account_id));
      issues.push({ code: 'shop_not_connected', at: 'shop_id', params: { shop_id, connected } });
    }
    if (join === undefined) return issues;
    if (listing_ids.length > 1) {
      const params = { count: listing_ids.length };
      issues.push({ code: 'join_of_several', at: 'listing_ids', params });
    }
    if (!(await store.listings.findListing(account_id, join))) {
      const newest = await listNewest(store, account_id);
      issues.push({ code: 'join_unknown', at: 'join', params: { listing_pk: join, ...newest } });
    }
    return issues;
  }

  async function answer(job: ImportJob): Promise<ImportJobResult> {
    const { job_id, status, created_at, completed_at, error_message } = job;
    const results = job.results ?? (await listResults(job));
    return {
      job_id,
      status,
      message: describe(job, results),
      poll_url: toPollUrl(job_id),
      created_at,
      completed_at,
      ...(error_message !== null && { error_message }),
      results,
    };
  }

  async function listResults({ account_id, job_id, plan }: ImportJob): Promise<ImportResult[]> {
    const parts = await store.listings.listJobParts<ImportProgress>(account_id, job_id);
    return (plan?.listing_ids ?? []).map(
      (listing_id) =>
        parts.find(({ part_id }) => part_id === listing_id)?.progress.result ?? {
          listing_id,
          status: 'processing',
          warnings: [],
        },
    );
  }
}

function describe({ job_id, status }: ImportJob, results: readonly ImportResult[]): string {
  const done = results.filter((result) => ['imported', 'refreshed'].includes(result.status)).length;
  const of = `${done} of ${results.length}`;
  if (status === 'processing') {
    return `Still running, ${of} done. Call listing_create_status for job ${job_id} in a few seconds.`;
  }
  const outcome = `Imported or refreshed ${of}; nothing was changed in the shop.`;
  return done === results.length ? outcome : `${outcome} The results say why the others were not.`;
}

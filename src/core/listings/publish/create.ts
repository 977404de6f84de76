import type { ListingJobResult, Warning } from '../../../../schemas/job.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Ports } from '../../ports/index.js';
import type { Issue } from '../../errors.js';
import type { Call } from '../../operations/call.js';
import type { BindingMatch, ListingRecord } from '../../ports/index.js';
import { toQuotaError } from '../../operations/quotas.js';
import type { Settings } from '../../settings.js';
import { isUploadUrl, type Uploads } from '../../uploads/uploads.js';
import { CONFIRMED_BEFORE, REPLAYED_CREATION, toDraftAnswer, toDryRun } from '../answers.js';
import type { FeeConsents } from '../fees/consent.js';
import type { JobAnswers } from '../jobs/job_answers.js';
import type { Jobs } from '../jobs/jobs.js';
import type { Naming } from '../names.js';
import { toOfferedShop } from '../fees/offered_shop.js';
import type { PublishPlan } from './plan.js';
import type { Preflight } from '../preflight/index.js';
import { expectSameBody, REPLAY_MS } from '../requests/repeats.js';
import { buildDigest, readIdempotencyKey } from '../requests/request.js';
import type { Spending } from '../fees/spending.js';

type Parts = Ports & {
  uploads: Uploads;
  preflight: Preflight;
  spending: Spending;
  consents: FeeConsents;
  jobs: Jobs;
  job_answers: JobAnswers;
  naming: Naming;
};

/** The operation listing_create. */
export type CreateListing = (request: ListingRequest, call: Call) => Promise<ListingJobResult>;

export function createCreateListing(parts: Parts, settings: Settings): CreateListing {
  const { store, uploads, preflight, spending, consents, jobs, job_answers, naming } = parts;

  return async (request, call) => {
    const deadline_ms = jobs.getDeadline(call);
    const { account_id } = call.caller;
    const key = readIdempotencyKey(request, call.idempotency_key);
    const binding = { key, digest: buildDigest(request, await listContents(request, account_id)) };
    const before = await store.listings.findBinding(account_id, binding, REPLAY_MS);
    expectSameBody(before);
    const replayed = request.dry_run === true ? undefined : await replay(before, call, deadline_ms);
    if (replayed) return replayed;
    const confirm = request.state === 'active' && request.dry_run !== true ? request.confirm : undefined;
    const consent = await consents.open(call, ['listing_create', binding], confirm);
    if (consent.job) {
      return job_answers.answer(await jobs.follow(consent.job, call, deadline_ms), [CONFIRMED_BEFORE]);
    }
    const { plan, warnings } = await check(request, account_id, consent.issues);
    if (request.dry_run === true) {
      const names = await naming.nameIds(account_id, request);
      return toDryRun(request, plan, names, { warnings, unknown: call.warnings ?? [] });
    }
    const activations = plan?.state === 'active' ? plan.shops : [];
    const agreed = await consent.ask(activations.map(toOfferedShop), plan?.warnings ?? []);
    if ('instead' in agreed) return agreed.instead;
    const { job_id } = agreed;
    const { dry_run: _dry, confirm: _confirm, ...saved } = request;
    if (plan) parts.reachPoint?.('job.before_create');
    const created = await store.listings
      .createListing(
        {
          account_id,
          title: request.listing.title,
          state: request.state ?? 'draft',
          request: saved,
          warnings: [...(call.warnings ?? [])],
          binding,
          ...(plan ? { job: { job_id, plan, state: plan.state } } : {}),
          spending: spending.build(activations.length),
          most: settings.quotas,
        },
        REPLAY_MS,
      )
      .catch((cause: unknown) => {
        throw toQuotaError(spending.toError(cause, activations.length), settings);
      });
    if (created.match !== 'created') {
      const replayed = await replay(created, call, deadline_ms);
      if (!replayed) throw new Error('a listing is either created or there already');
      return replayed;
    }
    const { listing, job } = created;
    if (!job) return answerDraft(listing, warnings);
    parts.reachPoint?.('job.created');
    return job_answers.answer(await jobs.follow(job, call, deadline_ms));
  };

  async function answerDraft(
    listing: ListingRecord,
    warnings: readonly Warning[] = [],
  ): Promise<ListingJobResult> {
    const names = await naming.nameIds(listing.account_id, listing.request);
    return toDraftAnswer(listing, names, warnings, settings.base_url);
  }

  /** A draft has no plan yet, so its warnings are about the request. */
  async function check(
    request: ListingRequest,
    account_id: string,
    known_issues: readonly Issue[],
  ): Promise<{ plan?: PublishPlan; warnings: Warning[] }> {
    const state = request.state ?? 'draft';
    if (state === 'draft') return { warnings: await preflight.checkDraft(request, account_id) };
    const limits = state === 'active' ? await spending.listIssues(account_id, request.shops.length) : [];
    const issues = [...known_issues, ...limits];
    const plan = await preflight.buildPlan(request, { account_id, state, known_files: [], issues });
    return { plan, warnings: plan.warnings };
  }

  /** The earlier answer to the same request, or undefined when there was none. */
  async function replay(
    found: BindingMatch,
    call: Call,
    deadline_ms: number,
  ): Promise<ListingJobResult | undefined> {
    expectSameBody(found);
    if (found.match === 'none') return undefined;
    const { listing } = found;
    // A draft may have been published since: then the answer is its job.
    const job = found.job ?? (await store.listings.findPublishJob(listing));
    if (!job) {
      const told = await preflight.recheckDraft(listing.request, listing.account_id);
      return answerDraft(listing, [...told, REPLAYED_CREATION]);
    }
    return job_answers.answer(await jobs.follow(job, call, deadline_ms), [REPLAYED_CREATION]);
  }

  /**
   * The SHA-256s of a request's uploads, by URL: an assistant that starts over uploads the same photos again. A request stays the
   * same when their bytes are gone.
   */
  async function listContents(request: ListingRequest, account_id: string): Promise<Map<string, string>> {
    const files = [...(request.images ?? []), ...(request.digital_files ?? []), ...(request.videos ?? [])];
    const urls = [...new Set(files.map(({ url }) => url))].filter(isUploadUrl).slice(0, 20);
    const found = await uploads.findRecords(account_id, urls);
    return new Map([...found].map(([url, { sha256, filename }]) => [url, `sha256:${sha256}/${filename}`]));
  }
}

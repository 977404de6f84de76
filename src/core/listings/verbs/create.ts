import type { ListingJobResult, Warning } from '../../../../schemas/job.js';
import { toStarter } from '../../operations/starter.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Ports } from '../../ports/index.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { Call } from '../../operations/call.js';
import type { BindingMatch, ListingRecord } from '../../ports/index.js';
import { toQuotaError } from '../../operations/quotas.js';
import type { Plan, PublishAction } from '../../ports/listing/plan.js';
import type { Settings } from '../../settings.js';
import { isUploadUrl, type Uploads } from '../../uploads/uploads.js';
import { CONFIRMED_BEFORE, REPLAYED_CREATION, toDraftAnswer, toDryRun } from './answers.js';
import type { FeeConsents } from './consent.js';
import type { JobAnswers } from './job_answers.js';
import type { Jobs } from '../jobs/jobs.js';
import type { Naming } from '../names.js';
import { toOfferedShop } from '../fees/fee_question.js';
import { checkGroupedDraft, listShopRequests } from '../resolve/copy/grouped_plan.js';
import { buildPartialPlan, toWholePath } from '../resolve/copy/partial_plan.js';
import type { Preflight } from '../preflight/index.js';
import { expectSameBody, REPLAY_MS } from '../requests/repeats.js';
import { withOptionKeys } from '../requests/option_keys.js';
import { buildDigest, readIdempotencyKey } from '../requests/request.js';
import { splitOverrides, type SplitRequest } from '../resolve/split_overrides.js';
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

  return async (given, call) => {
    const deadline_ms = jobs.getDeadline(call);
    const { account_id } = call.caller;
    const split = splitOverrides(withOptionKeys(given));
    const { request, own } = split;
    const key = readIdempotencyKey(request, call.idempotency_key);
    const binding = { key, digest: buildDigest(given, await listContents(request, account_id)) };
    const before = await store.listings.findBinding(account_id, binding, REPLAY_MS);
    expectSameBody(before);
    const replayed = request.dry_run === true ? undefined : await replay(before, call, deadline_ms);
    if (replayed) return replayed;
    const confirm = request.state === 'active' && request.dry_run !== true ? request.confirm : undefined;
    const consent = await consents.open(call, ['listing_create', binding], confirm);
    if (consent.job) {
      return job_answers.answer(await jobs.follow(consent.job, call, deadline_ms), [CONFIRMED_BEFORE]);
    }
    const { plan, warnings } = await check(split, given, account_id, consent.issues);
    if (request.dry_run === true) {
      const names = await naming.nameIds(account_id, request);
      return toDryRun(request, plan, names, { warnings, unknown: call.warnings ?? [] });
    }
    const { state = 'draft' } = request;
    const activations = state === 'active' ? (plan?.shops ?? []) : [];
    const agreed = await consent.ask(activations.map(toOfferedShop), plan?.warnings ?? []);
    if ('instead' in agreed) return agreed.instead;
    const { job_id } = agreed;
    const { dry_run: _dry, confirm: _confirm, ...saved } = request;
    const created = await store.listings
      .createListing(
        {
          account_id,
          title: request.listing.title,
          state,
          request: saved,
          own,
          warnings: [...(call.warnings ?? [])],
          binding,
          ...(plan && state !== 'draft' && { job: { job_id, plan, state, started_by: toStarter(call) } }),
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
    { request, own, issues: found }: SplitRequest,
    { shops }: ListingRequest,
    account_id: string,
    known_issues: readonly Issue[],
  ): Promise<{ plan?: Plan<PublishAction>; warnings: Warning[] }> {
    const state = request.state ?? 'draft';
    const places = own.map(({ shop_id, changes }) => ({ shop_id, progress: { changes } }));
    const all = request.shops.map(({ shop_id }) => shop_id);
    const findOverrides = (shop_id: number) => shops.find((target) => target.shop_id === shop_id)?.overrides;
    if (state === 'draft') {
      const requests = own.length === 0 ? [request] : listShopRequests({ request }, places, request.shops);
      const warnings = await checkGroupedDraft(
        preflight,
        requests,
        { account_id, issues: found },
        (path, position) => toWholePath(path, requests[position], all, findOverrides),
      );
      return { warnings };
    }
    const limits = state === 'active' ? await spending.listIssues(account_id, request.shops.length) : [];
    const issues = [...known_issues, ...limits, ...found];
    const options = { account_id, state, known_files: [], issues };
    const isPlain = own.length === 0 && shops.every(({ overrides }) => overrides == null);
    const plan = isPlain
      ? await preflight.buildPlan(request, options)
      : await buildPartialPlan(preflight, { request }, places, new Set(all), options, findOverrides);
    return { plan, warnings: plan.warnings };
  }

  /** The earlier response to the same request; undefined if there was none. */
  async function replay(
    found: BindingMatch,
    call: Call,
    deadline_ms: number,
  ): Promise<ListingJobResult | undefined> {
    expectSameBody(found);
    if (found.match === 'none') return undefined;
    const { listing } = found;
    // A draft may have been published since: then the response is its job.
    const job = found.job ?? (await store.listings.findPublishJob(listing));
    if (!job) {
      const warnings = await preflight.recheckDraft(listing.request, listing.account_id);
      return answerDraft(listing, [...warnings, REPLAYED_CREATION]);
    }
    return job_answers.answer(await jobs.follow(job, call, deadline_ms), [REPLAYED_CREATION]);
  }

  /**
   * The SHA-256 hashes of a request's uploads, by URL, since an assistant that starts over uploads the same photos
   * again. They stay known after the bytes are deleted, so a request keeps its digest.
   */
  async function listContents(request: ListingRequest, account_id: string): Promise<Map<string, string>> {
    const files = [...(request.images ?? []), ...(request.digital_files ?? []), ...(request.videos ?? [])];
    const urls = [...new Set(files.map(({ url }) => url))].filter(isUploadUrl).slice(0, 20);
    const found = await uploads.findRecords(account_id, urls);
    return new Map([...found].map(([url, { sha256, filename }]) => [url, `sha256:${sha256}/${filename}`]));
  }
}

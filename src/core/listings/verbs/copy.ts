import { toStarter } from '../../operations/starter.js';
import type { CopyRequest } from '../../../../schemas/copy.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { ListingJobResult, Warning } from '../../../../schemas/job.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Plan, PublishAction } from '../../ports/listing/plan.js';
import { toCanonicalJson } from '../../text/canonical_json.js';
import type { Categories } from '../../shops/categories.js';
import type { Ports } from '../../ports/index.js';
import { ServiceError } from '../../errors.js';
import { buildValidationError } from '../../issues/issues.js';
import type { Call } from '../../operations/call.js';
import { type BindingMatch, type JobRecord, type ListingRecord, type PublishJob } from '../../ports/index.js';
import { toQuotaError } from '../../operations/quotas.js';
import type { Settings } from '../../settings.js';
import type { Shops } from '../../shops/shops.js';
import { CONFIRMED_BEFORE, REPLAYED, toDraftAnswer, toDryRun } from './answers.js';
import type { FeeConsents } from './consent.js';
import type { JobAnswers } from './job_answers.js';
import type { Jobs } from '../jobs/jobs.js';
import { getListing } from '../requests/get_listing.js';
import type { Naming } from '../names.js';
import { toOfferedShop } from '../fees/fee_question.js';
import type { Preflight } from '../preflight/index.js';
import { buildBusy, expectSameBody, REPLAY_MS, withBatch, retryOnConflict } from '../requests/repeats.js';
import { readIdempotencyKey, toDigest } from '../requests/request.js';
import { MOST_SHOPS } from '../rules/field_rules.js';
import type { Spending } from '../fees/spending.js';
import { buildGroupedPlan, checkGroupedDraft } from '../resolve/copy/grouped_plan.js';
import { findOverridePath } from '../resolve/overrides.js';
import { prepareCopy, type PreparedCopy } from '../resolve/copy/prepare.js';
import { createFindReplacedFiles } from '../resolve/copy/replaced_files.js';

type Parts = Ports & {
  shops: Shops;
  categories: Categories;
  preflight: Preflight;
  spending: Spending;
  consents: FeeConsents;
  jobs: Jobs;
  job_answers: JobAnswers;
  naming: Naming;
};

/** The operation listing_copy: puts a saved listing into further shops. Responds like listing_create. */
export type CopyListing = (input: CopyRequest, call: Call) => Promise<ListingJobResult>;

/** One request for the shops with the same copy, and the indexes of these shops in the call. */
type Group = { request: ListingRequest; indexes: number[] };

export function createCopyListing(parts: Parts, settings: Settings): CopyListing {
  const { store, shops, categories, preflight, spending, consents, jobs, job_answers, naming } = parts;
  const findReplacedFiles = createFindReplacedFiles(parts);

  const copy: CopyListing = async (input, call) => {
    const deadline_ms = jobs.getDeadline(call);
    const { account_id } = call.caller;
    const { listing_pk, state = 'draft', dry_run = false } = input;
    const key = readIdempotencyKey(input, call.idempotency_key);
    const binding = { key, digest: buildDigest(input) };
    const listing = await getListing(store, account_id, listing_pk);
    const before = await store.listings.findBinding(account_id, binding, REPLAY_MS);
    expectSameBody(before);
    const replayed = dry_run ? undefined : await replay(before, input, call, deadline_ms);
    if (replayed) return replayed;
    const confirm = state === 'active' && !dry_run ? input.confirm : undefined;
    const consent = await consents.open(call, ['listing_copy', { listing_pk, ...binding }], confirm);
    if (consent.job) {
      return job_answers.answer(await jobs.follow(consent.job, call, deadline_ms), [CONFIRMED_BEFORE]);
    }
    await expectNew(listing, input);
    const prepared = await prepare(listing, input);
    const limits =
      state === 'active' ? await spending.listIssues(account_id, input.shops.length, call.batch) : [];
    const issues = [...consent.issues, ...limits, ...prepared.issues];
    const { plan, warnings } = await check(prepared, input, account_id, issues);
    if (dry_run) {
      for (const { shop_id, action } of plan?.shops ?? []) call.batch?.onCopied?.(shop_id, action.draft);
      const request = { ...prepared.request, shops: prepared.shops.flatMap((shop) => shop.request.shops) };
      const names = await naming.nameIds(account_id, request);
      return toDryRun(request, plan, names, { warnings, unknown: call.warnings ?? [] });
    }
    const fees = state === 'active' ? (plan?.shops ?? []) : [];
    const agreed = await consent.ask(fees.map(toOfferedShop), warnings);
    if ('instead' in agreed) return agreed.instead;
    const copied = {
      request: prepared.request,
      shops: prepared.shops.map(({ request, changes }) => ({
        shop_id: request.shops[0]?.shop_id ?? 0,
        changes,
      })),
    };
    const change = { account_id, listing_pk, as_of: listing.updated_at, binding };
    if (!plan || state === 'draft') {
      const saved = await store.listings
        .replaceRequest({ ...change, request: copied.request, copied: copied.shops, most: settings.quotas })
        .catch((cause: unknown) => {
          throw toQuotaError(cause, settings);
        });
      return answerDraft(saved, input, warnings);
    }
    const { created, job } = await store.listings
      .createJob({
        ...change,
        kind: 'publish',
        job_id: agreed.job_id,
        state,
        plan: withBatch(plan, call.batch),
        copied,
        spending: spending.build(fees.length, call.batch),
        started_by: toStarter(call),
      })
      .catch((cause: unknown) => {
        throw spending.toError(cause, fees.length);
      });
    if (!created) {
      const again = await store.listings.findBinding(account_id, binding, REPLAY_MS);
      const answer = await replay(again, input, call, deadline_ms);
      if (answer) return answer;
      throw buildBusy(job);
    }
    return job_answers.answer(await jobs.follow(expectPublish(job), call, deadline_ms));
  };
  return (input, call) => retryOnConflict(() => copy(input, call));

  /**
   * Throws ALREADY_IN_SHOP, and the problems of the shops themselves; LISTING_BUSY if a job is running or an
   * outcome is still unknown.
   */
  async function expectNew(listing: ListingRecord, { shops: targets, dry_run }: CopyRequest): Promise<void> {
    const { account_id, listing_pk, request, job_id } = listing;
    const known = new Set(request.shops.map(({ shop_id }) => shop_id));
    const there = targets.flatMap(({ shop_id }, index) => (known.has(shop_id) ? [{ shop_id, index }] : []));
    if (there.length > 0) {
      const connected = await shops.listConnected(account_id);
      const issues = there.map(({ shop_id, index }): Issue => {
        const shop_name = connected.find((shop) => shop.shop_id === shop_id)?.details.shop_name ?? '';
        const params = { shop_id, shop_name, listing_pk };
        return { code: 'already_in_shop', at: `shops[${index}].shop_id`, params };
      });
      throw new ServiceError('ALREADY_IN_SHOP', issues);
    }
    if (targets.length === 0) {
      throw buildValidationError([{ code: 'shops_empty', at: 'shops', params: { of: 'copy' } }]);
    }
    if (known.size + targets.length > MOST_SHOPS) {
      const params = { count: known.size + targets.length, most: MOST_SHOPS };
      throw buildValidationError([{ code: 'copy_too_many_shops', at: 'shops', params }]);
    }
    const running =
      dry_run === true ? undefined : await store.listings.findRunningJob(account_id, listing_pk);
    if (running) throw buildBusy(running);
    const publications = await store.listings.listPublications(account_id, listing_pk);
    // Only the last job's plan says what to create, and the job of a copy would replace it.
    if (publications.some(({ progress }) => progress.intent !== null)) {
      throw new ServiceError('LISTING_BUSY', { code: 'outcome_unknown', params: { listing_pk, job_id } });
    }
  }

  async function prepare(listing: ListingRecord, input: CopyRequest): Promise<PreparedCopy> {
    const { account_id, listing_pk, request } = listing;
    const taxonomy_id = input.changes?.listing?.taxonomy_id ?? request.listing.taxonomy_id;
    const [connected, publications, snapshots, schema] = await Promise.all([
      shops.listConnected(account_id),
      store.listings.listPublications(account_id, listing_pk),
      store.listings.listSnapshots(account_id, listing_pk),
      (input.state ?? 'draft') === 'draft'
        ? categories.findKeptSchema(taxonomy_id)
        : // The checks of the request report a missing category.
          categories.getSchema(account_id, taxonomy_id).catch(() => undefined),
    ]);
    const kept = snapshots.find(({ shop_id }) => shop_id === request.shops[0]?.shop_id)?.snapshot;
    const isLive = (input.state ?? 'draft') !== 'draft';
    const replaced =
      input.changes?.digital_files == null
        ? await findReplacedFiles(listing, publications, { is_live: isLive })
        : undefined;
    return prepareCopy({ listing, publications, input, connected, kept, replaced, schema });
  }

  async function check(
    prepared: PreparedCopy,
    { state = 'draft', shops: targets }: CopyRequest,
    account_id: string,
    issues: PreparedCopy['issues'],
  ): Promise<{ plan?: Plan<PublishAction>; warnings: Warning[] }> {
    const groups = groupShops(prepared);
    const toPath = (path: string, position: number) => toCallPath(path, groups[position], targets);
    if (state === 'draft') {
      const drafts = groups.map(({ request }) => ({ ...request, state }));
      const found = await checkGroupedDraft(preflight, drafts, { account_id, issues }, toPath);
      return { warnings: [...prepared.warnings, ...found] };
    }
    const requests = groups.map(({ request }) => ({ ...request, state }));
    const options = { account_id, state, known_files: [], issues };
    const plan = await buildGroupedPlan(preflight, requests, options, toPath);
    const warnings = [...prepared.warnings, ...plan.warnings];
    return { plan: { ...plan, warnings }, warnings };
  }

  /** The earlier response to the same request; undefined if there was none. */
  async function replay(
    found: BindingMatch,
    input: CopyRequest,
    call: Call,
    deadline_ms: number,
  ): Promise<ListingJobResult | undefined> {
    expectSameBody(found);
    if (found.match === 'none') return undefined;
    const job = found.job ?? (await findLaterJob(found.listing, input));
    if (!job) return answerDraft(found.listing, input, [REPLAYED]);
    return job_answers.answer(await jobs.follow(job, call, deadline_ms), [REPLAYED]);
  }

  /** The last job that published a copy, saved as a draft, in all its shops. */
  async function findLaterJob(
    { account_id, listing_pk }: ListingRecord,
    { shops: targets }: CopyRequest,
  ): Promise<PublishJob | undefined> {
    const all = await store.listings.listJobs(account_id, listing_pk);
    return all
      .filter((job) => job.kind === 'publish')
      .findLast((job) => {
        // The plan of an old job was deleted.
        const in_shops = new Set(
          (job.plan?.shops ?? job.results ?? []).map(({ shop_id }) => Number(shop_id)),
        );
        return targets.every(({ shop_id }) => in_shops.has(shop_id));
      });
  }

  /** Does not mention the listing's former shops, in which it may be live. */
  async function answerDraft(
    listing: ListingRecord,
    { shops: targets }: CopyRequest,
    warnings: readonly Warning[],
  ): Promise<ListingJobResult> {
    const { account_id, listing_pk } = listing;
    const names = await naming.nameIds(account_id, listing.request);
    const publications = await store.listings.listPublications(account_id, listing_pk);
    const made = targets.filter(({ shop_id }) =>
      publications.some((known) => known.shop_id === shop_id && known.listing_id !== null),
    ).length;
    const many = targets.length === 1 ? '1 more shop' : `${targets.length} more shops`;
    const since = made === 0 ? '; nothing was sent' : `, and made in ${made} of them since`;
    return {
      ...toDraftAnswer(listing, names, warnings, settings.base_url),
      message: `Saved for ${many}${since}. listing_publish makes it there.`,
    };
  }
}

function groupShops({ shops }: PreparedCopy): Group[] {
  const groups = new Map<string, Group>();
  shops.forEach(({ request, changes }, index) => {
    const key = toCanonicalJson(changes ?? null);
    const group = groups.get(key);
    if (group) {
      group.request.shops.push(...request.shops);
      group.indexes.push(index);
    } else groups.set(key, { request: { ...request, shops: [...request.shops] }, indexes: [index] });
  });
  return [...groups.values()];
}

/**
 * Paths at which the caller of a copy can fix problems: a shop's in the call itself, all others through `changes`.
 */
function toCallPath(path: string, group: Group | undefined, targets: CopyRequest['shops']): string {
  const { indexes = [], request } = group ?? {};
  const [, position, rest = ''] = /^shops\[(\d+)\](.*)$/.exec(path) ?? [];
  const index = indexes[Number(position ?? 0)];
  const own =
    request && index !== undefined
      ? findOverridePath(path, targets[index]?.overrides, request, `shops[${index}].overrides`)
      : undefined;
  if (own !== undefined) return own;
  if (position !== undefined) return `shops[${index ?? position}]${rest}`;
  return /^(?:listing|images|videos|digital_files|variations|category_attributes|personalization)\b/.test(
    path,
  )
    ? `changes.${path}`
    : path;
}

/** Everything except the key that names the call and the token that confirms it. */
function buildDigest({
  idempotency_key: _key,
  confirm: _confirm,
  dry_run: _dry,
  ...body
}: CopyRequest): string {
  return toDigest(['listing_copy', body]);
}

function expectPublish(job: JobRecord): PublishJob {
  if (job.kind === 'publish') return job;
  throw new Error(`Job ${job.job_id} does not publish.`);
}

import type { z } from 'zod/v3';
import type { ListingJobResult, Warning } from '../../../schemas/job.js';
import type {
  listingDeleted,
  listingDetail,
  ListingSummary,
  listingsPage,
  listingsQuery,
} from '../../../schemas/listing.js';
import type { ListingRequest } from '../../../schemas/listing_request.js';
import type { Categories } from '../categories.js';
import type { Ports } from '../core.js';
import { ServiceError, type Issue } from '../errors.js';
import type { Call } from '../operation.js';
import type { BindingMatch, JobRecord, ListingRecord } from '../ports/index.js';
import type { Settings } from '../settings.js';
import type { Stores } from '../stores.js';
import { isUploadUrl, type Uploads } from '../uploads.js';
import { toDryRun, toDraftAnswer, toJobAnswer, toSummary } from './answers.js';
import { createJobs, type Jobs } from './jobs.js';
import type { PublishPlan } from './plan.js';
import { createPreflight } from './preflight/index.js';
import { buildEmptyProgress } from './progress.js';
import { buildDigest, readIdempotencyKey } from './request.js';
import { isFinished, toShopResult } from './results.js';
import { mergeIssues, withoutFound } from './rules/index.js';
import { createSpending } from './spending.js';
import { listTypos } from './typos.js';

/** A repeat without a key is the same request this long after the first one's end: assistants repeat calls that timed out. */
const REPLAY_MS = 10 * 60 * 1000;

export type Listings = {
  create(request: ListingRequest, call: Call): Promise<ListingJobResult>;
  /** All that is wrong with a request whose types are wrong somewhere: the schema's findings and everybody else's. */
  explain(raw: unknown, found: readonly Issue[], call: Call): Promise<Issue[]>;
  getJob(account_id: string, job_id: string): Promise<ListingJobResult>;
  list(account_id: string, query: z.output<typeof listingsQuery>): Promise<z.output<typeof listingsPage>>;
  get(account_id: string, listing_pk: number): Promise<z.output<typeof listingDetail>>;
  publish(listing_pk: number, state: 'publish' | 'active', call: Call): Promise<ListingJobResult>;
  delete(account_id: string, listing_pk: number): Promise<z.output<typeof listingDeleted>>;
} & Pick<Jobs, 'resume' | 'stop'>;

export function createListings(
  ports: Ports & { stores: Stores; categories: Categories; uploads: Uploads },
  settings: Settings,
): Listings {
  const { store, clock, ids } = ports;
  const preflight = createPreflight(ports);
  const spending = createSpending(ports, settings);
  const jobs = createJobs(ports, settings);

  async function create(request: ListingRequest, call: Call): Promise<ListingJobResult> {
    const { account_id } = call.caller;
    const key = readIdempotencyKey(request, call.idempotency_key);
    const binding = { key, digest: buildDigest(request, await listContents(request, account_id)) };
    const typos = listTypos(request);
    if (request.dry_run !== true) {
      const before = await store.listings.findBinding(account_id, binding, now(), REPLAY_MS);
      const replayed = await replay(before, call);
      if (replayed) return replayed;
    }
    const state = request.state ?? 'draft';
    const plan = await check(request, state, call);
    if (request.dry_run === true) return toDryRun(request, plan, typos);
    if (plan?.state === 'active') await spending.approve(plan.shops, call);
    const { dry_run: _dry, ...saved } = request;
    if (plan) ports.reachPoint?.('job.before_create');
    const created = await store.listings.createListing(
      {
        account_id,
        title: request.listing.title,
        state,
        request: saved,
        warnings: typos,
        binding,
        ...(plan ? { job: { job_id: ids.build('job_'), plan, state: plan.state } } : {}),
        now: now(),
      },
      REPLAY_MS,
    );
    if (created.match !== 'created') {
      const replayed = await replay(created, call);
      if (!replayed) throw new Error('a listing is either created or there already');
      return replayed;
    }
    const { listing, job } = created;
    if (!job) return toDraftAnswer(listing, typos);
    ports.reachPoint?.('job.created');
    return run(job, call, typos);
  }

  /** What the uploads of a request hold, by URL: an assistant that starts over uploads the same photos again. */
  async function listContents(request: ListingRequest, account_id: string): Promise<Map<string, string>> {
    const files = [...(request.images ?? []), ...(request.digital_files ?? []), ...(request.videos ?? [])];
    const urls = [...new Set(files.map(({ url }) => url))].filter(isUploadUrl).slice(0, 20);
    const found = await Promise.all(urls.map((url) => ports.uploads.findByUrl(account_id, url)));
    return new Map(
      urls.flatMap((url, index) => {
        const upload = found[index];
        return upload ? [[url, `sha256:${upload.sha256}/${upload.filename}`]] : [];
      }),
    );
  }

  async function check(
    request: ListingRequest,
    state: 'draft' | 'publish' | 'active',
    call: Call,
  ): Promise<PublishPlan | undefined> {
    const { account_id } = call.caller;
    if (state === 'draft') {
      await preflight.checkDraft(request, account_id);
      return undefined;
    }
    return preflight.buildPlan(request, { account_id, state, known_files: [], signal: call.signal });
  }

  /** The earlier answer to the same request, or undefined when there was none. */
  async function replay(found: BindingMatch, call: Call): Promise<ListingJobResult | undefined> {
    if (found.match === 'none') return undefined;
    if (found.match === 'reused') {
      throw new ServiceError('IDEMPOTENCY_KEY_REUSED', 'idempotency_key: came before with another body.');
    }
    const { listing, job } = found;
    const warnings = [...listing.warnings, REPLAYED];
    return job ? run(job, call, warnings) : toDraftAnswer(listing, warnings);
  }

  /** Runs the job or joins it, and answers when it has ended or the caller's time is over. */
  async function run(
    job: JobRecord,
    call: Call,
    warnings: readonly Warning[] = [],
  ): Promise<ListingJobResult> {
    const { account_id, job_id } = job;
    if (job.status === 'processing') jobs.start(account_id, job_id);
    const { wait_ms, signal, onProgress } = call;
    const ended = await jobs.wait(account_id, job_id, {
      ...(wait_ms === undefined ? {} : { wait_ms }),
      ...(signal ? { signal } : {}),
      ...(onProgress ? { onProgress } : {}),
    });
    return toAnswer(ended, warnings);
  }

  async function toAnswer(job: JobRecord, warnings: readonly Warning[] = []): Promise<ListingJobResult> {
    if (job.results) return toJobAnswer(job, job.results, warnings);
    return toJobAnswer(job, await listResults(job), warnings);
  }

  /** What is known so far of each shop of a listing. */
  async function listResults(job: JobRecord) {
    const publications = await store.listings.listPublications(job.account_id, job.listing_pk);
    return job.plan.shops.map((shop_plan) => {
      const publication = publications.find(({ shop_id }) => shop_id === shop_plan.shop_id);
      const progress = publication?.progress ?? buildEmptyProgress();
      return toShopResult(job.plan, shop_plan, progress, publication?.listing_id ?? null);
    });
  }

  async function publish(
    listing_pk: number,
    state: 'publish' | 'active',
    call: Call,
  ): Promise<ListingJobResult> {
    const { account_id } = call.caller;
    const listing = await getListing(account_id, listing_pk);
    const last =
      listing.job_id === null ? undefined : await store.listings.findJob(account_id, listing.job_id);
    if (last?.status === 'processing') return run(last, call, [REPLAYED]);
    const publications = await store.listings.listPublications(account_id, listing_pk);
    // What is live stays live: asking for a draft of it afterwards asks for nothing.
    const wanted =
      state === 'publish' && last?.state === 'active' && listing.status === 'active' ? 'active' : state;
    const isDone =
      last !== undefined &&
      last.state === wanted &&
      last.status === 'completed' &&
      publications.every(({ progress }) => isFinished(last.plan, progress));
    if (isDone) return toAnswer(last, [REPLAYED]);
    const known_files = last ? [...last.plan.images, ...last.plan.videos, ...last.plan.files] : [];
    const plan = await preflight.buildPlan(listing.request, {
      account_id,
      state,
      known_files,
      signal: call.signal,
    });
    const open = plan.shops.filter(
      ({ shop_id }) => !publications.some((known) => known.shop_id === shop_id && known.progress.is_active),
    );
    if (state === 'active') await spending.approve(open, call);
    ports.reachPoint?.('job.before_create');
    const { job } = await store.listings.createJob({
      account_id,
      listing_pk,
      job_id: ids.build('job_'),
      state,
      plan,
      now: now(),
    });
    ports.reachPoint?.('job.created');
    return run(job, call);
  }

  async function getListing(account_id: string, listing_pk: number): Promise<ListingRecord> {
    const listing = await store.listings.findListing(account_id, listing_pk);
    if (!listing) throw new ServiceError('LISTING_NOT_FOUND', `There is no listing ${listing_pk}.`);
    return listing;
  }

  function now(): string {
    return clock.now().toISOString();
  }

  return {
    create,
    publish,
    async explain(raw, found, call) {
      const rest = withoutFound(raw, found);
      return mergeIssues(found, await preflight.listIssues(rest, call.caller.account_id));
    },
    async getJob(account_id, job_id) {
      const job = await store.listings.findJob(account_id, job_id);
      if (!job) throw new ServiceError('JOB_NOT_FOUND', 'There is no job with this id.');
      return toAnswer(job);
    },
    async list(account_id, { status, limit, offset }) {
      const { total, items } = await store.listings.listListings(account_id, { status, limit, offset });
      return { total, limit, offset, listings: items.map((item) => toSummary(item, item.shop_ids)) };
    },
    async get(account_id, listing_pk) {
      const listing = await getListing(account_id, listing_pk);
      const job =
        listing.job_id === null ? undefined : await store.listings.findJob(account_id, listing.job_id);
      const summary: ListingSummary = toSummary(
        listing,
        listing.request.shops.map(({ shop_id }) => shop_id),
      );
      return {
        ...summary,
        request: listing.request,
        warnings: listing.warnings,
        job: job ? { job_id: job.job_id, status: job.status } : null,
        results: job ? (job.results ?? (await listResults(job))) : [],
      };
    },
    async delete(account_id, listing_pk) {
      await getListing(account_id, listing_pk);
      if (!(await store.listings.deleteDraft(account_id, listing_pk))) {
        throw new ServiceError(
          'NOT_DELETABLE',
          `Listing ${listing_pk} is on the marketplace, or on its way there.`,
        );
      }
      return { listing_pk, deleted: true };
    },
    resume: jobs.resume,
    stop: jobs.stop,
  };
}

const REPLAYED: Warning = {
  code: 'replayed',
  fields: [],
  reason:
    'The same request came before; this is its result. Nothing was made twice. A new idempotency_key makes another listing.',
};

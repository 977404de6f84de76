import type { ListingJobResult, Warning } from '../../../schemas/job.js';
import type { Ports } from '../core.js';
import type { Call } from '../operation.js';
import { ServiceError } from '../errors.js';
import type { JobRecord, ListingRecord, Publication, PublishJob } from '../ports/index.js';
import { CONFIRMED_BEFORE, REPLAYED } from './answers.js';
import { buildGroupedPlan, listShopRequests } from './copy/grouped_plan.js';
import type { FeeConsent, FeeConsents } from './consent.js';
import type { Following } from './following.js';
import { getListing } from './get_listing.js';
import { listMisunderstood } from './key_rules.js';
import type { PublishPlan } from './plan.js';
import type { Preflight } from './preflight/index.js';
import { isSettled } from './progress.js';
import { isComplete } from './publish_shop.js';
import type { Spending } from './spending.js';

type State = 'publish' | 'active';

type Parts = Ports & {
  preflight: Preflight;
  spending: Spending;
  consents: FeeConsents;
  following: Following;
};

/**
 * The operation listing_publish: a draft, or what an earlier job left undone.
 * @param confirm the confirm_token of an earlier answer
 */
export type PublishListing = (
  listing_pk: number,
  state: State,
  call: Call,
  confirm?: string,
) => Promise<ListingJobResult>;

export function createPublishListing(parts: Parts): PublishListing {
  const { store, preflight, spending, consents, following } = parts;

  return async (listing_pk, state, call, confirm) => {
    const deadline_ms = following.getDeadline(call);
    const { account_id } = call.caller;
    for (;;) {
      const listing = await getListing(store, account_id, listing_pk);
      const last = await store.listings.findPublishJob(listing);
      if (last?.status === 'processing') {
        const ended = await following.follow(last, call, deadline_ms);
        if (last.state === state) return following.answer(ended, [REPLAYED]);
        if (ended.status === 'processing') return following.answer(ended, [buildOtherJob(last.state, state)]);
        // What was asked for is something else; it starts where that job has ended.
        continue;
      }
      const publications = await store.listings.listPublications(account_id, listing_pk);
      if (last && isDone(last, state, listing, publications)) return following.answer(last, [REPLAYED]);
      const request = ['listing_publish', { listing_pk, state: 'active' }] as const;
      const consent = await consents.open(call, request, state === 'active' ? confirm : undefined);
      if (consent.job) {
        return following.answer(await following.follow(consent.job, call, deadline_ms), [CONFIRMED_BEFORE]);
      }
      const started = await start(listing, last, state, publications, consent);
      if (!started) continue;
      if ('instead' in started) return started.instead;
      parts.reachPoint?.('job.created');
      return following.answer(await following.follow(started.job, call, deadline_ms));
    }
  };

  /** Undefined when another job was quicker, of this listing or with this token. */
  async function start(
    listing: ListingRecord,
    last: PublishJob | undefined,
    state: State,
    publications: readonly Publication[],
    consent: FeeConsent,
  ): Promise<{ job: PublishJob } | { instead: ListingJobResult } | undefined> {
    const { account_id, listing_pk } = listing;
    const isOpen = ({ shop_id }: { shop_id: number }) =>
      !publications.some((known) => known.shop_id === shop_id && known.progress.is_active);
    // A fee whose outcome is still open has been counted when it was intended.
    const isNew = ({ shop_id }: { shop_id: number }) =>
      !publications.some(
        (known) => known.shop_id === shop_id && known.progress.activation_intended_at !== null,
      );
    const shops = listOpenShops(listing, last, publications);
    const wanted = state === 'active' ? shops.filter((shop) => isOpen(shop) && isNew(shop)).length : 0;
    const requests = listShopRequests(listing, publications, shops);
    const options = {
      account_id,
      state,
      known_files: last?.plan ? listFiles(last.plan) : [],
      issues: [
        ...consent.issues,
        ...(await spending.listIssues(account_id, wanted)),
        ...(wanted > 0 ? listMisunderstood(listing.request) : []),
      ],
      hint: MEND_SAVED,
    };
    const plan = await buildGroupedPlan(preflight, requests, options, (path) => path);
    const agreed = await consent.ask(state === 'active' ? plan.shops.filter(isOpen) : [], plan.warnings);
    if ('instead' in agreed) return agreed;
    parts.reachPoint?.('job.before_create');
    const { created, job } = await store.listings
      .createJob({
        kind: 'publish',
        account_id,
        listing_pk,
        job_id: agreed.job_id,
        state,
        plan,
        spending: spending.build(wanted),
      })
      .catch((cause: unknown) => {
        throw spending.toError(cause, wanted);
      });
    if (!created) expectNoOther(job);
    return created && job.kind === 'publish' ? { job } : undefined;
  }
}

/** Everything this state asks for is there in every shop. What is live stays live: a draft of it is asked for in vain. */
function isDone(
  last: PublishJob,
  state: State,
  { request }: ListingRecord,
  publications: readonly Publication[],
): boolean {
  if (last.status !== 'completed' || (state === 'active' && last.state !== 'active')) return false;
  const { plan } = last;
  const named = new Set(
    plan ? plan.shops.map(({ shop_id }) => shop_id) : last.results?.map(({ shop_id }) => Number(shop_id)),
  );
  const others = request.shops.filter(({ shop_id }) => !named.has(shop_id));
  if (!others.every((shop) => isThere(shop, state, publications))) return false;
  // Only of a job that left nothing to do is the plan swept.
  if (!plan) return true;
  return plan.shops.every((shop_plan) => {
    const known = publications.find(({ shop_id }) => shop_id === shop_plan.shop_id);
    return known !== undefined && isComplete({ ...plan, state }, shop_plan, known.progress);
  });
}

/** The request that is wrong is a saved one, which this call does not bring. */
const MEND_SAVED =
  'Correct the saved listing with listing_update, whose changes take these fields, then call listing_publish again.';

/** Of a shop that the last job was not about: it was imported there, or an earlier job made it. */
function isThere(
  { shop_id }: { shop_id: number },
  state: State,
  publications: readonly Publication[],
): boolean {
  const progress = publications.find((known) => known.shop_id === shop_id)?.progress;
  return progress !== undefined && isSettled(progress) && (state === 'publish' || progress.is_active);
}

/** Shops that the job is about: those of the last one, and where something is left to do. Without any, all. */
function listOpenShops(
  { request }: ListingRecord,
  last: PublishJob | undefined,
  publications: readonly Publication[],
): ListingRecord['request']['shops'] {
  const before = new Set(last?.plan?.shops.map(({ shop_id }) => shop_id));
  const open = request.shops.filter(
    (shop) => before.has(shop.shop_id) || !isThere(shop, 'active', publications),
  );
  return open.length > 0 ? open : request.shops;
}

function listFiles({ images, videos, files }: PublishPlan) {
  return [...images, ...videos, ...files];
}

function buildOtherJob(running: State, asked: State): Warning {
  return {
    code: 'other_job_running',
    fields: ['state'],
    reason: `Another job of this listing, for state ${running}, still runs; this is how far it is. Call listing_publish with state ${asked} again when it has ended.`,
  };
}

/** One job of a listing runs at a time, and a change is not what was asked for. Throws LISTING_BUSY. */
function expectNoOther(job: JobRecord): void {
  if (job.kind === 'publish') return;
  throw new ServiceError(
    'LISTING_BUSY',
    `Job ${job.job_id} still changes this listing; ask listing_create_status for it, then call again.`,
  );
}

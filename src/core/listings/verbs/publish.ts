import type { ListingJobResult, Warning } from '../../../../schemas/job.js';
import { toStarter } from '../../operations/starter.js';
import type { Ports } from '../../ports/index.js';
import type { Plan, PublishAction } from '../../ports/listing/plan.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { BatchPart, Call } from '../../operations/call.js';
import type { Binding, ListingRecord, Publication, ShopJob } from '../../ports/index.js';
import type { Shops } from '../../shops/shops.js';
import { CONFIRMED_BEFORE, REPLAYED, toDryRun, toUnchanged } from './answers.js';
import type { FeeConsent, FeeConsents } from './consent.js';
import { buildReplaced, createFindReplacedFiles, hasReplaced } from '../resolve/copy/replaced_files.js';
import { toShopRequest } from '../requests/own_changes.js';
import type { JobAnswers } from './job_answers.js';
import type { Jobs } from '../jobs/jobs.js';
import { getListing } from '../requests/get_listing.js';
import { listMisunderstood } from '../requests/key_rules.js';
import type { Naming } from '../names.js';
import { toOfferedShop } from '../fees/fee_question.js';
import { buildPartialPlan } from '../resolve/copy/partial_plan.js';
import type { Preflight } from '../preflight/index.js';
import {
  buildOtherJob,
  buildPublishDigest,
  chooseWork,
  expectJoinable,
  isDone,
  isSameWork,
  toAsked,
  type Found,
  type PublishRequest,
  type Work,
} from './publish_work.js';
import { expectAsOf, expectSameBody, withBatch, retryOnConflict } from '../requests/repeats.js';
import { readIdempotencyKey } from '../requests/request.js';
import { createSale } from './sale.js';
import type { Spending } from '../fees/spending.js';
import type { SightingReader } from '../observed/sighting_reader.js';
import { listPlannedFiles } from '../requests/planned_files.js';

type Parts = Ports & {
  shops: Shops;
  preflight: Preflight;
  spending: Spending;
  consents: FeeConsents;
  jobs: Jobs;
  job_answers: JobAnswers;
  sighting_reader: SightingReader;
  naming: Naming;
};

/**
 * The operation listing_publish: publishes a draft, finishes a job, or takes a listing off or puts it back on sale.
 */
export type PublishListing = (request: PublishRequest, call: Call) => Promise<ListingJobResult>;

/** `again`: another job of this listing, or with this token, was created first, so the call starts over. */
type Outcome = { answer: ListingJobResult } | { job: ShopJob; warnings: Warning[] } | 'again';

export function createPublishListing(parts: Parts): PublishListing {
  const { store, preflight, spending, consents, jobs, job_answers, sighting_reader, naming } = parts;
  const runSale = createSale(parts);
  const findReplacedFiles = createFindReplacedFiles(parts);

  return (request, call) => {
    const deadline_ms = jobs.getDeadline(call);
    return retryOnConflict(() => run(request, call, deadline_ms));
  };

  /** `again`, `waited`: another job was in the way, so this call chooses its work again from the new state. */
  async function run(
    request: PublishRequest,
    call: Call,
    deadline_ms: number,
  ): Promise<ListingJobResult | 'again' | 'waited'> {
    const { listing_pk, state } = request;
    const { account_id } = call.caller;
    const nameShop = await naming.nameShops(account_id);
    const key = readIdempotencyKey(request, call.idempotency_key);
    // Without a key, a call can only join a running job, which is found without a binding.
    const binding = key === null ? undefined : { key, digest: buildPublishDigest(request) };
    const listing = await getListing(store, account_id, listing_pk);
    const before = binding && (await store.listings.findBinding(account_id, binding, 0));
    if (before) expectSameBody(before);
    else expectAsOf(listing, call);
    if (before?.match === 'same' && before.job && request.dry_run !== true) {
      return job_answers.answer(await jobs.follow(before.job, call, deadline_ms), [REPLAYED]);
    }
    const consent = await openConsent(request, call);
    if (consent.job) {
      return job_answers.answer(await jobs.follow(consent.job, call, deadline_ms), [CONFIRMED_BEFORE]);
    }
    const running =
      request.dry_run === true ? undefined : await store.listings.findRunningJob(account_id, listing_pk);
    const publications = await store.listings.listPublications(account_id, listing_pk);
    const last = await store.listings.findPublishJob(listing);
    const found = { listing, publications, last, running };
    const work = chooseWork(found, request, (id) => nameShop(id)?.shop_name);
    if (running) {
      const job = expectJoinable(running, work);
      const ended = await jobs.follow(job, call, deadline_ms);
      if (isSameWork(job, work)) return job_answers.answer(ended, [REPLAYED]);
      const other = job.kind === 'publish' ? job.state : state;
      if (ended.status === 'processing') return job_answers.answer(ended, [buildOtherJob(other, state)]);
      return 'waited';
    }
    const outcome: Outcome =
      work.kind === 'sale'
        ? await runSale(
            { listing, ...work, binding, batch: call.batch, started_by: toStarter(call) },
            consent,
          )
        : await publish(found, work, { ...request, binding }, consent, call);
    if (outcome === 'again') return outcome;
    if ('answer' in outcome) return outcome.answer;
    return job_answers.answer(await jobs.follow(outcome.job, call, deadline_ms), outcome.warnings);
  }

  /** Opens the consent before choosing the work, so that a repeat of a confirmed call finds its job. */
  function openConsent(request: PublishRequest, call: Call): Promise<FeeConsent> {
    const confirm = request.state === 'active' && request.dry_run !== true ? request.confirm : undefined;
    return consents.open(call, ['listing_publish', toAsked(request)], confirm);
  }

  async function publish(
    found: Found,
    { state, shop_ids }: Extract<Work, { kind: 'publish' }>,
    request: PublishRequest & { binding: Binding | undefined },
    consent: FeeConsent,
    call: Call,
  ): Promise<Outcome> {
    const { listing, publications, last } = found;
    const { account_id, listing_pk } = listing;
    if (shop_ids.every((shop_id) => isDone(shop_id, last, state, publications))) {
      return { answer: await answerUnchanged(found, request) };
    }
    const planned = new Set(last?.plan?.shops.map(({ shop_id }) => shop_id));
    const open_ids = shop_ids.filter((id) => planned.has(id) || !isDone(id, last, state, publications));
    const { plan, wanted } = await buildPlan(found, state, open_ids, consent, call.batch);
    const isOpen = ({ shop_id }: { shop_id: number }) =>
      !publications.some((known) => known.shop_id === shop_id && known.progress.is_active);
    const open = state === 'active' ? plan.shops.filter(isOpen) : [];
    const wasLive = publications.filter(({ progress }) => progress.is_active);
    const others = wasLive.map(({ shop_id }) => shop_id);
    const left =
      state === 'active' && others.length > 0
        ? await listOffSale(listing, (shop_id) => others.includes(shop_id))
        : [];
    const warnings = [...plan.warnings, ...left];
    if (request.dry_run === true)
      return {
        answer: answerDryRun(
          listing,
          { ...plan, warnings, shops: state === 'active' ? open : plan.shops },
          call,
        ),
      };
    const agreed = await consent.ask(open.map(toOfferedShop), warnings);
    if ('instead' in agreed) return { answer: agreed.instead };
    const { created, job } = await store.listings
      .createJob({
        kind: 'publish',
        account_id,
        listing_pk,
        job_id: agreed.job_id,
        state,
        plan: withBatch(plan, call.batch),
        binding: request.binding,
        // The saved listing may change while the person is asked; the consent would then be for another listing.
        as_of: listing.updated_at,
        spending: spending.build(wanted, call.batch),
        started_by: toStarter(call),
      })
      .catch((cause: unknown) => {
        throw spending.toError(cause, wanted);
      });
    return created && job.kind === 'publish' ? { job, warnings: left } : 'again';
  }

  /**
   * Builds the plan. `wanted`: the number of activations not yet counted towards the spending limit; an activation
   * with unknown outcome was counted when it was intended.
   */
  async function buildPlan(
    { listing, publications, last }: Found,
    state: 'publish' | 'active',
    shop_ids: readonly number[],
    consent: FeeConsent,
    batch: BatchPart | undefined,
  ): Promise<{ plan: Plan<PublishAction>; wanted: number }> {
    const { account_id, request } = listing;
    const isIntended = (shop_id: number) =>
      publications.some(
        (known) =>
          known.shop_id === shop_id &&
          (known.progress.activation_intended_at !== null || known.progress.is_active),
      );
    const wanted = state === 'active' ? shop_ids.filter((shop_id) => !isIntended(shop_id)).length : 0;
    const plan = await buildPartialPlan(preflight, listing, publications, new Set(shop_ids), {
      account_id,
      state,
      known_files: listPlannedFiles(last),
      issues: [
        ...consent.issues,
        ...(await spending.listIssues(account_id, wanted, batch)),
        ...(wanted > 0 ? listMisunderstood(request) : []),
        ...(await listReplaced(listing, publications, shop_ids)),
      ],
      hint: buildFixHint(publications, shop_ids),
    });
    return { plan, wanted };
  }

  /**
   * For shops that do not have the listing yet. A shop that may have it, because the response to its creation was
   * lost, is not refused: only publishing finds out, and until then the listing cannot be changed there.
   */
  async function listReplaced(
    listing: ListingRecord,
    publications: readonly Publication[],
    shop_ids: readonly number[],
  ): Promise<Issue[]> {
    const isNew = (shop_id: number) =>
      publications.every(
        (known) => known.shop_id !== shop_id || (known.listing_id === null && known.progress.intent === null),
      );
    const added = shop_ids
      .filter(isNew)
      .map((shop_id) => toShopRequest(listing.request, publications, shop_id));
    if (added.every(({ digital_files = [] }) => digital_files.length === 0)) return [];
    const replaced = await findReplacedFiles(listing, publications, { is_live: true });
    if (!replaced || !added.some((request) => hasReplaced(request, replaced))) return [];
    return [buildReplaced(replaced, 'digital_files')];
  }

  /** Responds that nothing has to be done, after reading the listings again: an active one may be off sale. */
  async function answerUnchanged(
    { listing, publications }: Found,
    { state, shops }: PublishRequest,
  ): Promise<ListingJobResult> {
    const { account_id, listing_pk } = listing;
    const isAsked = (shop_id: number) => shops?.includes(shop_id) ?? true;
    const off_sale = await listOffSale(listing, isAsked);
    const warnings = state === 'active' ? off_sale : [];
    const nameShop = await naming.nameShops(account_id);
    const sightings = await store.listings.listSightings(account_id, listing_pk);
    const asked = sightings.filter(({ shop_id }) => isAsked(shop_id));
    const results = asked.map(({ shop_id, listing_id, shown }) => {
      const details = nameShop(shop_id);
      const url = publications.find((known) => known.shop_id === shop_id)?.progress.listing_url ?? null;
      return {
        shop_id: String(shop_id),
        status: 'unchanged' as const,
        ...(details && { shop_name: details.shop_name, currency_code: details.currency_code }),
        ...(listing_id !== null && { listing_id }),
        ...(url !== null && { listing_url: url }),
        ...(shown && { price: shown.price }),
      };
    });
    return toUnchanged(listing_pk, results, warnings);
  }

  /** Reads the listing again, and warns about shops where it was live and is off sale; leaves it unchanged there. */
  async function listOffSale(
    { account_id, listing_pk }: ListingRecord,
    isAsked: (shop_id: number) => boolean,
  ): Promise<Warning[]> {
    await sighting_reader.refresh(account_id, listing_pk, { max_age_ms: 0 });
    const nameShop = await naming.nameShops(account_id);
    const sightings = await store.listings.listSightings(account_id, listing_pk);
    return sightings.flatMap(({ shop_id, state: is }): Warning[] => {
      if (!isAsked(shop_id) || is === 'active' || is === null) return [];
      const params = { shop_id, shop_name: nameShop(shop_id)?.shop_name, state: is };
      const reason = { code: 'off_sale_in_shop' as const, params };
      return [{ code: 'not_on_sale', fields: ['shops'], reason }];
    });
  }
}

function answerDryRun(listing: ListingRecord, plan: Plan<PublishAction>, call: Call): ListingJobResult {
  const warnings = { warnings: plan.warnings, unknown: call.warnings ?? [] };
  const {
    names: _names,
    marketplace_calls: _calls,
    ...answer
  } = toDryRun(listing.request, plan, {}, warnings);
  return { ...answer, listing_pk: listing.listing_pk, shops_count: plan.shops.length };
}

/**
 * The hint for issues of the saved request, which this call does not send. If other shops have the listing, the
 * hint limits the update to these shops: otherwise it would apply to the others, too.
 */
function buildFixHint(publications: readonly Publication[], shop_ids: readonly number[]): string {
  const isElsewhere = publications.some(
    ({ shop_id, listing_id }) => listing_id !== null && !shop_ids.includes(shop_id),
  );
  const where = isElsewhere ? ` and shops [${shop_ids.join(', ')}]` : '';
  return `Correct the saved listing with listing_update${where}: put these fields in changes. Then call listing_publish again.`;
}

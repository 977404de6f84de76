import type { z } from 'zod/v3';
import type { ImportJobResult } from '../../../schemas/import.js';
import type { JobResult, ListingJobResult, ShopResult } from '../../../schemas/job.js';
import type { listingDeleted, listingsPage, listingsQuery } from '../../../schemas/listing.js';
import type { Categories } from '../shops/categories.js';
import type { Continuations } from '../operations/continuations.js';
import type { BatchJob, ListingFilter, Ports } from '../ports/index.js';
import { ServiceError } from '../errors.js';
import type { Issue } from '../../../schemas/issue.js';
import type { FoundIssue } from '../issues/issues.js';
import type { Call } from '../operations/call.js';
import type { Settings } from '../settings.js';
import type { Shops } from '../shops/shops.js';
import type { Uploads } from '../uploads/uploads.js';
import { toStanding, toSummary } from './verbs/answers.js';
import { toShopRequest } from './requests/own_changes.js';
import { createConsents } from './verbs/consent.js';
import { createCreateListing, type CreateListing } from './verbs/create.js';
import { createCopyListing, type CopyListing } from './verbs/copy.js';
import { createJobAnswers } from './verbs/job_answers.js';
import { createReads, type ListingReads } from './verbs/get.js';
import { getJob, getListing } from './requests/get_listing.js';
import { createImports, type Imports } from './verbs/import.js';
import { createChangeReads, type ChangeReads } from './verbs/changes.js';
import { createJobs, type Jobs } from './jobs/jobs.js';
import type { KindRunner } from './jobs/hold.js';
import { createListStoppedAfterRestore, type ListStoppedAfterRestore } from './jobs/stopped_after_restore.js';
import { createNaming } from './names.js';
import { createPreflight } from './preflight/index.js';
import { createPublishListing, type PublishListing } from './verbs/publish.js';
import { createSpending } from './fees/spending.js';
import { createChangeChecks } from './preflight/changes.js';
import { checkSearchWords } from './requests/check_search_words.js';
import { createDraftUpdates } from './verbs/draft.js';
import { createUpdatePlanning } from './resolve/planning.js';
import { createUpdateShowing } from './verbs/showing.js';
import { createUpdateStart } from './verbs/start_update.js';
import { createUndoListing, type UndoListing } from './verbs/undo.js';
import { createUndoPlanning } from './verbs/undo_plan.js';
import { createUpdateListing, type UpdateListing } from './verbs/update.js';
import { createListChangedElsewhere, type ListChangedElsewhere } from './observed/changed_elsewhere.js';
import type { SightingReader } from './observed/sighting_reader.js';

export type Listings = {
  create: CreateListing;
  update: UpdateListing;
  undo: UndoListing;
  /** All problems of a request that the schema refuses: those of the schema and of the later rules. */
  explain(raw: unknown, found: readonly FoundIssue[], call: Call): Promise<Issue[]>;
  /** The problems the schema finds in a call about an existing listing, with the choices for its ids. */
  explainChanges(raw: unknown, found: readonly FoundIssue[], call: Call): Promise<Issue[]>;
  getJob(account_id: string, job_id: string): Promise<ListingJobResult | ImportJobResult | JobResult>;
  jobs: Pick<Jobs, 'start' | 'wait' | 'getDeadline'>;
  /** Connects the jobs of batches; called once, while the service is composed. */
  serveBatches(batches: { run: KindRunner<'batch'>; answer: (job: BatchJob) => Promise<JobResult> }): void;
  /** The results of a job in each shop, as data. */
  listShopResults(account_id: string, job_id: string): Promise<ShopResult[]>;
  import: Imports['start'];
  list(
    account_id: string,
    query: z.output<typeof listingsQuery> & Pick<ListingFilter, 'ends_before'>,
  ): Promise<z.output<typeof listingsPage>>;
  listChangedElsewhere: ListChangedElsewhere;
  /** Updates that a backup restored in the middle and that were not made. */
  listStoppedAfterRestore: ListStoppedAfterRestore;
  publish: PublishListing;
  copy: CopyListing;
  delete(account_id: string, listing_pk: number): Promise<z.output<typeof listingDeleted>>;
  /**
   * Gives up a listing that failed somewhere and is on sale nowhere: hides it from the lists, and changes nothing
   * in the shops.
   */
  giveUp(account_id: string, listing_pk: number): Promise<void>;
} & ListingReads &
  ChangeReads &
  Pick<Jobs, 'resume' | 'stop' | 'countRunning'>;

export function createListings(
  ports: Ports & {
    shops: Shops;
    categories: Categories;
    uploads: Uploads;
    continuations: Continuations;
    sighting_reader: SightingReader;
  },
  settings: Settings,
): Listings {
  const { store } = ports;
  const { clock, marketplace } = ports;
  const getYear = () => (marketplace.findTime()?.latest ?? clock.now()).getUTCFullYear();
  const preflight = createPreflight({ ...ports, getYear });
  const spending = createSpending(ports, settings);
  const consents = createConsents(ports, settings);
  const jobs = createJobs(ports, settings);
  const job_answers = createJobAnswers(ports);
  const naming = createNaming(ports.shops, ports.categories);
  const imports = createImports({ ...ports, jobs });
  const parts = { ...ports, preflight, spending, consents, jobs, job_answers, naming };
  const showing = createUpdateShowing(ports);
  const starting = createUpdateStart(parts);
  let answerBatch: (job: BatchJob) => Promise<JobResult>;

  return {
    create: createCreateListing(parts, settings),
    undo: createUndoListing({ ...parts, undo_planning: createUndoPlanning(ports), showing, starting }),
    update: createUpdateListing({
      ...parts,
      planning: createUpdatePlanning({ ...ports, checks: createChangeChecks({ ...ports, getYear }) }),
      showing,
      starting,
      drafts: createDraftUpdates(parts, settings),
    }),
    publish: createPublishListing(parts),
    import: imports.start,
    copy: createCopyListing(parts, settings),
    async explain(raw, found, call) {
      return preflight.explain(raw, found, call.caller.account_id);
    },
    async explainChanges(raw, found, call) {
      return preflight.explainChanges(raw, found, call.caller.account_id);
    },
    async getJob(account_id, job_id) {
      const job = await getJob(store, account_id, job_id);
      if (job.kind === 'import') return imports.answer(job);
      return job.kind === 'batch' ? answerBatch(job) : job_answers.answer(job);
    },
    async listShopResults(account_id, job_id) {
      const job = await getJob(store, account_id, job_id);
      return job.listing_pk === null ? [] : job_answers.listResults(job);
    },
    async list(account_id, query) {
      const { limit, offset } = query;
      checkSearchWords(query.keywords);
      const { total, items } = await store.listings.listListings(account_id, query);
      const nameShop = await naming.nameShops(account_id);
      const listings = items.map(({ places, ...item }) =>
        toSummary(
          item,
          places.map((place) =>
            toStanding(place, toShopRequest(item.request, places, place.shop_id), nameShop),
          ),
        ),
      );
      return { total, limit, offset, listings };
    },
    ...createReads(parts),
    ...createChangeReads({ store, job_answers, listImported: imports.listResults }),
    listChangedElsewhere: createListChangedElsewhere(ports, naming),
    listStoppedAfterRestore: createListStoppedAfterRestore(ports),
    async delete(account_id, listing_pk) {
      await getListing(store, account_id, listing_pk);
      await ports.sighting_reader.refresh(account_id, listing_pk, { max_age_ms: 0 });
      const left = (await store.listings.listSightings(account_id, listing_pk)).filter(
        ({ listing_id, state }) => listing_id !== null && state !== 'removed' && state !== 'gone',
      );
      if (!(await store.listings.deleteDraft(account_id, listing_pk))) {
        throw new ServiceError('NOT_DELETABLE', { code: 'listing_not_deletable', params: { listing_pk } });
      }
      if (left.length === 0) return { listing_pk, deleted: true };
      const places = left
        .map(({ shop_id, listing_id }) => `listing ${listing_id} in shop ${shop_id}`)
        .join(', ');
      const message = `Forgotten here only. On the marketplace it is as it was: ${places}. To take it off sale: listing_import, then listing_publish with state inactive.`;
      return { listing_pk, deleted: true, message };
    },
    async giveUp(account_id, listing_pk) {
      const { title } = await getListing(store, account_id, listing_pk);
      await ports.sighting_reader.refresh(account_id, listing_pk, { max_age_ms: 0 });
      const sightings = await store.listings.listSightings(account_id, listing_pk);
      const isOnSale = sightings.some(({ state }) => state === 'active');
      if (isOnSale || !(await store.listings.giveUp(account_id, listing_pk))) {
        throw new ServiceError(
          'NOT_DELETABLE',
          { code: 'listing_not_given_up', params: { title } },
          { hint: 'Check its state now. Finish it first, or deactivate it where it is active.' },
        );
      }
    },
    jobs,
    serveBatches({ run, answer }) {
      jobs.serveBatches(run);
      answerBatch = answer;
    },
    resume: jobs.resume,
    stop: jobs.stop,
    countRunning: jobs.countRunning,
  };
}

import type { Fact } from '../../../../schemas/issue.js';
import type { ErrorCode } from '../../../../schemas/error.js';
import type { FormDifference, ImportResult } from '../../../../schemas/import.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { toServiceError } from '../../operations/service_error.js';
import {
  ListingTakenError,
  MarketplaceError,
  type ImportOutcome,
  type ListingRecord,
  type NewImport,
  type Publication,
} from '../../ports/index.js';
import type { OwnChanges } from '../../ports/listing/changes.js';
import type { ImportPlan } from '../../ports/listing/plan.js';
import type { KeptSnapshot, ListingSnapshot, MediaSources } from '../../ports/listing/snapshot.js';
import type { Uploads } from '../../uploads/uploads.js';
import type { Hold } from '../jobs/hold.js';
import { isSettled } from '../engine/intents.js';
import type { WorkPorts } from '../run/context.js';
import { isTransient, JobFailure } from '../engine/failures.js';
import { readSnapshot, SNAPSHOT_PARTS } from '../snapshot/read.js';
import { toRequest, type OwnForm } from '../snapshot/to_request.js';
import { callRepeatably } from '../engine/attempt.js';
import { toAgedSighting } from '../observed/sighting.js';
import { findSources } from '../resolve/changes/media_ids.js';
import { buildDropped } from '../decide/pending.js';
import { toBusy } from '../requests/repeats.js';
import { findOpenCreate } from '../resolve/open_create.js';
import { toShopRequest } from '../requests/own_changes.js';
import { compareForms } from './form_differences.js';
import { buildImportedProgress, toImportedStatus } from './imported_progress.js';
import { addShop, buildReadOwn, findUnfit, refreshForm } from './own_form.js';
import { expectRoom, expectRoomForShop, expectSameProduct, Refusal } from './join_checks.js';
import { takeMedia, toSources, type TakenMedia } from './take_media.js';

/** The most attempts to decide again after our listing changed since it was read. */
const MOST_TIMES = 5;

/** The saved listing that the shop's listing belongs to. */
type Known = {
  listing: ListingRecord;
  publications: Publication[];
  /** The source URLs of its media in this shop; undefined if the shop joins it. */
  sources: MediaSources | undefined;
  /** The listing as last read, in this shop, or in another one if this shop joins it; and that shop's request. */
  seen: KeptSnapshot | undefined;
  view: ListingRequest;
  /** Whether the shop's currency may differ from that of its other shops. */
  is_foreign: boolean;
};

/**
 * Imports one listing with all its data from the shop, in one transaction. A problem of the listing becomes its
 * result. Throws errors after which the import resumes later (isTransient).
 */
export async function importListing(
  ports: WorkPorts & { uploads: Uploads },
  hold: Hold,
  plan: ImportPlan,
  listing_id: number,
): Promise<ImportResult> {
  const { store, uploads, clock } = ports;
  const { claim, marketplace } = hold;
  const shop = { account_id: claim.account_id, shop_id: plan.shop_id };
  const taken: TakenMedia[] = [];
  try {
    for (let times = 1; ; times += 1) {
      const outcome = await take();
      if (outcome.saved) return outcome.result;
      if (outcome.reason === 'busy') throw new Refusal('LISTING_BUSY', toBusy(outcome.running));
      if (times === MOST_TIMES) {
        throw new Refusal('LISTING_BUSY', { code: 'import_contended', params: await findLastJob() });
      }
    }
  } catch (cause) {
    if (cause instanceof Refusal) for (const media of taken) await media.drop();
    hold.checkStop();
    if (isTransient(cause)) throw cause;
    const { code, fact, differences } = describe(cause);
    return {
      listing_id,
      status: 'error',
      warnings: [],
      ...(differences && { differences }),
      error: fact,
      details: { code },
    };
  }

  /** Reads our listing before the shop's, so that it notices, and does not overwrite, a job's write in between. */
  async function take(): Promise<ImportOutcome> {
    const known = await findKnown();
    const asked_ms = clock.monotonic();
    const snapshot = await callRepeatably(hold, () =>
      readSnapshot(marketplace, shop, listing_id, SNAPSHOT_PARTS),
    );
    const unfit = findUnfit(snapshot, plan.shop_id);
    if (unfit) throw new Refusal('LISTING_NOT_FOUND', unfit);
    const media = await takeMedia(uploads, shop, snapshot, known?.sources, hold);
    taken.push(media);
    const imported = decide(snapshot, known, media, asked_ms);
    return store.listings.saveImport(claim, imported).catch(async (cause: unknown) => {
      if (!(cause instanceof ListingTakenError)) throw cause;
      // Another import of this account has saved it in the meantime.
      if ((await findOwn()) !== undefined) return { saved: false, reason: 'changed' } as const;
      // Another account with the same shop manages it. Only the save detects this, so that nothing before it
      // differs.
      throw new Refusal('VALIDATION_FAILED', { code: 'import_refused', params: {} });
    });
  }

  async function findLastJob(): Promise<{ job_id?: string }> {
    const listing_pk = (await findOwn()) ?? plan.join;
    const jobs = listing_pk === null ? [] : await store.listings.listJobs(shop.account_id, listing_pk);
    const job_id = jobs.at(-1)?.job_id;
    return job_id === undefined ? {} : { job_id };
  }

  async function findOwn(): Promise<number | undefined> {
    return (await store.orders.listListingPks(shop, [listing_id])).get(listing_id);
  }

  async function findKnown(): Promise<Known | undefined> {
    const own = await findOwn();
    if (own !== undefined && plan.join !== null && own !== plan.join) {
      throw new Refusal('ALREADY_IN_SHOP', { code: 'import_managed', params: { own, join: plan.join } });
    }
    const listing_pk = own ?? plan.join;
    if (listing_pk === null) return undefined;
    const [listing, publications, snapshots, shops] = await Promise.all([
      store.listings.findListing(claim.account_id, listing_pk),
      store.listings.listPublications(claim.account_id, listing_pk),
      store.listings.listSnapshots(claim.account_id, listing_pk),
      store.shops.listShops(claim.account_id),
    ]);
    if (!listing)
      throw new Refusal('LISTING_NOT_FOUND', { code: 'import_join_gone', params: { listing_pk } });
    const publication = publications.find(({ shop_id }) => shop_id === plan.shop_id);
    const kept = snapshots.find(({ shop_id }) => shop_id === plan.shop_id)?.snapshot;
    const others = listing.request.shops.map(({ shop_id }) =>
      snapshots.find((one) => one.shop_id === shop_id),
    );
    const model = publication ? undefined : others.find((one) => one !== undefined);
    const view = toShopRequest(listing.request, publications, model?.shop_id ?? plan.shop_id);
    const sources =
      publication && findSources(kept, publication, await store.listings.findPublishJob(listing));
    const currencies = new Map(shops.map((one) => [one.shop_id, one.details.currency_code]));
    const own_currency = currencies.get(plan.shop_id);
    const isForeign = listing.request.shops.some(
      ({ shop_id }) => shop_id !== plan.shop_id && currencies.get(shop_id) !== own_currency,
    );
    return { listing, publications, sources, seen: model?.snapshot ?? kept, view, is_foreign: isForeign };
  }

  function decide(
    snapshot: ListingSnapshot,
    known: Known | undefined,
    media: TakenMedia,
    asked_ms: number,
  ): NewImport {
    const form = toRequest(plan.shop_id, snapshot, media.known);
    if (!form) {
      throw new Refusal('VALIDATION_FAILED', { code: 'import_without_category', params: {} });
    }
    const { listing } = snapshot;
    const warnings = [...form.warnings, ...media.warnings];
    const publication = known?.publications.find(({ shop_id }) => shop_id === plan.shop_id);
    if (publication && publication.listing_id !== listing_id) expectRoom(publication, plan.shop_name);
    if (publication && !isSettled(publication.progress)) {
      const params = { job_id: known?.listing.job_id ?? null };
      throw new Refusal('LISTING_BUSY', { code: 'import_unfinished', params });
    }
    const { request, differences, changes } = merge(known, form, snapshot, publication);
    const openCreate = known && findOpenCreate(known.listing, known.publications, request);
    if (openCreate) throw new Refusal('LISTING_BUSY', openCreate);
    const others = known
      ? request.shops
          .filter(({ shop_id }) => shop_id !== plan.shop_id)
          .map(({ shop_id }) => known.publications.find((other) => other.shop_id === shop_id)?.progress)
      : [];
    return {
      shop_id: plan.shop_id,
      listing_id,
      known: known ? known.listing : null,
      request,
      media: [...media.known.images.values(), ...media.known.videos.values()],
      warnings: known ? mergeWarnings(known.listing.warnings, warnings) : warnings,
      status: toImportedStatus(snapshot, others),
      progress: { ...buildImportedProgress(snapshot, publication?.progress), changes },
      snapshot: { ...snapshot, sources: toSources(snapshot, media.known, known?.sources) },
      sighting: toAgedSighting(snapshot, asked_ms, clock),
      result: {
        listing_id,
        status: publication ? 'refreshed' : 'imported',
        title: listing.title,
        warnings: [...warnings, ...listDropped(publication)],
        ...(differences.length > 0 && { differences }),
      },
    };
  }

  /** The new request, this shop's own values, and the differences from the known values. */
  function merge(
    known: Known | undefined,
    { request: theirs }: OwnForm,
    snapshot: ListingSnapshot,
    publication: Publication | undefined,
  ): { request: ListingRequest; differences: FormDifference[]; changes: OwnChanges['changes'] } {
    if (!known) return { request: theirs, differences: [], changes: undefined };
    const { is_foreign, listing, seen, view } = known;
    const { request: ours } = listing;
    if (!publication) expectRoomForShop(ours, plan.shop_id);
    const differences = compareForms(publication ? withOwnPrice(view, plan.shop_id) : ours, theirs);
    if (!publication) expectSameProduct(ours, theirs, differences);
    if (publication && ours.shops.length === 1) {
      return { request: refreshForm(ours, theirs), differences, changes: undefined };
    }
    const request = addShop(ours, theirs, plan.shop_id, is_foreign);
    const changes = seen
      ? buildReadOwn(request, { ...view, shops: request.shops }, seen, snapshot)
      : publication?.progress.changes;
    return { request, differences, changes };
  }
}

function listDropped(publication: Publication | undefined): Warning[] {
  const pending = publication?.progress.pending;
  return pending ? [buildDropped(pending)] : [];
}

/** Treats the shop's own price as the listing's, as when reading it from the shop. */
function withOwnPrice(view: ListingRequest, shop_id: number): ListingRequest {
  const price = view.shops.find((target) => target.shop_id === shop_id)?.price;
  return price === undefined ? view : { ...view, listing: { ...view.listing, price } };
}

/** Omits warnings about the request that an earlier import or this one already gave. */
function mergeWarnings(before: readonly Warning[], now: readonly Warning[]): Warning[] {
  const given = new Set(now.map(({ code }) => code));
  return [...before.filter(({ code }) => !given.has(code)), ...now];
}

function describe(cause: unknown): {
  code: ErrorCode;
  fact: Fact;
  differences?: FormDifference[] | undefined;
} {
  if (cause instanceof Refusal) return cause;
  if (cause instanceof MarketplaceError && cause.failure === 'not_found') {
    return new Refusal('LISTING_NOT_FOUND', { code: 'import_not_found', params: {} });
  }
  if (cause instanceof JobFailure) return { code: 'MARKETPLACE_ERROR', fact: cause.fact };
  const { code, issues, hint } = toServiceError(cause);
  return { code, fact: { code: 'not_imported', params: { problems: issues, hint } } };
}

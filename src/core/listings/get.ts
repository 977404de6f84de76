import type { z } from 'zod/v3';
import type { listingDetail, listingQuery } from '../../../schemas/listing.js';
import type { ListingRequest } from '../../../schemas/listing_request.js';
import type { Ports } from '../ports/index.js';
import type { Publication, SeenPlace } from '../ports/index.js';
import { toStanding, toSummary } from './answers.js';
import { toShopRequest } from './own_changes.js';
import type { JobAnswers } from './jobs/job_answers.js';
import { getListing } from './get_listing.js';
import { buildHistory } from './jobs/history.js';
import type { Naming } from './names.js';
import { listDiffering, type Difference } from './observed/differences.js';
import type { KeptSnapshot } from './snapshot/snapshot.js';
import type { SightingReader } from './observed/sighting_reader.js';
import { showOverrides } from './update/overrides.js';

type Parts = Pick<Ports, 'store'> & {
  naming: Naming;
  job_answers: JobAnswers;
  sighting_reader: SightingReader;
};

export type GetListing = (
  account_id: string,
  query: z.output<typeof listingQuery>,
) => Promise<z.input<typeof listingDetail>>;

export type ListingReads = {
  /** The operation listing_get. Reads sightings older than a minute again first. */
  get: GetListing;
  /** Returns the last known state, without a call to the marketplace. */
  peek: GetListing;
};

export function createReads({ store, naming, job_answers, sighting_reader }: Parts): ListingReads {
  return {
    async get(account_id, query) {
      const { listing_pk } = query;
      const { request } = await getListing(store, account_id, listing_pk);
      await sighting_reader.refresh(account_id, listing_pk, { is_varied: request.variations !== undefined });
      return read(account_id, query);
    },
    peek: read,
  };

  async function read(account_id: string, { listing_pk, history = false }: z.output<typeof listingQuery>) {
    const listing = await getListing(store, account_id, listing_pk);
    const { request } = listing;
    const [job, names, nameShop, sightings, publications] = await Promise.all([
      store.listings.findPublishJob(listing),
      naming.nameIds(account_id, request),
      naming.nameShops(account_id),
      store.listings.listSightings(account_id, listing_pk),
      store.listings.listPublications(account_id, listing_pk),
    ]);
    const places = request.shops.map(({ shop_id }) => {
      const seen: SeenPlace = sightings.find((known) => known.shop_id === shop_id) ?? {
        shop_id,
        ...UNSEEN,
      };
      const own = toShopRequest(request, publications, shop_id);
      const currency_code = nameShop(shop_id)?.currency_code;
      const pending = listPending(publications, shop_id);
      const differs = seen.shown ? listDiffering(own, { shop_id, currency_code }, seen.shown) : [];
      return { seen, own, pending, differs: differs.filter(({ field }) => !isPending(pending, field)) };
    });
    const stocked = places.some(({ differs }) => differs.some(isStock))
      ? await store.listings.listSnapshots(account_id, listing_pk)
      : [];
    const shops = places.map(({ seen, own, pending, differs: found }) => {
      const baseline = stocked.find(({ shop_id }) => shop_id === seen.shop_id)?.snapshot;
      const differs = withoutRestocked(found, baseline);
      return {
        ...toStanding(seen, own, nameShop),
        ...withDiffering(differs),
        ...(pending && { pending }),
      };
    });
    return {
      ...toSummary(listing, shops),
      request: withOverrides(request, publications),
      names,
      warnings: listing.warnings,
      job: job ? { job_id: job.job_id, status: job.status } : null,
      results: job ? await job_answers.listPublishResults(listing) : [],
      ...(history && { history: await buildHistory(store, account_id, listing_pk) }),
    };
  }
}

/** The request as callers know it: the values that only one shop has are in its overrides. */
function withOverrides(request: ListingRequest, publications: readonly Publication[]): ListingRequest {
  const shops = request.shops.map((target) => {
    const own = publications.find(({ shop_id }) => shop_id === target.shop_id)?.progress.changes;
    const overrides = showOverrides(request, own);
    return overrides ? { ...target, overrides } : target;
  });
  return { ...request, shops };
}

const UNSEEN = { listing_id: null, state: null, seen_at: null, ends_at: null, shown: null };

function isStock({ field }: Difference): boolean {
  return field === 'listing.quantity';
}

/** Stock that listing_publish wrote for a sold-out listing is not in the request, and no edit. Sales may have lowered it since. */
function withoutRestocked(differs: readonly Difference[], baseline: KeptSnapshot | undefined): Difference[] {
  const written = baseline?.inventory?.products.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0;
  return differs.flatMap((difference) => {
    if (!isStock(difference) || Number(difference.ours) >= written) return [difference];
    return Number(difference.theirs) > written ? [{ ...difference, ours: written }] : [];
  });
}

function listPending(publications: readonly Publication[], shop_id: number) {
  const pending = publications.find((known) => known.shop_id === shop_id)?.progress.pending;
  return pending?.fields.map(({ field, before, after }) => ({ field, before, after }));
}

/** A value that is kept until it can be written is no edit. The only price of a shop is `listing.price` where it is pending. */
function isPending(pending: ReturnType<typeof listPending>, field: string): boolean {
  return (pending ?? []).some(
    (kept) => kept.field === field || (kept.field === 'listing.price' && /^shops\[\d+\]\.price$/.test(field)),
  );
}

function withDiffering(differs: Difference[]): { differs?: Difference[] } {
  return differs.length > 0 ? { differs } : {};
}

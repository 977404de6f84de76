import type { z } from 'zod/v3';
import type { ListingDetail, listingQuery } from '../../../../schemas/listing.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Ports, Publication, SeenPlace } from '../../ports/index.js';
import type { KeptSnapshot } from '../../ports/listing/snapshot.js';
import { toStanding, toSummary } from './answers.js';
import { toShopRequest } from '../requests/own_changes.js';
import type { JobAnswers } from './job_answers.js';
import { isSameRef, isStock } from '../snapshot/field_refs.js';
import { getListing } from '../requests/get_listing.js';
import { buildHistory } from '../jobs/history.js';
import type { Naming } from '../names.js';
import { listDiffering } from '../observed/differences.js';
import type { SightingReader } from '../observed/sighting_reader.js';
import { toDrift, toShown } from '../decide/answers.js';
import { showOverrides } from '../resolve/overrides.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { Pending } from '../../ports/listing/changes.js';

type Parts = Pick<Ports, 'store'> & {
  naming: Naming;
  job_answers: JobAnswers;
  sighting_reader: SightingReader;
};

type GetListing = (account_id: string, query: z.output<typeof listingQuery>) => Promise<ListingDetail>;

export type ListingReads = {
  /** The operation listing_get. First re-reads sightings older than a minute. */
  get: GetListing;
  /** Returns the last known state, without calling the marketplace. */
  peek: GetListing;
  /** The listing that a call with this idempotency key created or changed; undefined if there is none. */
  findByKey(account_id: string, idempotency_key: string): Promise<number | undefined>;
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
    async findByKey(account_id, key) {
      // No request has this digest.
      const found = await store.listings.findBinding(account_id, { key, digest: '' }, 0);
      return found.match === 'reused' ? found.listing_pk : undefined;
    },
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
      const pending = publications.find((known) => known.shop_id === shop_id)?.progress.pending;
      const differs = seen.shown ? listDiffering(own, { shop_id, currency_code }, seen.shown) : [];
      return { seen, own, pending, differs: differs.filter((one) => !isPending(pending, one)) };
    });
    const stocked = places.some(({ differs }) => differs.some(({ ref }) => isStock(ref)))
      ? await store.listings.listSnapshots(account_id, listing_pk)
      : [];
    const shops = places.map(({ seen, own, pending, differs: found }) => {
      const baseline = stocked.find(({ shop_id }) => shop_id === seen.shop_id)?.snapshot;
      const differs = withoutRestocked(found, baseline);
      return {
        ...toStanding(seen, own, nameShop),
        ...(differs.length > 0 && { differs: differs.map(toDrift) }),
        ...(pending && { pending: pending.fields.map(toShown) }),
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

/** The request as callers know it: values of a single shop are in its overrides. */
function withOverrides(request: ListingRequest, publications: readonly Publication[]): ListingRequest {
  const shops = request.shops.map((target) => {
    const own = publications.find(({ shop_id }) => shop_id === target.shop_id)?.progress.changes;
    const overrides = showOverrides(request, own);
    return overrides ? { ...target, overrides } : target;
  });
  return { ...request, shops };
}

const UNSEEN = { listing_id: null, state: null, seen_at: null, ends_at: null, shown: null };

/**
 * Stock that listing_publish wrote for a sold-out listing is not in the request, but is no edit either. Sales may
 * have lowered it since.
 */
function withoutRestocked(
  differs: readonly FieldDifference[],
  baseline: KeptSnapshot | undefined,
): FieldDifference[] {
  const written = baseline?.inventory?.products.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0;
  return differs.flatMap((difference) => {
    if (!isStock(difference.ref) || Number(difference.before) >= written) return [difference];
    return Number(difference.after) > written ? [{ ...difference, before: written }] : [];
  });
}

/** A value that waits to be written is not an edit. */
function isPending(pending: Pending | undefined, { ref }: FieldDifference): boolean {
  return pending?.fields.some((kept) => isSameRef(kept.ref, ref)) ?? false;
}

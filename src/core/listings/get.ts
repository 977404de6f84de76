import type { z } from 'zod/v3';
import type { listingDetail, listingQuery } from '../../../schemas/listing.js';
import type { Ports } from '../ports/index.js';
import type { SeenPlace } from '../ports/index.js';
import type { Settings } from '../settings.js';
import { toStanding, toSummary } from './answers.js';
import type { JobAnswers } from './jobs/job_answers.js';
import { getListing } from './get_listing.js';
import { buildHistory } from './jobs/history.js';
import type { Naming } from './names.js';
import { listDiffering, type Difference } from './observed/differences.js';
import type { SightingReader } from './observed/sighting_reader.js';

type Parts = Pick<Ports, 'store'> & {
  naming: Naming;
  job_answers: JobAnswers;
  sighting_reader: SightingReader;
};

/** The operation listing_get. Sightings older than a minute are read again first. */
export type GetListing = (
  account_id: string,
  query: z.output<typeof listingQuery>,
) => Promise<z.input<typeof listingDetail>>;

export function createGet(
  { store, naming, job_answers, sighting_reader }: Parts,
  { base_url }: Pick<Settings, 'base_url'>,
): GetListing {
  return async (account_id, { listing_pk, history = false }) => {
    const listing = await getListing(store, account_id, listing_pk);
    const { request } = listing;
    await sighting_reader.refresh(account_id, listing_pk);
    const [job, names, nameShop, sightings] = await Promise.all([
      store.listings.findPublishJob(listing),
      naming.nameIds(account_id, request),
      naming.nameShops(account_id),
      store.listings.listSightings(account_id, listing_pk),
    ]);
    const shops = request.shops.map(({ shop_id }) => {
      const seen: SeenPlace = sightings.find((known) => known.shop_id === shop_id) ?? {
        shop_id,
        ...UNSEEN,
      };
      const currency_code = nameShop(shop_id)?.currency_code;
      const differs = seen.shown ? listDiffering(request, { shop_id, currency_code }, seen.shown) : [];
      return { ...toStanding(seen, request, nameShop), ...withDiffering(differs) };
    });
    for (const { shop_id, differs } of shops) {
      if (differs) await store.listings.saveShown(account_id, listing_pk, Number(shop_id));
    }
    return {
      ...toSummary(listing, shops, base_url),
      request,
      names,
      warnings: listing.warnings,
      job: job ? { job_id: job.job_id, status: job.status } : null,
      results: job ? await job_answers.listResults(job) : [],
      ...(history && { history: await buildHistory(store, account_id, listing_pk) }),
    };
  };
}

const UNSEEN = { listing_id: null, state: null, seen_at: null, ends_at: null, shown: null };

function withDiffering(differs: Difference[]): { differs?: Difference[] } {
  return differs.length > 0 ? { differs } : {};
}

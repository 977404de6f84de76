import type { z } from 'zod/v3';
import type { ListingJobResult } from '../../../schemas/job.js';
import type { listingDeleted, listingsPage, listingsQuery } from '../../../schemas/listing.js';
import type { Categories } from '../categories.js';
import type { Continuations } from '../continuations.js';
import type { Ports } from '../core.js';
import { ServiceError, type Issue } from '../errors.js';
import type { Call } from '../operation.js';
import type { Settings } from '../settings.js';
import type { Stores } from '../stores.js';
import type { Uploads } from '../uploads.js';
import { toStanding, toSummary } from './answers.js';
import { createConsents } from './consent.js';
import { createCreateListing, type CreateListing } from './create.js';
import { createFollowing, toShopJob } from './following.js';
import { createGet, type GetListing } from './get.js';
import { getJob, getListing } from './get_listing.js';
import { createJobs, type Jobs } from './jobs.js';
import { createNaming } from './names.js';
import { createPreflight } from './preflight/index.js';
import { createPublishListing, type PublishListing } from './publish.js';
import { createSpending } from './spending.js';
import type { Freshen } from './truth/freshen.js';

export type Listings = {
  create: CreateListing;
  /** All that is wrong with a request whose types are wrong somewhere: the schema's findings and everybody else's. */
  explain(raw: unknown, found: readonly Issue[], call: Call): Promise<Issue[]>;
  getJob(account_id: string, job_id: string): Promise<ListingJobResult>;
  list(account_id: string, query: z.output<typeof listingsQuery>): Promise<z.output<typeof listingsPage>>;
  get: GetListing;
  publish: PublishListing;
  delete(account_id: string, listing_pk: number): Promise<z.output<typeof listingDeleted>>;
} & Pick<Jobs, 'resume' | 'stop'>;

export function createListings(
  ports: Ports & {
    stores: Stores;
    categories: Categories;
    uploads: Uploads;
    continuations: Continuations;
    freshen: Freshen;
  },
  settings: Settings,
): Listings {
  const { store } = ports;
  const preflight = createPreflight(ports);
  const spending = createSpending(ports, settings);
  const consents = createConsents(ports, settings);
  const jobs = createJobs(ports, settings);
  const following = createFollowing(ports, jobs, settings);
  const naming = createNaming(ports.stores, ports.categories);
  const parts = { ...ports, preflight, spending, consents, following, naming };

  return {
    create: createCreateListing(parts, settings),
    publish: createPublishListing(parts),
    async explain(raw, found, call) {
      return preflight.explain(raw, found, call.caller.account_id);
    },
    async getJob(account_id, job_id) {
      return following.answer(toShopJob(await getJob(store, account_id, job_id)));
    },
    async list(account_id, { status, limit, offset }) {
      const { total, items } = await store.listings.listListings(account_id, { status, limit, offset });
      const nameShop = await naming.nameShops(account_id);
      const listings = items.map(({ places, ...item }) =>
        toSummary(
          item,
          places.map((place) => toStanding(place, nameShop)),
          settings.base_url,
        ),
      );
      return { total, limit, offset, listings };
    },
    get: createGet(parts, settings),
    async delete(account_id, listing_pk) {
      await getListing(store, account_id, listing_pk);
      await ports.freshen.freshen(account_id, listing_pk, { max_age_ms: 0 });
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

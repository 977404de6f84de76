import type { Ports } from '../../ports/index.js';
import type { FormDifference } from '../../../../schemas/import.js';

/**
 * An update that a backup restored in the middle, and that was not made in some shops, since they changed after the
 * backup.
 */
export type StoppedAfterRestore = {
  listing_pk: number;
  title: string;
  shops: { shop_name: string; drift: FormDifference[] }[];
};

/** Checks at most this many updates, newest first: a person waits for the page. */
const MOST_CHECKED = 100;

export type ListStoppedAfterRestore = (account_id: string) => Promise<StoppedAfterRestore[]>;

/** Lists them until a later job runs on the listing. */
export function createListStoppedAfterRestore({ store }: Pick<Ports, 'store'>): ListStoppedAfterRestore {
  return async (account_id) => {
    const stopped: StoppedAfterRestore[] = [];
    for (const { job_id, listing_pk, results } of await store.listings.listRestoredUpdates(
      account_id,
      MOST_CHECKED,
    )) {
      const shops = (results ?? []).flatMap(({ shop_id, shop_name = `shop ${shop_id}`, details }) =>
        details?.['after_restore'] === true
          ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written with after_restore
            [{ shop_name, drift: (details['drift'] ?? []) as FormDifference[] }]
          : [],
      );
      if (shops.length === 0) continue;
      const last = (await store.listings.listJobs(account_id, listing_pk)).at(-1);
      const listing = await store.listings.findListing(account_id, listing_pk);
      if (last?.job_id === job_id && listing) stopped.push({ listing_pk, title: listing.title, shops });
    }
    return stopped;
  };
}

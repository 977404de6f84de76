import type { PublishPlan } from '../../core/listings/publish/plan.js';
import type { ListingStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { fromJson } from '../json.js';
import type { Tables } from '../schema.js';

/** Creates of unknown outcome, whose listings may be on the marketplace. Read only after a lost answer. */
export function createOpenCreates({ read }: Engine<Tables>): Pick<ListingStore, 'listOpenCreates'> {
  return {
    async listOpenCreates(shop_id) {
      const rows = await read((trx) =>
        trx
          .selectFrom('publications as publication')
          .innerJoin('listings as listing', (join) =>
            join
              .onRef('listing.account_id', '=', 'publication.account_id')
              .onRef('listing.listing_pk', '=', 'publication.listing_pk'),
          )
          .innerJoin('jobs as job', (join) =>
            join
              .onRef('job.account_id', '=', 'listing.account_id')
              .onRef('job.job_id', '=', 'listing.job_id'),
          )
          .select(['publication.account_id', 'publication.listing_pk', 'publication.progress', 'job.plan'])
          .where('publication.shop_id', '=', shop_id)
          .where('publication.listing_id', 'is', null)
          .execute(),
      );
      return rows.flatMap(({ account_id, listing_pk, plan, ...row }) => {
        const progress = fromJson(row.progress);
        // A plan that was swept is one of a listing that stands in its shops.
        if (progress.intent?.step !== 'create') return [];
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the last job that a listing names is one that publishes
        const published = fromJson(plan) as PublishPlan | null;
        const shop_plan = published?.shops.find((shop) => shop.shop_id === shop_id);
        return shop_plan ? [{ account_id, listing_pk, progress, draft: shop_plan.draft }] : [];
      });
    },
  };
}

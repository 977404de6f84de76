import type { PlannedChange, UpdateResult } from '../../../../schemas/listing_changes.js';
import type { Ports } from '../../ports/index.js';
import { quoteForeign } from '../../errors.js';
import { MarketplaceError, type ListingRecord } from '../../ports/index.js';
import { keepAdopted } from '../snapshot/adopted.js';
import { readSnapshot } from '../snapshot/read.js';
import type { ListingSnapshot } from '../snapshot/snapshot.js';
import { toPlannedChange, toUpdateDryRun } from './answers.js';
import { countUpdateCalls } from './count_calls.js';
import { decideAction, listActionParts } from './decide/decide_action.js';
import type { ShopUpdate, UpdatePlan } from './plan.js';
import { readForAction } from './run/read.js';

/** The dry run of an update: reads the listings, and answers what it would do. */
export type UpdateShowing = {
  /**
   * Saves what it reads as shown to the caller, so that edits by hand in it are no drift any more. A change that leaves them alone
   * takes them over all the same, and tells it.
   */
  show(listing: ListingRecord, plan: UpdatePlan): Promise<UpdateResult>;
};

export function createUpdateShowing({
  store,
  marketplace,
  clock,
}: Pick<Ports, 'store' | 'marketplace' | 'clock'>): UpdateShowing {
  async function showShop(
    { account_id, listing_pk }: ListingRecord,
    update: ShopUpdate,
  ): Promise<PlannedChange> {
    const { shop_id, listing_id } = update;
    const kept = await store.listings.listSnapshots(account_id, listing_pk);
    const baseline = kept.find((one) => one.shop_id === shop_id)?.snapshot;
    let known: Partial<ListingSnapshot> = {};
    const fresh = await readForAction(update, baseline, async (wanted) => {
      const read = await readSnapshot(marketplace, { account_id, shop_id }, listing_id, wanted);
      known = { ...known, ...read };
      return known;
    });
    const now = marketplace.findTime()?.latest ?? clock.now();
    const decision = decideAction({ update, baseline, fresh }, now);
    const target = decision.kind === 'go' ? decision.target : undefined;
    // A refusal does not show the caller what is there.
    if (decision.kind !== 'refused') {
      const snapshot = { ...fresh, adopted: keepAdopted(baseline, fresh) };
      await store.listings.saveSnapshot(account_id, listing_pk, { shop_id, snapshot });
    }
    return toPlannedChange(update, decision, countUpdateCalls(target, fresh, listActionParts(update.action)));
  }

  return {
    async show(listing, plan) {
      const shops = await Promise.all(
        plan.shops.map((update) =>
          showShop(listing, update).catch((cause: unknown) => {
            if (!(cause instanceof MarketplaceError)) throw cause;
            return toUnread(update, cause);
          }),
        ),
      );
      return toUpdateDryRun(shops, plan.warnings);
    },
  };
}

/** The answer for a shop that could not be read; the other shops are still shown. */
function toUnread(update: ShopUpdate, cause: MarketplaceError): PlannedChange {
  const error =
    cause.failure === 'not_found'
      ? 'The listing is not there any more; listing_delete forgets it.'
      : `It could not be read: ${quoteForeign(cause.message)}.`;
  return {
    ...toPlannedChange(update, { kind: 'refused', error, fields: [] }, 1),
    marketplace_status: cause.status,
  };
}

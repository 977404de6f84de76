import type { PlannedChange, UpdateResult } from '../../../../schemas/listing_changes.js';
import type { Ports } from '../../ports/index.js';
import { quoteAnswer } from '../../errors.js';
import type { Call } from '../../operations/call.js';
import { MarketplaceError, type Binding, type EditLicense, type ListingRecord } from '../../ports/index.js';
import { readSnapshot } from '../snapshot/read.js';
import type { ListingSnapshot } from '../snapshot/snapshot.js';
import { toPlannedChange, toUpdateDryRun, withManualEdits } from './answers.js';
import { countReads, countWrites } from './count_calls.js';
import { decideAction } from './decide/decide_action.js';
import { LICENSE_MS, toEditLicense, toLicensedCall } from './edit_license.js';
import { withoutLag } from './lag.js';
import type { Drift, ShopUpdate, UpdatePlan } from './plan.js';
import { readForAction } from './run/read.js';

/** The dry run of an update: reads the listings, and returns what the update would do. */
export type UpdateShowing = {
  /**
   * The manual edits that the caller is shown whole are licensed: the same call without dry_run may overwrite them once. Nothing else
   * is saved, and the baseline stays as it was.
   */
  show(listing: ListingRecord, plan: UpdatePlan, binding: Binding, call: Call): Promise<UpdateResult>;
};

/** `build`: what the update would do; `areLicensed`: whether the caller is shown its manual edits whole. */
type Shown = { build: (areLicensed: boolean) => PlannedChange; licenses: EditLicense[] };

export function createUpdateShowing({
  store,
  marketplace,
  clock,
}: Pick<Ports, 'store' | 'marketplace' | 'clock'>): UpdateShowing {
  async function showShop({ account_id, listing_pk }: ListingRecord, update: ShopUpdate): Promise<Shown> {
    const { shop_id, listing_id } = update;
    const kept = await store.listings.listSnapshots(account_id, listing_pk);
    const aged = kept.find((one) => one.shop_id === shop_id);
    const baseline = aged?.snapshot;
    let known: Partial<ListingSnapshot> = {};
    let reads = 0;
    const found = await readForAction(update, baseline, async (wanted) => {
      const read = await readSnapshot(marketplace, { account_id, shop_id }, listing_id, wanted);
      reads += countReads(wanted, read);
      known = { ...known, ...read };
      return known;
    });
    // A person waits for it, so it does not read again.
    const fresh = withoutLag(aged, found);
    const now = marketplace.findTime()?.latest ?? clock.now();
    const edits = new Map<string, Drift>();
    const decision = decideAction({ update, baseline, fresh }, now, (edit) => {
      edits.set(edit.field, edit);
      return true;
    });
    if (decision.kind !== 'go') {
      return { build: () => toPlannedChange(update, decision, reads), licenses: [] };
    }
    const calls = reads + countWrites(decision.target, fresh);
    const shown = [...edits.values()];
    return {
      build: (areLicensed) => toPlannedChange(update, withManualEdits(decision, shown, areLicensed), calls),
      licenses: shown.map((edit) => toEditLicense(shop_id, edit)),
    };
  }

  return {
    async show(listing, plan, binding, call) {
      const shops = await Promise.all(
        plan.shops.map((update) =>
          showShop(listing, update).catch((cause: unknown) => {
            if (!(cause instanceof MarketplaceError)) throw cause;
            return { build: () => toUnread(update, cause), licenses: [] };
          }),
        ),
      );
      const licenses = shops.flatMap((shop) => shop.licenses);
      const build = (areLicensed: boolean) =>
        toUpdateDryRun(
          shops.map((shop) => shop.build(areLicensed)),
          plan.warnings,
        );
      const answer = build(true);
      if (licenses.length === 0) return answer;
      const whole = { ...answer, warnings: [...(answer.warnings ?? []), ...(call.warnings ?? [])] };
      if (call.showsWhole?.(whole) === false) return build(false);
      const of = toLicensedCall(call, binding);
      await store.listings.saveEditLicenses(listing.account_id, of, licenses, LICENSE_MS);
      return answer;
    },
  };
}

/** The answer for a shop that could not be read; the other shops are still shown. */
function toUnread(update: ShopUpdate, cause: MarketplaceError): PlannedChange {
  const error =
    cause.failure === 'not_found'
      ? 'The listing is not there any more; listing_delete forgets it.'
      : `It could not be read: ${quoteAnswer(cause)}.`;
  return {
    ...toPlannedChange(update, { kind: 'refused', error, fields: [] }, 1),
    marketplace_status: cause.status,
  };
}

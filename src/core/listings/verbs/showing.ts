import type { Refusal } from '../../../../schemas/issues/update_warnings.js';
import { toCallFailure } from '../engine/failures.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { PlannedChange, UpdateResult } from '../../../../schemas/listing_changes.js';
import type { Ports } from '../../ports/index.js';
import type { ChangeAction, Plan, ShopPlan } from '../../ports/listing/plan.js';
import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import { writeAnswer } from '../../issues/answers.js';
import type { BatchPart, Call } from '../../operations/call.js';
import { MarketplaceError, type Binding, type EditLicense, type ListingRecord } from '../../ports/index.js';
import { readSnapshot } from '../snapshot/read.js';
import { toPlannedChange, toUpdateDryRun, listManualEdits } from '../decide/answers.js';
import { countReads, countWrites } from '../run/count_calls.js';
import { decideAction } from '../decide/decide_action.js';
import { LICENSE_MS, toEditLicense, toLicensedCall } from '../decide/edit_license.js';
import { withoutLag } from '../snapshot/lag.js';

import { readForAction } from '../engine/read.js';

/** The dry run of an update: reads the listings, and returns what the update would do. */
export type UpdateShowing = {
  /**
   * Licenses the manual edits that the caller sees whole: the same call without dry_run may overwrite them once.
   * Saves nothing else, and keeps the baseline.
   */
  show(listing: ListingRecord, plan: Plan<ChangeAction>, binding: Binding, call: Call): Promise<UpdateResult>;
};

/** `build`: what the update would do. `areLicensed`: whether the caller sees its manual edits whole. */
type Shown = { build: (areLicensed: boolean) => PlannedChange; licenses: EditLicense[] };

export function createUpdateShowing({
  store,
  marketplace,
  clock,
}: Pick<Ports, 'store' | 'marketplace' | 'clock'>): UpdateShowing {
  async function showShop(
    { account_id, listing_pk }: ListingRecord,
    update: ShopPlan<ChangeAction>,
    batch: BatchPart | undefined,
  ): Promise<Shown> {
    const { shop_id, listing_id } = update;
    const kept = await store.listings.listSnapshots(account_id, listing_pk);
    const aged = kept.find((one) => one.shop_id === shop_id);
    const baseline = aged?.snapshot;
    let known: Partial<ListingSnapshot> = batch?.read?.get(shop_id) ?? {};
    let reads = 0;
    const found = await readForAction(update, baseline, async (wanted) => {
      const open = wanted.filter((part) => known[part] === undefined);
      const read =
        open.length === 0 ? {} : await readSnapshot(marketplace, { account_id, shop_id }, listing_id, open);
      known = { ...known, ...read };
      reads += countReads(wanted, known);
      return known;
    });
    // A person waits for it, so it does not read again.
    const fresh = withoutLag(aged, found);
    const now = marketplace.findTime()?.latest ?? clock.now();
    const edits: FieldDifference[] = [];
    const decision = decideAction({ update, baseline, fresh }, now, (edit) => {
      edits.push(edit);
      // A batch skips a listing with manual edits, unless it may overwrite them.
      return batch === undefined;
    });
    if (decision.kind !== 'go') {
      return { build: () => toPlannedChange(update, decision, reads), licenses: [] };
    }
    batch?.onShown?.(shop_id, decision.diff);
    const calls = reads + countWrites(decision.target, fresh);
    return {
      build: (areLicensed) =>
        toPlannedChange(update, decision, calls, listManualEdits(decision, edits, areLicensed)),
      licenses: edits.map((edit) => toEditLicense(shop_id, edit)),
    };
  }

  return {
    async show(listing, plan, binding, call) {
      const shops = await Promise.all(
        plan.shops.map((update) =>
          showShop(listing, update, call.batch).catch((cause: unknown) => {
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
      if (call.showsWhole?.(writeAnswer(whole)) === false) return build(false);
      const of = toLicensedCall(call, binding);
      await store.listings.saveEditLicenses(listing.account_id, of, licenses, LICENSE_MS);
      return answer;
    },
  };
}

/** The result for a shop that could not be read; the other shops are still shown. */
function toUnread(update: ShopPlan<ChangeAction>, cause: MarketplaceError): PlannedChange {
  const problem: Refusal =
    cause.failure === 'not_found'
      ? { code: 'listing_gone', params: {} }
      : { code: 'listing_unread', params: { why: toCallFailure(cause) } };
  return {
    ...toPlannedChange(update, { kind: 'refused', problem, fields: [] }, 1),
    marketplace_status: cause.status,
  };
}

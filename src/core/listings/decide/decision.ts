import type { Refusal } from '../../../../schemas/issues/update_warnings.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { Warning } from '../../../../schemas/job.js';
import type { Pending } from '../../ports/listing/changes.js';
import type { ChangeAction, ShopPlan } from '../../ports/listing/plan.js';
import type { Overwriting } from '../../ports/listing/progress.js';
import type { KeptSnapshot, ListingSnapshot } from '../../ports/listing/snapshot.js';
import type { Target } from '../../ports/listing/target.js';

/**
 * The decision for one shop, based on the listing as just read. `drift`: manual edits of fields the update writes.
 * `taken_over`: manual edits of other fields.
 */
export type Decision =
  | { kind: 'drift'; drift: FieldDifference[]; taken_over: FieldDifference[] }
  /** The change is impossible in this shop. */
  | { kind: 'refused'; problem: Refusal; fields: string[] }
  | {
      kind: 'go';
      target: Target;
      diff: FieldDifference[];
      warnings: Warning[];
      overwriting: Overwriting[];
      taken_over: FieldDifference[];
      /** The new value; null: nothing. Omitted: unchanged. */
      pending?: Pending | null;
    }
  | {
      kind: 'unchanged';
      warnings: Warning[];
      taken_over: FieldDifference[];
      pending?: Pending | null;
    };

/**
 * The inputs of a decision. `baseline`: the listing as last written or imported; undefined if it was never kept.
 */
export type ShopFacts = {
  update: ShopPlan<ChangeAction>;
  baseline: KeptSnapshot | undefined;
  fresh: Partial<ListingSnapshot>;
};

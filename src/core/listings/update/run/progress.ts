import type { Intent, MediaKind, ShopProgress } from '../../publish/progress.js';
import type { PlannedFile } from '../../publish/plan.js';
import type { ListingSnapshot } from '../../snapshot/snapshot.js';
import type { Drift, UpdateProgress } from '../plan.js';

/** Steps, in the order in which they run. */
export const CHANGE_STEPS = [
  'decide',
  'images',
  'fields',
  'videos',
  'files',
  'renew',
  'inventory',
  'variation_images',
  'attributes',
  'questions',
  'state',
  'translations',
  'read_back',
] as const;
export type ChangeStepName = (typeof CHANGE_STEPS)[number];

/** Why one shop's listing did not reach its target. `drift`: fields of the change were edited by hand. */
export type ChangeFailure = {
  step: ChangeStepName;
  error: string;
  marketplace_status: number | null;
  drift?: Drift[];
  /** A backup restored the job in the middle, and what the listing was changed to since is not known. */
  after_restore?: true;
};

/**
 * The progress of the change of one shop's listing. `before` and `target` are committed before the first write, and are the intent of
 * all writes: after a crash the listing is read again and compared with both.
 */
export type ShopUpdateProgress = UpdateProgress &
  Pick<ShopProgress, 'sending' | 'sending_since'> & {
    /** When each step was done; steps without work have none. */
    done_at: Partial<Record<ChangeStepName, string>>;
    /**
     * What was read after the last write, with pieces that were sold since; after drift, with the fields that were edited manually as
     * they were before the edit. It becomes the snapshot.
     */
    seen?: Partial<ListingSnapshot>;
    /** By kind and position in the target: the marketplace's id of the file that was sent. */
    sent: Record<MediaKind, Record<number, number>>;
    /** Photos that a proxy has sent once more: the marketplace's ids of the surplus ones. */
    doubles?: number[];
    /** Photos that were written by themselves, to a rank: with another text, or since the listing did not show them. */
    attached?: number[];
    /** While a write that is not of media is sent. Committed before the call: when it is found by another run, the call may come yet. */
    is_writing?: true;
    /** Whether a write of the inventory may have been done. Committed before the call. */
    is_inventory_sent?: true;
    /** The kept bytes of deleted photos, by the marketplace's id, so that an undo can send them again. */
    kept: Record<number, PlannedFile>;
    /** The intent of an activation whose outcome is not known. */
    intent: Intent | null;
    /** When an activation that costs a fee was intended. */
    activation_intended_at: string | null;
    /** The fee paid in this job, in USD; null where it activated nothing. */
    paid_usd: number | null;
    listing_url: string | null;
    ended: 'ok' | 'unchanged' | 'error' | null;
    failure: ChangeFailure | null;
  };

export function buildEmptyUpdate(): ShopUpdateProgress {
  return {
    before: null,
    target: null,
    after: null,
    diff: [],
    taken_over: [],
    warnings: [],
    sending: {},
    done_at: {},
    sent: { images: {}, videos: {}, files: {} },
    kept: {},
    intent: null,
    activation_intended_at: null,
    paid_usd: null,
    listing_url: null,
    ended: null,
    failure: null,
  };
}

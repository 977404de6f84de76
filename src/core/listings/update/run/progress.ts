import type { Intent, MediaKind, ShopProgress } from '../../publish/progress.js';
import type { PlannedFile } from '../../publish/plan.js';
import type { ListingSnapshot } from '../../snapshot/snapshot.js';
import type { Drift, UpdateProgress } from '../plan.js';

/** In the order in which they are made. */
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

/** Why one shop's listing is not as it was to be. `drift`: other hands have changed what was to be changed. */
export type ChangeFailure = {
  step: ChangeStepName;
  error: string;
  marketplace_status: number | null;
  drift?: Drift[];
  fields?: string[];
};

/**
 * How far the change of one shop's listing is. `before` and `target` are committed before the first write, and are the intent of all
 * that is written: after a crash the listing is read again and held against both.
 */
export type ShopUpdateProgress = UpdateProgress &
  Pick<ShopProgress, 'sending' | 'sending_since'> & {
    /** When each step was done that had something to do. */
    done_at: Partial<Record<ChangeStepName, string>>;
    /** After drift: `after`, with what other hands have changed as it was before. What counts as seen. */
    seen?: Partial<ListingSnapshot>;
    /** By position in the target: what the marketplace made of it. */
    sent: Record<MediaKind, Record<number, number>>;
    /** Whether a write of the inventory may have been done. Committed before the call. */
    is_inventory_sent?: true;
    /** The bytes of photos that are taken away, by the marketplace's id; kept so that an undo can send them again. */
    kept: Record<number, PlannedFile>;
    /** Of an activation whose outcome is not known. */
    intent: Intent | null;
    /** When an activation that costs a fee was intended. */
    activation_intended_at: string | null;
    /** What it cost in this job, in USD; null where it put nothing on sale. */
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

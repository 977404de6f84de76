import type { FieldDifference, FieldRef } from '../../../../schemas/field_ref.js';
import type { Fact } from '../../../../schemas/issue.js';
import type { ImportResult } from '../../../../schemas/import.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ListingFile, ListingImage, ListingVideo } from '../marketplace_listing.js';
import type { Pending } from './changes.js';
import type { ListingSnapshot } from './snapshot.js';
import type { PlannedFile, Target } from './target.js';

/** Steps of publishing, in the order of reports; the pipeline's table determines which may run at the same time. */
export const STEPS = [
  'create',
  'images',
  'videos',
  'files',
  'inventory',
  'attributes',
  'variation_images',
  'personalization',
  'recover',
  'verify',
  'activate',
] as const;

/** Further steps, of changes. */
type ChangeStepName = 'decide' | 'fields' | 'renew' | 'questions' | 'state' | 'translations' | 'read_back';

export type StepName = (typeof STEPS)[number] | ChangeStepName;

export const MEDIA_KINDS = ['images', 'videos', 'files'] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];

/** Committed before a call that must not happen twice; removed once its outcome is known. */
export type Intent = {
  step: 'create' | 'activate';
  started_at: string;
  /** After this time, no response can arrive. */
  deadline_at: string;
  /** Creates of unknown outcome so far, including this one. */
  attempt: number;
  /** For creates only. */
  made_between?: Period | null;
  /**
   * For creates only: the failure was reported. The next job searches once more for a listing that these creates
   * made, and creates again if there is none.
   */
  is_told?: true;
};

/**
 * When the marketplace may have processed a call whose response was lost, over all attempts and by the
 * marketplace's clock, since ours may be set in the meantime. Null if the marketplace's time was unknown.
 */
type Period = { since: string; until: string };

/** Why one shop's listing did not reach its target. */
export type StepFailure = {
  step: StepName;
  error: Fact;
  marketplace_status: number | null;
  /** Fields of the change with manual edits. */
  drift?: FieldDifference[];
  /** A restored backup had the job in progress, and later changes of the listing are unknown. */
  after_restore?: true;
};

/**
 * Survives a crash while a job works on one listing in one shop. Committed before each call that must not happen
 * twice, and after each step.
 */
export type Journal = {
  intent: Intent | null;
  /**
   * Position in the target of the file being sent, by kind; committed before each call, and removed once the outcome
   * is known.
   */
  sending: Partial<Record<MediaKind, number>>;
  /**
   * Lower bound of when each file in `sending` was sent, in epoch seconds by the marketplace's clock; 0 if that was unknown.
   */
  sending_since?: Partial<Record<MediaKind, number>>;
  /** Photos that a proxy sent a second time: the marketplace's ids of the surplus ones. */
  doubles?: number[];
  /** Photos set individually at a rank, to change the alt text or because the listing did not show them. */
  attached?: number[];
  /**
   * Set while a write other than media is in flight, unless such writes are simply repeated. Committed before the call: if
   * another run finds it, the call may still arrive.
   */
  is_writing?: true;
  /** Whether a write of the inventory may have been done, unless such writes are simply repeated. Committed before the call. */
  is_inventory_sent?: true;
  /**
   * When an activation that costs a fee was first intended, by the clock of that process; null once it is known not to have
   * happened. The daily limit counts it from the commit that first has it.
   */
  activation_intended_at: string | null;
  /** When each step was done; steps without work have no time. */
  done_at?: Partial<Record<StepName, string>>;
  listing_url: string | null;
  /** Why the last run stopped, if it did. */
  failure: StepFailure | null;
};

/** The journal of publishing one listing in one shop, over all its jobs: a retry skips the steps that are done. */
export type PublicationProgress = Journal & {
  done: StepName[];
  /** By position in the target: the photo as returned by the marketplace. */
  images: Record<number, ListingImage>;
  videos: ListingVideo[];
  /** By position in the target. */
  files: Record<number, ListingFile>;
  /** Fields refused at creation and left out, with the marketplace's reason. */
  left_out: { field: string; reason: string }[];
  /** Fields to write again, since a draft found after a lost response may have different values. */
  to_mend?: string[];
  /** Set while a run may have writes in flight; a run that starts with it follows an interrupted one. */
  is_under_way?: true;
  /** By step, so that running a step again replaces its warnings. */
  warnings: Partial<Record<StepName, Warning[]>>;
  is_active: boolean;
  /**
   * The job that found the activation's fee charged, and reports it; undefined if the fee was not ours, as far as
   * known.
   */
  paid_in?: string;
  /** Changes that the marketplace accepts once the listing has stock. */
  pending?: Pending | undefined;
  /** The differences of this shop from the listing's request, as a JSON Merge Patch (RFC 7396) over it: the listing was copied to this shop with changes. */
  changes?: Record<string, unknown> | undefined;
};

/** A manual edit that the update overwrites, and the warning about it. */
export type Overwriting = { ref: FieldRef; warning: Warning };

/**
 * The journal of changing one listing in one shop in one job, for its result and for undoing it. `before` and `target` are
 * committed before the first write, and record the purpose of all writes: after a crash the listing is read again and
 * compared with both.
 */
export type ChangeProgress = Journal & {
  /** The parts that change, as read before the first write. An undo restores them. */
  before: Partial<ListingSnapshot> | null;
  target: Target | null;
  /** The same parts after the change; pieces sold since from a quantity it wrote are still included. */
  after: Partial<ListingSnapshot> | null;
  /**
   * The listing as read after the last write, including sales since then. After drift, fields with manual edits
   * have their value from before the edit. It becomes the snapshot.
   */
  seen?: Partial<ListingSnapshot>;
  /** The changes, in the request's form. */
  diff: FieldDifference[];
  /** The pending changes after the job; null: none. Missing: unchanged. */
  pending?: Pending | null;
  /** The pending changes before the job; missing if unchanged. */
  was_pending?: Pending | null;
  /** Manual edits that stay, and that the request accepts. */
  taken_over: FieldDifference[];
  warnings: Warning[];
  overwriting: Overwriting[];
  /** By kind and position in the target: the marketplace's id of the sent file. */
  sent: Record<MediaKind, Record<number, number>>;
  /** The stored bytes of deleted photos, by the marketplace's id, so that an undo can send them again. */
  kept: Record<number, PlannedFile>;
  /** The fee paid in this job, in USD; null if it activated nothing. */
  paid_usd: number | null;
  ended: 'ok' | 'unchanged' | 'error' | null;
};

/** The outcome of one listing of an import; saved in one transaction with the listing. */
export type ImportProgress = { result: ImportResult };

const EMPTY_JOURNAL: Journal = {
  intent: null,
  sending: {},
  activation_intended_at: null,
  listing_url: null,
  failure: null,
};

/** The progress before the first step. */
export function buildEmptyProgress(): PublicationProgress {
  return {
    ...structuredClone(EMPTY_JOURNAL),
    done: [],
    images: {},
    videos: [],
    files: {},
    left_out: [],
    warnings: {},
    is_active: false,
  };
}

export function buildEmptyChange(): ChangeProgress {
  return {
    ...structuredClone(EMPTY_JOURNAL),
    before: null,
    target: null,
    after: null,
    diff: [],
    taken_over: [],
    warnings: [],
    overwriting: [],
    sent: { images: {}, videos: {}, files: {} },
    kept: {},
    paid_usd: null,
    ended: null,
  };
}

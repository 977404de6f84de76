import type { Warning } from '../../../../schemas/job.js';
import type { Pending } from '../update/inventory_change.js';
import type { TimeRange } from '../../ports/records.js';
import type { ListingFile, ListingImage, ListingVideo } from '../../ports/marketplace_listing.js';

/** Steps in the order of reports; the pipeline's table says which may run at the same time. */
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
export type StepName = (typeof STEPS)[number];

/** Committed before a call that must not happen twice; gone once its outcome is known. */
export type Intent = {
  step: 'create' | 'activate';
  started_at: string;
  /** After this time, no answer can come any more. */
  deadline_at: string;
  /** Creates of unknown outcome so far, this one included. */
  attempt: number;
  /** For creates alone. */
  made_between?: Period | null;
  /** For creates alone: the failure was reported. The next job looks once more for a listing that they made, and creates again without one. */
  is_told?: true;
};

/**
 * When the marketplace may have done a call whose answer was lost, over all attempts and by the marketplace's own time: ours may be
 * set meanwhile. Null where the marketplace's time was not known.
 */
export type Period = { since: string; until: string };

/**
 * A call may be sent this long after its intent was committed. Shorter than a claim has left when it was just renewed: a
 * process that was held up for longer may have lost its job to another one, and must not send any more.
 */
export const SEND_WINDOW_MS = 15_000;
/** From the latest time of sending until no answer can come any more; after that, only the marketplace's own lag remains. */
const ANSWER_WINDOW_MS = 20_000;
const CALL_MS = SEND_WINDOW_MS + ANSWER_WINDOW_MS;

/** @param attempt creates of unknown outcome so far, this one included */
export function buildIntent(step: Intent['step'], now: Date, attempt: number): Intent {
  return { step, started_at: now.toISOString(), deadline_at: addMs(now, CALL_MS), attempt };
}

/**
 * @param earlier the attempt before, when its outcome is unknown too
 * @param marketplace_now the marketplace's time, if it has told one
 */
export function buildCreateIntent(
  earlier: Intent | null,
  now: Date,
  marketplace_now: TimeRange | undefined,
): Intent {
  const intent = buildIntent('create', now, (earlier?.attempt ?? 0) + 1);
  const since = earlier ? earlier.made_between?.since : marketplace_now?.earliest.toISOString();
  if (since === undefined || !marketplace_now) return { ...intent, made_between: null };
  return { ...intent, made_between: { since, until: addMs(marketplace_now.latest, CALL_MS) } };
}

/**
 * How long what a process had under way when it ended may take to show, from then on. Its end does not reach what had left: that
 * counts until the deadline it had, and then shows as late as any other.
 * @param settle_ms where it is set to less than a call lasts, calls count as that quick too
 */
export function getAftermath_ms(settle_ms: number): number {
  return Math.min(ANSWER_WINDOW_MS, settle_ms) + settle_ms;
}

/** Whether the process of an earlier run is surely gone, and how long what came without an answer may take to show. */
type EarlierRun = { is_alone: boolean; settle_ms: number };

/**
 * How long what an earlier run was writing may take to come and show, from now on. Where its process is gone nothing more is sent, and
 * what was sent comes within its aftermath; while it may still run, it may send yet.
 */
export function getRemains_ms({ is_alone, settle_ms }: EarlierRun): number {
  return is_alone ? getAftermath_ms(settle_ms) : CALL_MS + settle_ms;
}

/** Renews the deadline of an intent that an earlier run saved, whose clock may have been another one. */
export function renewDeadline(intent: Intent, now: Date, earlier: EarlierRun): void {
  intent.deadline_at = addMs(now, getRemains_ms(earlier) - earlier.settle_ms);
}

/** How long to wait, in ms, until no call of it can be under way any more, even when the clock was set in the meantime. */
export function getSettle_ms({ deadline_at }: Intent, now: Date, settle_ms: number): number {
  const left_ms = Date.parse(deadline_at) - now.getTime();
  return Math.min(Math.max(0, left_ms), CALL_MS) + settle_ms;
}

function addMs(time: Date, duration_ms: number): string {
  return new Date(time.getTime() + duration_ms).toISOString();
}

export type StepFailure = { step: StepName; error: string; marketplace_status: number | null };

export const MEDIA_KINDS = ['images', 'videos', 'files'] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];

/** The progress of one listing in one shop. Saved after every step; a retry skips the steps that are done. */
export type ShopProgress = {
  done: StepName[];
  /** When each step was done; progress that was saved before times were kept has none. */
  done_at?: Partial<Record<StepName, string>>;
  intent: Intent | null;
  /** Position in the plan of the file being sent, by kind; committed before each call, and removed once the outcome is known. */
  sending: Partial<Record<MediaKind, number>>;
  /** Lower bound of when each of them was sent, in epoch seconds of the marketplace's own time; 0 where that was not known. */
  sending_since?: Partial<Record<MediaKind, number>>;
  listing_url: string | null;
  /** By position in the plan: the photo as the marketplace has it. */
  images: Record<number, ListingImage>;
  videos: ListingVideo[];
  /** By position in the plan; a list in what earlier releases saved. */
  files: Record<number, ListingFile>;
  /** Fields refused at creation and left out, with the marketplace's reason. */
  left_out: { field: string; reason: string }[];
  /** Fields to write again, since a draft that was found after a lost answer may differ in them; mostly none. */
  to_mend?: string[];
  /** While a run may have writes under way; where a run begins with it, the one before has ended without a word. */
  is_under_way?: true;
  /** By step, so that running a step again replaces its warnings. */
  warnings: Partial<Record<StepName, Warning[]>>;
  /** When the activation's intent was first saved; the daily limit counts by it. */
  activation_intended_at: string | null;
  is_active: boolean;
  /** The job that found the activation's fee charged, and reports it; undefined when the fee was not ours, as far as is known. */
  paid_in?: string;
  /** Changes that the marketplace takes once the listing has stock. */
  pending?: Pending | undefined;
  /** Why the last run stopped, if it did. */
  failure: StepFailure | null;
  /** The differences of this shop from the listing's request, as a JSON Merge Patch (RFC 7396) over it: it was copied there with changes. */
  changes?: Record<string, unknown> | undefined;
};

/** Whether nothing is under way, or left to do, in this shop. */
export function isSettled(progress: ShopProgress): boolean {
  return isPublished(progress) && progress.intent === null && progress.failure === null;
}

/** Whether all is done in this shop but for putting the listing on sale: it was read back at the end. */
export function isPublished({ done }: ShopProgress): boolean {
  return done.includes('verify');
}

/** Marks a step as not done after all, so that the next run does it again. */
export function reopen(progress: ShopProgress, step: StepName): void {
  progress.done = progress.done.filter((name) => name !== step);
}

export function buildEmptyProgress(): ShopProgress {
  return {
    done: [],
    intent: null,
    sending: {},
    listing_url: null,
    images: {},
    videos: [],
    files: {},
    left_out: [],
    warnings: {},
    activation_intended_at: null,
    is_active: false,
    failure: null,
  };
}

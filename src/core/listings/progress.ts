import type { Warning } from '../../../schemas/job.js';
import type { ListingFile, ListingImage, ListingVideo } from '../ports/marketplace_listing.js';

/** In the order a person would tell them; which may run side by side is the pipeline's table. */
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
  /** After this no answer can come any more. */
  deadline_at: string;
  /** Creates of unknown outcome so far, this one included. */
  attempt: number;
};

/**
 * A call may be sent this long after its intent was committed. Shorter than a lease has left when it was just renewed: a
 * process that was held up for longer may have lost its job to another one, and must not send any more.
 */
const SEND_WINDOW_MS = 15_000;
/** From the last moment of sending until no answer can come any more; what is left then is the marketplace's own lag. */
const ANSWER_WINDOW_MS = 20_000;

/** @param attempt creates of unknown outcome so far, this one included */
export function buildIntent(step: Intent['step'], now: Date, attempt: number): Intent {
  const deadline_ms = now.getTime() + SEND_WINDOW_MS + ANSWER_WINDOW_MS;
  return { step, started_at: now.toISOString(), deadline_at: new Date(deadline_ms).toISOString(), attempt };
}

export function getSendBefore({ started_at }: Intent): Date {
  return new Date(Date.parse(started_at) + SEND_WINDOW_MS);
}

export type StepFailure = { step: StepName; error: string; marketplace_status: number | null };

export type MediaKind = 'images' | 'videos' | 'files';

/** What has happened to one listing in one shop. Saved after every step; a retry skips what is done. */
export type ShopProgress = {
  done: StepName[];
  /** When each step was done; what was saved before times were kept has none. */
  done_at?: Partial<Record<StepName, string>>;
  intent: Intent | null;
  /** Positions in the plan of what was being sent, committed before each; gone once the outcome is known. */
  sending: Partial<Record<MediaKind, number>>;
  /** When each of those was first being sent, in epoch seconds by the marketplace's clock. */
  sending_since?: Partial<Record<MediaKind, number>>;
  listing_url: string | null;
  /** Position in the plan's images to what the marketplace made of it. */
  images: Record<number, ListingImage>;
  videos: ListingVideo[];
  files: ListingFile[];
  /** Fields refused at creation and left out, with the marketplace's reason. */
  left_out: { field: string; reason: string }[];
  /** By step, so that doing a step again replaces what it said before. */
  warnings: Partial<Record<StepName, Warning[]>>;
  /** When the activation's intent was first written; this is what a daily limit counts. */
  activation_intended_at: string | null;
  is_active: boolean;
  /** Why the last run stopped, if it did. */
  failure: StepFailure | null;
};

/** What was done turned out not to be: the next run does it again. */
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
    files: [],
    left_out: [],
    warnings: {},
    activation_intended_at: null,
    is_active: false,
    failure: null,
  };
}

import type { Intent, ShopProgress, StepName } from '../../ports/listing/progress.js';
import type { TimeRange } from '../../ports/records.js';

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

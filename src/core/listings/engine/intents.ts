import type { Intent, PublicationProgress } from '../../ports/listing/progress.js';
import type { TimeRange } from '../../ports/records.js';

/**
 * A call may be sent this long after its intent was committed. This is shorter than the time a claim has left after
 * renewal: a process that was held up longer may have lost its job to another one, and must not send anything.
 */
export const SEND_WINDOW_MS = 15_000;
/**
 * The time from the last possible request until no response can arrive. After that, only the marketplace's own lag
 * remains.
 */
const ANSWER_WINDOW_MS = 20_000;
const CALL_MS = SEND_WINDOW_MS + ANSWER_WINDOW_MS;

/** @param attempt creates of unknown outcome so far, including this one */
export function buildIntent(step: Intent['step'], now: Date, attempt: number): Intent {
  return { step, started_at: now.toISOString(), deadline_at: addMs(now, CALL_MS), attempt };
}

/**
 * @param earlier the previous attempt, if its outcome is unknown too
 * @param marketplace_now the marketplace's time, if known
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
 * How long the calls that a process had in flight when it ended may take to show, from then on. Ending the process
 * does not stop requests already sent: they count until their deadline, and then show with the usual lag.
 * @param settle_ms if this is shorter than a call, calls count as equally fast
 */
export function getAftermath_ms(settle_ms: number): number {
  return Math.min(ANSWER_WINDOW_MS, settle_ms) + settle_ms;
}

/**
 * Whether the process of an earlier run is certainly gone, and how long writes without a response may take to show.
 */
type EarlierRun = { is_alone: boolean; settle_ms: number };

/**
 * How long writes of an earlier run may take to arrive and show, from now on. If its process is gone, nothing more
 * is sent, and its requests arrive within the aftermath; if it may still run, it may still send.
 */
export function getRemains_ms({ is_alone, settle_ms }: EarlierRun): number {
  return is_alone ? getAftermath_ms(settle_ms) : CALL_MS + settle_ms;
}

/** Renews the deadline of an intent saved by an earlier run, whose clock may have differed. */
export function renewDeadline(intent: Intent, now: Date, earlier: EarlierRun): void {
  intent.deadline_at = addMs(now, getRemains_ms(earlier) - earlier.settle_ms);
}

/** How long to wait, in ms, until no call of the intent can be in flight, even if the clock was set since. */
export function getSettle_ms({ deadline_at }: Intent, now: Date, settle_ms: number): number {
  const left_ms = Date.parse(deadline_at) - now.getTime();
  return Math.min(Math.max(0, left_ms), CALL_MS) + settle_ms;
}

function addMs(time: Date, duration_ms: number): string {
  return new Date(time.getTime() + duration_ms).toISOString();
}

/** Whether nothing is in flight or left to do in this shop. */
export function isSettled(progress: PublicationProgress): boolean {
  return isPublished(progress) && progress.intent === null && progress.failure === null;
}

/** Whether everything except activation is done in this shop: the listing was read back at the end. */
export function isPublished({ done }: PublicationProgress): boolean {
  return done.includes('verify');
}

import type { Work } from '../../../../../schemas/issues/failures.js';
import { MarketplaceError, type ListingState, type MarketplaceListing } from '../../../ports/index.js';
import type { Journal } from '../../../ports/listing/progress.js';
import { toSighting, costsFee } from '../../observed/sighting.js';
import { buildIntent, getSettle_ms, SEND_WINDOW_MS } from '../../engine/intents.js';
import { callPatiently, callRepeatably } from '../../engine/attempt.js';
import { checkNotCanceled } from '../../engine/cancel.js';
import { toStepError, StepError } from '../../engine/failures.js';
import { getListingId, type Context } from '../../engine/context.js';

const ATTEMPTS = 3;

/** How to activate a listing, on publishing and later. */
export type Activation = {
  readonly listing_type: 'physical' | 'digital';
  /**
   * Whether activation may incur a fee (counted against the daily limit once the intent is saved). If false, no
   * activation that would incur one is sent.
   */
  readonly is_paid: boolean;
  /** States from which it may be activated; in another state, the listing stays unchanged. */
  readonly from: readonly ListingState[];
  /**
   * Expiration before the activation. A later one proves that the listing has been activated since. Null if it had
   * none.
   */
  readonly ended_epoch_s: number | null;
  /** The listing as read in this run before anything was sent. */
  readonly fresh: MarketplaceListing | undefined;
};

/**
 * `active`: also if it was active before. `over`: it was activated but is no longer live. `other`: it is in a
 * state from which it may not be activated.
 */
type ActivationEnd =
  | { outcome: 'active'; listing: MarketplaceListing }
  | { outcome: 'over'; state: ListingState }
  | { outcome: 'other'; listing: MarketplaceListing }
  | { outcome: 'unanswered' };

/**
 * Puts a listing on sale, which may cost money. Reads the state first and sends the write only if the listing is
 * not on sale. Never repeats a write of unknown outcome before asking the marketplace for the result.
 */
export async function putOnSale(cx: Context, activation: Activation): Promise<ActivationEnd> {
  const { journal } = cx;
  const { from } = activation;
  let known = activation.fresh;
  for (let attempt = 1; ; attempt += 1) {
    const listing = await readState(cx, activation, known);
    if (listing.state === 'active') return { outcome: 'active', listing };
    if (!isSent(journal) && from.includes(listing.state)) await expectFree(cx, activation, listing);
    if (isOver(activation, listing)) return { outcome: 'over', state: listing.state };
    if (!from.includes(listing.state)) return { outcome: 'other', listing };
    // Checked only after a settled read: a write without a response may have succeeded.
    if (attempt > ATTEMPTS) break;
    const done = await tryActivate(cx, activation, listing);
    if (done) return { outcome: 'active', listing: done };
    known = undefined;
  }
  await forgetIntent(cx);
  return { outcome: 'unanswered' };
}

/** Its current four months are paid, so activating it again requires consent to the fee again. */
function isOver(
  { ended_epoch_s: before }: Activation,
  { ends_at_epoch_s: now }: MarketplaceListing,
): boolean {
  return before !== null && now !== null && now > before;
}

/**
 * The current listing. If an activation's response was lost and a first read still shows a state in `from`, waits
 * until the call can no longer be in flight and reads again.
 */
export async function readState(
  cx: Context,
  activation: Activation,
  known: MarketplaceListing | undefined,
): Promise<MarketplaceListing> {
  const { journal, ports, settle_ms } = cx;
  const pending = isSent(journal) ? journal.intent : null;
  if (!pending && known) return known;
  const listing = await read(cx, activation);
  if (!pending || !activation.from.includes(listing.state)) return listing;
  await cx.pause(getSettle_ms(pending, ports.clock.now(), settle_ms));
  return read(cx, activation);
}

async function tryActivate(
  cx: Context,
  activation: Activation,
  before: MarketplaceListing,
): Promise<MarketplaceListing | undefined> {
  const { journal, ports } = cx;
  try {
    const listing = await callPatiently(cx, async () => {
      await expectFree(cx, activation, before);
      // Before each request, because waiting for limits can take minutes. No activation is in flight here.
      await checkNotCanceled(cx, 'activation');
      return sendActivation(cx, activation);
    });
    return listing.state === 'active' ? listing : undefined;
  } catch (cause) {
    if (cause instanceof StepError) await forgetIntent(cx);
    if (!(cause instanceof MarketplaceError)) throw cause;
    if (cause.failure === 'unknown') {
      if (journal.intent) journal.intent.deadline_at = ports.clock.now().toISOString();
      await cx.save();
      return undefined;
    }
    await forgetIntent(cx);
    if (cause.failure === 'unavailable') return undefined;
    throw toStepError(cause, 'activation');
  }
}

async function forgetIntent(cx: Context): Promise<void> {
  cx.journal.intent = null;
  cx.journal.activation_intended_at = null;
  await cx.save();
}

/**
 * Checked before every request: the four months may end while waiting for limits or for the result of an earlier
 * request.
 */
async function expectFree(cx: Context, { is_paid }: Activation, before: MarketplaceListing): Promise<void> {
  const { journal, ports, again } = cx;
  const now = ports.marketplace.findTime()?.latest ?? ports.clock.now();
  if (is_paid || !costsFee(toSighting(before), now)) return;
  journal.intent = null;
  await cx.save();
  throw new StepError({ code: 'fee_not_agreed', params: { state: before.state, again } }, null);
}

/** Each call saves its own intent while holding the claim, and is not sent if that intent has expired. */
async function sendActivation(
  cx: Context,
  { listing_type, is_paid }: Activation,
): Promise<MarketplaceListing> {
  const { journal, ports, shop } = cx;
  journal.intent = buildIntent('activate', ports.clock.now(), 1);
  const send_before_ms = ports.clock.monotonic() + SEND_WINDOW_MS;
  if (is_paid) journal.activation_intended_at ??= journal.intent.started_at;
  await cx.save();
  return ports.marketplace.activateListing(shop, getListingId(cx), listing_type, { send_before_ms });
}

async function read(cx: Context, { is_paid }: Activation): Promise<MarketplaceListing> {
  const { ports, shop, journal } = cx;
  try {
    return await callRepeatably(cx, () => ports.marketplace.getListing(shop, getListingId(cx)));
  } catch (cause) {
    throw toStepError(cause, isSent(journal) ? toUnknownWork(is_paid) : 'read_before_activation');
  }
}

/** Whether an activation of unknown outcome may have been sent. */
export function isSent({ intent }: Pick<Journal, 'intent'>): boolean {
  return intent?.step === 'activate';
}

/** For a listing that cannot be read after its activation was sent. */
export function toUnknownWork(isPaid: boolean): Work {
  return isPaid ? 'read_after_paid_activation' : 'read_after_activation';
}

import { MarketplaceError, type MarketplaceListing } from '../../ports/index.js';
import type { Warning } from '../../../../schemas/job.js';
import { buildIntent, getSettle_ms, SEND_WINDOW_MS } from '../progress.js';
import { callPatiently, callRepeatably, toStepError } from './attempt.js';
import { getListingId, StepError, type Publishing, type Step, type StepOutcome } from './step.js';

const ATTEMPTS = 3;

/**
 * Puts the listing live, which costs money: the state is read first, the write is sent only to a draft, and a write of
 * unknown outcome is never sent again before the marketplace has been asked what became of it.
 */
export const activateStep: Step = {
  name: 'activate',
  needs: ['verify'],
  isNeeded: (plan) => plan.state === 'active',
  isDone: (progress) => progress.is_active,
  is_for_complete: true,
  async run(publishing) {
    const { progress } = publishing;
    for (let attempt = 1; ; attempt += 1) {
      const state = await readState(publishing);
      if (state === 'active') return finish(publishing);
      if (state !== 'draft') {
        throw new StepError(
          `The listing was not activated: the marketplace says it is ${state}, so it was live before; put it on sale in the shop, which may cost a fee`,
          null,
        );
      }
      // Said only after a settled read: what was sent and not answered may have been done.
      if (attempt > ATTEMPTS) break;
      const outcome = await tryActivate(publishing);
      if (outcome === 'active') return finish(publishing);
    }
    progress.intent = null;
    progress.activation_intended_at = null;
    await publishing.save();
    throw new StepError(
      'The listing is still a draft: the marketplace did not answer when it was activated; call listing_publish to try again',
      null,
    );
  },
};

/** What the marketplace says now; after an activation whose answer was lost, only once nothing of it can be outstanding. */
async function readState(publishing: Publishing): Promise<string> {
  const { progress, ports, shop, fresh } = publishing;
  const pending = progress.intent?.step === 'activate' ? progress.intent : undefined;
  if (!pending && fresh) return fresh.state;
  const listing = await read(publishing);
  if (!pending || listing.state !== 'draft') return listing.state;
  await publishing.pause(getSettle_ms(pending, ports.clock.now(), publishing.settle_ms));
  const settled = await callRepeatably(publishing, () =>
    ports.marketplace.getListing(shop, getListingId(publishing)),
  );
  return settled.state;
}

async function tryActivate(publishing: Publishing): Promise<'active' | 'unknown'> {
  const { progress, ports } = publishing;
  try {
    const listing = await callPatiently(publishing, () => sendActivation(publishing));
    progress.listing_url = listing.url;
    publishing.fresh = listing;
    return listing.state === 'active' ? 'active' : 'unknown';
  } catch (cause) {
    publishing.fresh = undefined;
    if (!(cause instanceof MarketplaceError)) throw cause;
    if (cause.failure === 'unknown') {
      if (progress.intent) progress.intent.deadline_at = ports.clock.now().toISOString();
      await publishing.save();
      return 'unknown';
    }
    progress.intent = null;
    progress.activation_intended_at = null;
    await publishing.save();
    if (cause.failure === 'unavailable') return 'unknown';
    throw toStepError(cause, 'The listing was not activated');
  }
}

/** Each sending has an intent of its own, committed under the claim, and is not sent once that is old. */
async function sendActivation(publishing: Publishing): Promise<MarketplaceListing> {
  const { progress, ports, shop, shop_plan } = publishing;
  progress.intent = buildIntent('activate', ports.clock.now(), 1);
  const send_before_ms = ports.clock.monotonic() + SEND_WINDOW_MS;
  progress.activation_intended_at ??= progress.intent.started_at;
  await publishing.save();
  return ports.marketplace.activateListing(shop, getListingId(publishing), shop_plan.draft.listing_type, {
    send_before_ms,
  });
}

async function read(publishing: Publishing): Promise<MarketplaceListing> {
  const { ports, shop } = publishing;
  try {
    return await callRepeatably(publishing, () =>
      ports.marketplace.getListing(shop, getListingId(publishing)),
    );
  } catch (cause) {
    throw toStepError(cause, 'The listing could not be read before activating it');
  }
}

/**
 * The fee belongs to the activation that was intended here, whichever run of whichever job that was; the job that learns of it
 * tells it. Without an intent it is somebody else's, unless a backup may have lost it.
 */
async function finish(publishing: Publishing): Promise<StepOutcome> {
  const { progress, ports, job_id, backed_up_at } = publishing;
  const isOurs = progress.activation_intended_at !== null;
  const isLost = !isOurs && backed_up_at !== undefined;
  if (isLost) progress.activation_intended_at = ports.clock.now().toISOString();
  if (isOurs || isLost) progress.paid_in = job_id;
  progress.is_active = true;
  progress.intent = null;
  await publishing.save();
  publishing.report('live');
  return { warnings: isOurs ? [] : [buildLiveAlready(isLost)] };
}

function buildLiveAlready(is_lost: boolean): Warning {
  const reason = is_lost
    ? 'It was live already. Whether this service put it live after the backup that was restored is not known; the fee is told here in case it did.'
    : 'It was live already, put there by somebody else: nothing was charged for it here.';
  return { code: 'live_already', fields: ['state'], reason };
}

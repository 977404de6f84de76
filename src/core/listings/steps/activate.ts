import { MarketplaceError, type MarketplaceListing } from '../../ports/index.js';
import { buildIntent, getSendBefore } from '../progress.js';
import { callPatiently, callRepeatably, toStepError } from './attempt.js';
import { getListingId, StepError, type Publishing, type Step } from './step.js';

const ATTEMPTS = 3;

/**
 * Puts the listing live, which costs money: the state is read first, the write is sent only to a draft, and a write of
 * unknown outcome is never sent again before the marketplace has been asked what became of it.
 */
export const activateStep: Step = {
  name: 'activate',
  needs: ['verify'],
  isNeeded: (plan) => plan.state === 'active',
  async run(publishing) {
    const { progress } = publishing;
    for (let attempt = 1; ; attempt += 1) {
      const state = await readState(publishing);
      if (state === 'active') return finish(publishing);
      if (state !== 'draft') {
        throw new StepError(`The listing was not activated: the marketplace says it is ${state}`, null);
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
  const settled_at = Date.parse(pending.deadline_at) + publishing.settle_ms;
  publishing.checkStop();
  await ports.clock.sleep(Math.max(0, settled_at - ports.clock.now().getTime()));
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

/** Each sending has an intent of its own, committed under the lease, and is not sent once that is old. */
async function sendActivation(publishing: Publishing): Promise<MarketplaceListing> {
  const { progress, ports, shop, shop_plan } = publishing;
  progress.intent = buildIntent('activate', ports.clock.now(), 1);
  progress.activation_intended_at ??= progress.intent.started_at;
  await publishing.save();
  return ports.marketplace.activateListing(shop, getListingId(publishing), shop_plan.draft.listing_type, {
    send_before: getSendBefore(progress.intent),
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

async function finish(publishing: Publishing) {
  const { progress } = publishing;
  progress.is_active = true;
  progress.intent = null;
  await publishing.save();
  publishing.report('live');
  return {};
}

import type { Warning } from '../../../../../schemas/job.js';
import type { MarketplaceListing } from '../../../ports/index.js';
import { PUBLISH, StepError } from '../../engine/failures.js';
import { isSent, putOnSale, readState, type Activation } from './activation.js';
import type { Publishing } from '../../engine/context.js';
import type { PublishStep, StepOutcome } from '../../engine/step.js';

/** Activates a draft, which costs money. */
export const activateStep: PublishStep = {
  name: 'activate',
  needs: ['verify'],
  part: 'state',
  isDone: (progress) => progress.is_active,
  is_for_complete: true,
  async run(publishing) {
    const { ports, progress, seen } = publishing;
    const asked_ms = ports.clock.monotonic();
    const end = await putOnSale(publishing, buildActivation(publishing));
    publishing.seen = end.outcome === 'active' || end.outcome === 'other' ? end.listing : undefined;
    if (publishing.seen !== seen) publishing.listing_asked_ms = asked_ms;
    if (end.outcome === 'active') {
      progress.listing_url = end.listing.url;
      return finish(publishing);
    }
    if (end.outcome === 'other') {
      if (isSent(progress)) return finish(publishing, end.listing);
      throw new StepError({ code: 'live_before', params: { state: end.listing.state } }, null);
    }
    throw new StepError({ code: 'activation_unanswered', params: { state: 'draft', again: PUBLISH } }, null);
  },
};

/**
 * Finds out the result of an activation whose response was lost, for a job that does not ask for one. Does not send
 * it again. The first job that knows of its fee reports it.
 */
export async function settleActivation(publishing: Publishing): Promise<void> {
  const { progress, ports } = publishing;
  publishing.listing_asked_ms = ports.clock.monotonic();
  const listing = await readState(publishing, buildActivation(publishing), undefined);
  publishing.seen = listing;
  progress.listing_url = listing.url;
  if (listing.state !== 'draft') {
    const { warnings = [] } = await finish(publishing, listing);
    progress.warnings.activate = warnings;
    return;
  }
  progress.intent = null;
  progress.activation_intended_at = null;
  await publishing.save();
}

function buildActivation({ draft, seen }: Publishing): Activation {
  return {
    listing_type: draft.listing_type,
    is_paid: true,
    from: ['draft'],
    // A draft has no four months yet, and an activated listing never becomes a draft again.
    ended_epoch_s: null,
    fresh: seen,
  };
}

/**
 * The fee belongs to the activation that this job or an earlier one intended. The job that learns of the charge
 * reports it, and also reports if the listing is no longer on sale. Without an intent the listing was activated
 * manually, unless a restored backup lost the intent.
 */
async function finish(publishing: Publishing, listing?: MarketplaceListing): Promise<StepOutcome> {
  const { progress, ports, job_id, backed_up_at } = publishing;
  const isOurs = progress.activation_intended_at !== null;
  const isLost = !isOurs && backed_up_at !== undefined;
  if (isLost) progress.activation_intended_at = ports.clock.now().toISOString();
  if (isOurs || isLost) progress.paid_in = job_id;
  progress.is_active = true;
  progress.intent = null;
  await publishing.save();
  publishing.report('live');
  if (!isOurs) return { warnings: [buildLiveAlready(isLost)] };
  return { warnings: listing && listing.state !== 'active' ? [buildOffSale(listing)] : [] };
}

function buildOffSale({ state }: MarketplaceListing): Warning {
  const reason = { code: 'off_sale_since' as const, params: { state } };
  return { code: 'not_on_sale', fields: ['state'], reason };
}

function buildLiveAlready(isLost: boolean): Warning {
  const reason = { code: 'live_already' as const, params: { is_lost: isLost } };
  return { code: 'live_already', fields: ['state'], reason };
}

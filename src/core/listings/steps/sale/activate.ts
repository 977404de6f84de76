import type { Warning } from '../../../../../schemas/job.js';
import type { MarketplaceListing } from '../../../ports/index.js';
import { PUBLISH, StepError } from '../../engine/failures.js';
import { isSent, putOnSale, readState, type Activation } from './activation.js';
import { getPublication, type Context } from '../../engine/context.js';
import type { Step, StepOutcome } from '../../engine/step.js';

/** Activates a draft, which costs money. */
export const activateStep: Step = {
  name: 'activate',
  needs: ['verify'],
  part: 'state',
  isDone: (publication) => publication.is_active,
  is_for_complete: true,
  async run(cx) {
    const { ports, publication, seen } = cx;
    const asked_ms = ports.clock.monotonic();
    const end = await putOnSale(cx, buildActivation(cx));
    cx.seen = end.outcome === 'active' || end.outcome === 'other' ? end.listing : undefined;
    if (cx.seen !== seen) cx.listing_asked_ms = asked_ms;
    if (end.outcome === 'active') {
      publication.listing_url = end.listing.url;
      return finish(cx);
    }
    if (end.outcome === 'other') {
      if (isSent(publication)) return finish(cx, end.listing);
      throw new StepError({ code: 'live_before', params: { state: end.listing.state } }, null);
    }
    throw new StepError({ code: 'activation_unanswered', params: { state: 'draft', again: PUBLISH } }, null);
  },
};

/**
 * Finds out the result of an activation whose response was lost, for a job that does not ask for one. Does not send
 * it again. The first job that knows of its fee reports it.
 */
export async function settleActivation(cx: Context): Promise<void> {
  const { publication, ports } = cx;
  cx.listing_asked_ms = ports.clock.monotonic();
  const listing = await readState(cx, buildActivation(cx), undefined);
  cx.seen = listing;
  publication.listing_url = listing.url;
  if (listing.state !== 'draft') {
    const { warnings = [] } = await finish(cx, listing);
    publication.warnings.activate = warnings;
    return;
  }
  publication.intent = null;
  publication.activation_intended_at = null;
  await cx.save();
}

function buildActivation(cx: Context): Activation {
  return {
    listing_type: getPublication(cx).draft.listing_type,
    is_paid: true,
    from: ['draft'],
    // A draft has no four months yet, and an activated listing never becomes a draft again.
    ended_epoch_s: null,
    fresh: cx.seen,
  };
}

/**
 * The fee belongs to the activation that this job or an earlier one intended. The job that learns of the charge
 * reports it, and also reports if the listing is no longer on sale. Without an intent the listing was activated
 * manually, unless a restored backup lost the intent.
 */
async function finish(cx: Context, listing?: MarketplaceListing): Promise<StepOutcome> {
  const { publication, ports, job_id, backed_up_at } = cx;
  const isOurs = publication.activation_intended_at !== null;
  const isLost = !isOurs && backed_up_at !== undefined;
  if (isLost) publication.activation_intended_at = ports.clock.now().toISOString();
  if (isOurs || isLost) publication.paid_in = job_id;
  publication.is_active = true;
  publication.intent = null;
  await cx.save();
  cx.report('live');
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

import { MARKETPLACE_FACTS } from '../../../../../../schemas/marketplace_facts.js';
import type { ListingState } from '../../../../ports/index.js';
import { putOnSale } from '../../../publish/steps/activation.js';
import { StepError } from '../../../publish/steps/step.js';
import { costsFee } from '../../../observed/fee.js';
import { toSighting } from '../../../observed/sighting.js';
import {
  getListing,
  getListingType,
  getTarget,
  keepWritten,
  writeOnce,
  type Changing,
  type ChangeStep,
} from '../changing.js';
import { readParts } from '../read.js';

/** A sold-out listing is activated before its stock is written, since the marketplace sets a quantity of 1 then. */
export const renewStep: ChangeStep = {
  name: 'renew',
  isNeeded: (changing) =>
    getTarget(changing).state === 'active' &&
    (getListing(changing).state === 'sold_out' || changing.progress.intent !== null),
  async run(changing) {
    await activate(changing);
    changing.fresh = { ...changing.fresh };
    delete changing.fresh.inventory;
  },
};

/** Off sale, which removes the translations, or on sale again. */
export const stateStep: ChangeStep = {
  name: 'state',
  isNeeded: (changing) => {
    const { state } = getTarget(changing);
    return state !== undefined && state !== getListing(changing).state;
  },
  run: (changing) => (getTarget(changing).state === 'active' ? activate(changing) : takeOffSale(changing)),
};

async function takeOffSale(changing: Changing): Promise<void> {
  const { ports, shop, update } = changing;
  const asked_ms = ports.clock.monotonic();
  const listing = await writeOnce(
    changing,
    (options) => ports.marketplace.takeOffSale(shop, update.listing_id, getListingType(changing), options),
    async () => {
      await readParts(changing, ['listing', 'translations']);
      return getListing(changing).state === 'inactive';
    },
  );
  if (listing) {
    keepWritten(changing, listing, asked_ms);
    if (changing.fresh.translations) changing.fresh.translations = [];
  }
  changing.stale.add('listing');
  if (changing.fresh.translations) changing.stale.add('translations');
  changing.report('off sale');
}

/** A listing whose activation was free when it was decided may have expired since: a process may have ended in between. */
async function expectFree(changing: Changing): Promise<void> {
  const { ports, again } = changing;
  const now = ports.marketplace.findTime()?.latest ?? ports.clock.now();
  const listing = getListing(changing);
  if (!costsFee(toSighting(listing), now)) return;
  throw new StepError(
    `The listing was not put on sale: it is ${listing.state}, and that would cost a fee now, which nobody agreed to; call ${again} again`,
    null,
  );
}

/** Only from the state that was read when the caller consented; another one may cost another fee. */
async function activate(changing: Changing): Promise<void> {
  const { ports, shop, update, progress, settle_ms, again } = changing;
  const { listing: before } = progress.before ?? {};
  if (!before) throw new Error('the state is read before it is changed');
  if (progress.paid_usd !== null) throw buildOver(changing, getListing(changing).state);
  const is_paid = update.action.kind === 'state' && update.action.is_paid;
  if (!is_paid) await expectFree(changing);
  const asked_ms = ports.clock.monotonic();
  const end = await putOnSale({
    shop,
    listing_id: update.listing_id,
    listing_type: getListingType(changing),
    ports,
    settle_ms,
    progress,
    is_paid,
    from: [before.state],
    ended_epoch_s: before.ends_at_epoch_s,
    fresh: getListing(changing),
    save: () => changing.save(),
    checkStop: () => changing.checkStop(),
    pause: (duration_ms) => changing.pause(duration_ms),
  });
  if (end.outcome === 'over') {
    progress.intent = null;
    if (progress.activation_intended_at !== null) progress.paid_usd = MARKETPLACE_FACTS.listing_fee_usd;
    await changing.save();
    throw buildOver(changing, end.state);
  }
  if (end.outcome === 'other') {
    throw new StepError(
      `The listing was not put on sale: it was ${before.state}, and the marketplace says now that it is ${end.listing.state}`,
      null,
    );
  }
  if (end.outcome === 'unanswered') {
    throw new StepError(
      `The listing is still ${before.state}: the marketplace did not answer when it was put on sale; call ${again} to try again`,
      null,
    );
  }
  if (end.listing) keepWritten(changing, end.listing, asked_ms);
  changing.stale.add('listing');
  progress.intent = null;
  progress.paid_usd = progress.activation_intended_at === null ? 0 : MARKETPLACE_FACTS.listing_fee_usd;
  await changing.save();
  changing.report('on sale');
}

/** One job activates a listing once: the consent is for one fee. */
function buildOver({ again, progress }: Changing, state: ListingState): StepError {
  // A write of the stock whose answer was lost may have set it, for a buyer to take.
  const when = progress.is_inventory_sent ? '' : ' before its stock was set';
  const what =
    state === 'sold_out'
      ? `was put on sale and sold out again${when}`
      : `was put on sale and is ${state} again`;
  return new StepError(`The listing ${what}; another fee was not agreed to: call ${again} again`, null);
}

import { MARKETPLACE_FACTS } from '../../../../../../schemas/marketplace_facts.js';
import type { Inventory, ListingState, MarketplaceListing } from '../../../../ports/index.js';
import { isSent, putOnSale } from '../../../publish/steps/activation.js';
import { StepError } from '../../../publish/steps/step.js';
import { indexProducts, toProductKey } from '../../../snapshot/compare_inventory.js';
import { isSameValue } from '../../../snapshot/difference.js';
import {
  getListing,
  getListingType,
  getTarget,
  keepWritten,
  markStale,
  withVariationImages,
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
    await setPrices(changing);
    await activate(changing);
    changing.fresh = { ...changing.fresh };
    delete changing.fresh.inventory;
  },
};

/** Prices, SKUs and combinations come before: the listing is never on sale with others. The stock is written again after it. */
async function setPrices(changing: Changing): Promise<void> {
  const { ports, shop, update } = changing;
  const { inventory } = getTarget(changing);
  if (!inventory || isSet(changing, inventory)) return;
  await writeOnce(
    changing,
    withVariationImages(changing, ['listing', 'inventory']),
    (options) => ports.marketplace.updateInventory(shop, update.listing_id, inventory, options),
    async () => {
      await readParts(changing, ['listing', 'inventory']);
      return isSet(changing, inventory);
    },
  );
  changing.report('prices');
}

/** Whether the listing has the values of this inventory, whatever its stock. Not known once it is on sale: then they were written. */
function isSet({ fresh }: Changing, { products }: Inventory): boolean {
  if (fresh.listing?.state === 'active' || !fresh.inventory) return true;
  const there = indexProducts(fresh.inventory);
  return products.every((product) => {
    const known = there.get(toProductKey(product));
    return known !== undefined && SET.every((field) => isSameValue(known[field], product[field]));
  });
}

const SET = ['price', 'sku', 'is_enabled', 'readiness_state_id'] as const;

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
    ['listing', 'translations'],
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
  changing.report('off sale');
}

/** Where it fails, the listing may have been put on sale all the same, with the stock that this sets. */
async function activate(changing: Changing): Promise<void> {
  try {
    await activateOnce(changing);
  } catch (cause) {
    markStale(changing, ['listing', 'inventory']);
    throw cause;
  }
}

/** Only from the state that was read when the caller consented; another one may cost another fee. */
async function activateOnce(changing: Changing): Promise<void> {
  const { ports, shop, update, progress, settle_ms, again } = changing;
  const { listing: before } = progress.before ?? {};
  if (!before) throw new Error('the state is read before it is changed');
  if (progress.paid_usd !== null) throw buildOver(changing, getListing(changing).state);
  const is_paid = update.action.kind === 'state' && update.action.is_paid;
  const asked_ms = ports.clock.monotonic();
  const end = await putOnSale({
    shop,
    listing_id: update.listing_id,
    listing_type: getListingType(changing),
    ports,
    settle_ms,
    progress,
    is_paid,
    again,
    from: [before.state],
    ended_epoch_s: before.ends_at_epoch_s,
    fresh: getListing(changing),
    save: () => changing.save(),
    checkStop: () => changing.checkStop(),
    pause: (duration_ms) => changing.pause(duration_ms),
  });
  if (end.outcome === 'over') {
    if (isSent(progress)) keepFee(changing, is_paid);
    progress.intent = null;
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
  keepWritten(changing, end.listing, asked_ms);
  changing.stale.add('listing');
  if (isSent(progress) && isCharged(before, end.listing)) keepFee(changing, is_paid);
  else {
    progress.activation_intended_at = null;
    progress.paid_usd = 0;
  }
  progress.intent = null;
  await changing.save();
  changing.report('on sale');
}

/** From inactive, a later end of its four months proves the fee; from other states there always is one. */
function isCharged(before: MarketplaceListing, { ends_at_epoch_s: ends }: MarketplaceListing): boolean {
  const { state, ends_at_epoch_s: ended } = before;
  return state !== 'inactive' || ended === null || (ends !== null && ends > ended);
}

/** The daily limit counts the fee from the commit that has `activation_intended_at`. */
function keepFee({ progress, ports }: Changing, is_paid: boolean): void {
  const fee = MARKETPLACE_FACTS.listing_fee_usd;
  progress.paid_usd = fee;
  progress.activation_intended_at ??= ports.clock.now().toISOString();
  if (is_paid) return;
  progress.warnings.push({
    code: 'fee_charged',
    fields: ['state'],
    reason: `Putting it on sale was free when it was sent, and the marketplace charged ${fee.toFixed(2)} USD: its four months ended before the request arrived. The daily limit counts the fee.`,
  });
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

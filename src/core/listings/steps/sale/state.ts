import { MARKETPLACE_FACTS } from '../../../../../schemas/marketplace_facts.js';
import type { Inventory, ListingState, MarketplaceListing } from '../../../ports/index.js';
import { isSent, putOnSale } from './activation.js';
import { type Changing, getListing, getListingType, keepWritten } from '../../engine/context.js';
import { StepError } from '../../engine/failures.js';
import type { ChangeStep } from '../../engine/step.js';
import { markStale, withVariationImages, write } from '../../engine/write.js';
import { hasProducts, OF_PRODUCT } from '../../snapshot/compare_inventory.js';
import { readToCompare } from '../../engine/read.js';

/**
 * Activates a sold-out listing before writing its stock, since the marketplace sets a quantity of 1 on activation.
 */
export const renewStep: ChangeStep = {
  name: 'renew',
  isOpen: (changing) =>
    changing.target.state === 'active' &&
    (getListing(changing).state === 'sold_out' || changing.progress.intent !== null),
  async run(changing) {
    await setPrices(changing);
    await activate(changing);
    changing.fresh = { ...changing.fresh };
    delete changing.fresh.inventory;
  },
};

/**
 * Sets prices, SKUs and combinations first, so that the listing is never on sale with others. The stock is written
 * again afterwards.
 */
async function setPrices(changing: Changing): Promise<void> {
  const { ports, shop, update } = changing;
  const { inventory } = changing.target;
  if (!inventory || isSet(changing, inventory)) return;
  await write(
    changing,
    withVariationImages(changing, ['listing', 'inventory']),
    (options) => ports.marketplace.updateInventory(shop, update.listing_id, inventory, options),
    readToCompare(changing, ['listing', 'inventory'], () => isSet(changing, inventory)),
  );
  changing.report('prices');
}

/**
 * Whether the listing has the values of this inventory, whatever its stock. A listing on sale counts as having
 * them, since they were written before.
 */
function isSet({ fresh }: Changing, { products }: Inventory): boolean {
  if (fresh.listing?.state === 'active' || !fresh.inventory) return true;
  return hasProducts(fresh.inventory, products, OF_PRODUCT);
}

/** Takes the listing off sale, which removes the translations, or puts it on sale again. */
export const stateStep: ChangeStep = {
  name: 'state',
  work: 'off_sale',
  isOpen: (changing) => {
    const { state } = changing.target;
    return state !== undefined && state !== getListing(changing).state;
  },
  run: (changing) => (changing.target.state === 'active' ? activate(changing) : takeOffSale(changing)),
};

async function takeOffSale(changing: Changing): Promise<void> {
  const { ports, shop, update } = changing;
  const asked_ms = ports.clock.monotonic();
  const listing = await write(
    changing,
    ['listing', 'translations'],
    (options) => ports.marketplace.takeOffSale(shop, update.listing_id, getListingType(changing), options),
    readToCompare(changing, ['listing', 'translations'], () => getListing(changing).state === 'inactive'),
  );
  if (listing) {
    keepWritten(changing, listing, asked_ms);
    if (changing.fresh.translations) changing.fresh.translations = [];
  }
  changing.report('off sale');
}

/** If this fails, the listing may still have been put on sale, with the stock that activation sets. */
async function activate(changing: Changing): Promise<void> {
  try {
    await activateOnce(changing);
  } catch (cause) {
    markStale(changing, ['listing', 'inventory']);
    throw cause;
  }
}

/** Activates only from the state that was read when the caller consented; another state may cost another fee. */
async function activateOnce(changing: Changing): Promise<void> {
  const { ports, update, progress, again } = changing;
  const { listing: before } = progress.before ?? {};
  if (!before) throw new Error('the state is read before it is changed');
  if (progress.paid_usd !== null) throw buildOver(changing, getListing(changing).state);
  const isPaid = update.action.kind === 'state' && update.action.is_paid;
  const asked_ms = ports.clock.monotonic();
  const end = await putOnSale(changing, {
    listing_type: getListingType(changing),
    is_paid: isPaid,
    from: [before.state],
    ended_epoch_s: before.ends_at_epoch_s,
    fresh: getListing(changing),
  });
  if (end.outcome === 'over') {
    if (isSent(progress)) keepFee(changing, isPaid);
    progress.intent = null;
    await changing.save();
    throw buildOver(changing, end.state);
  }
  if (end.outcome === 'other') {
    const params = { was: before.state, is: end.listing.state };
    throw new StepError({ code: 'not_on_sale_but', params }, null);
  }
  if (end.outcome === 'unanswered') {
    const params = { state: before.state, again };
    throw new StepError({ code: 'activation_unanswered', params }, null);
  }
  keepWritten(changing, end.listing, asked_ms);
  changing.stale.add('listing');
  if (isSent(progress) && isCharged(before, end.listing)) keepFee(changing, isPaid);
  else {
    progress.activation_intended_at = null;
    progress.paid_usd = 0;
  }
  progress.intent = null;
  await changing.save();
  changing.report('on sale');
}

/** From inactive, a later end of its four months proves the fee; from other states there is always one. */
function isCharged(before: MarketplaceListing, { ends_at_epoch_s: ends }: MarketplaceListing): boolean {
  const { state, ends_at_epoch_s: ended } = before;
  return state !== 'inactive' || ended === null || (ends !== null && ends > ended);
}

/** The daily limit counts the fee from the commit that has `activation_intended_at`. */
function keepFee({ progress, ports }: Changing, isPaid: boolean): void {
  const fee = MARKETPLACE_FACTS.listing_fee_usd;
  progress.paid_usd = fee;
  progress.activation_intended_at ??= ports.clock.now().toISOString();
  if (isPaid) return;
  progress.warnings.push({
    code: 'fee_charged',
    fields: ['state'],
    reason: { code: 'fee_charged', params: { fee_usd: fee } },
  });
}

/** A job activates a listing once: the consent covers one fee. */
function buildOver({ again, progress }: Changing, state: ListingState): StepError {
  // A stock write whose response was lost may have set the stock, and a buyer may have taken it.
  const isBeforeStock = progress.is_inventory_sent !== true;
  return new StepError(
    { code: 'off_sale_again', params: { state, is_before_stock: isBeforeStock, again } },
    null,
  );
}

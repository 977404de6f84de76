import { MARKETPLACE_FACTS } from '../../../../../schemas/marketplace_facts.js';
import type { Inventory, ListingState, MarketplaceListing } from '../../../ports/index.js';
import { isSent, putOnSale } from './activation.js';
import { type Context, getListing, getListingId, getListingType, keepWritten } from '../../engine/context.js';
import { StepError } from '../../engine/failures.js';
import type { Step } from '../../engine/step.js';
import { markStale, withVariationImages, write } from '../../engine/write.js';
import { hasProducts, OF_PRODUCT } from '../../snapshot/compare_inventory.js';
import { readToCompare, readToWrite } from '../../engine/read.js';

/** An inventory read this recently is written back without reading it again. */
const RECENT_MS = 2_000;

/**
 * Activates a sold-out listing before writing its stock, since the marketplace sets a quantity of 1 on activation.
 * If the activation took longer than RECENT_MS, the inventory is read again before it is written: its prices may have
 * been edited.
 */
export const renewStep: Step = {
  name: 'renew',
  isOpen: (cx) =>
    cx.target.state === 'active' && (getListing(cx).state === 'sold_out' || cx.change.intent !== null),
  async run(cx) {
    const read_ms = cx.listing_asked_ms;
    await setPrices(cx);
    await activate(cx);
    const isOld = cx.ports.clock.monotonic() - read_ms > RECENT_MS;
    if (isOld && cx.fresh.inventory) return readToWrite(cx, ['listing', 'inventory'], 'inventory');
    cx.fresh = { ...cx.fresh };
    delete cx.fresh.inventory;
  },
};

/**
 * Sets prices, SKUs and combinations first, so that the listing is never on sale with others. The stock is written
 * again afterwards.
 */
async function setPrices(cx: Context): Promise<void> {
  const { ports, shop } = cx;
  const { inventory } = cx.target;
  if (!inventory || isSet(cx, inventory)) return;
  await write(
    cx,
    withVariationImages(cx, ['listing', 'inventory']),
    (options) => ports.marketplace.updateInventory(shop, getListingId(cx), inventory, options),
    readToCompare(cx, ['listing', 'inventory'], () => isSet(cx, inventory)),
  );
  cx.report('prices');
}

/**
 * Whether the listing has the values of this inventory, whatever its stock. A listing on sale counts as having
 * them, since they were written before.
 */
function isSet({ fresh }: Context, { products }: Inventory): boolean {
  if (fresh.listing?.state === 'active' || !fresh.inventory) return true;
  return hasProducts(fresh.inventory, products, OF_PRODUCT);
}

/** Takes the listing off sale, which removes the translations, or puts it on sale again. */
export const stateStep: Step = {
  name: 'state',
  work: 'off_sale',
  isOpen: (cx) => {
    const { state } = cx.target;
    return state !== undefined && state !== getListing(cx).state;
  },
  run: (cx) => (cx.target.state === 'active' ? activate(cx) : takeOffSale(cx)),
};

async function takeOffSale(cx: Context): Promise<void> {
  const { ports, shop } = cx;
  const asked_ms = ports.clock.monotonic();
  const listing = await write(
    cx,
    ['listing', 'translations'],
    (options) => ports.marketplace.takeOffSale(shop, getListingId(cx), getListingType(cx), options),
    readToCompare(cx, ['listing', 'translations'], () => getListing(cx).state === 'inactive'),
  );
  if (listing) {
    keepWritten(cx, listing, asked_ms);
    if (cx.fresh.translations) cx.fresh.translations = [];
  }
  cx.report('off sale');
}

/** If this fails, the listing may still have been put on sale, with the stock that activation sets. */
async function activate(cx: Context): Promise<void> {
  try {
    await activateOnce(cx);
  } catch (cause) {
    markStale(cx, ['listing', 'inventory']);
    throw cause;
  }
}

/** Activates only from the state that was read when the caller consented; another state may cost another fee. */
async function activateOnce(cx: Context): Promise<void> {
  const { ports, plan, change, again } = cx;
  const { listing: before } = change.before ?? {};
  if (!before) throw new Error('the state is read before it is changed');
  if (change.paid_usd !== null) throw buildOver(cx, getListing(cx).state);
  const isPaid = plan.action.kind === 'state' && plan.action.is_paid;
  const asked_ms = ports.clock.monotonic();
  const end = await putOnSale(cx, {
    listing_type: getListingType(cx),
    is_paid: isPaid,
    from: [before.state],
    ended_epoch_s: before.ends_at_epoch_s,
    fresh: getListing(cx),
  });
  if (end.outcome === 'over') {
    if (isSent(change)) keepFee(cx, isPaid);
    change.intent = null;
    await cx.save();
    throw buildOver(cx, end.state);
  }
  if (end.outcome === 'other') {
    const params = { was: before.state, is: end.listing.state };
    throw new StepError({ code: 'not_on_sale_but', params }, null);
  }
  if (end.outcome === 'unanswered') {
    const params = { state: before.state, again };
    throw new StepError({ code: 'activation_unanswered', params }, null);
  }
  keepWritten(cx, end.listing, asked_ms);
  cx.stale.add('listing');
  if (isSent(change) && isCharged(before, end.listing)) keepFee(cx, isPaid);
  else {
    change.activation_intended_at = null;
    change.paid_usd = 0;
  }
  change.intent = null;
  await cx.save();
  cx.report('on sale');
}

/** From inactive, a later end of its four months proves the fee; from other states there is always one. */
function isCharged(before: MarketplaceListing, { ends_at_epoch_s: ends }: MarketplaceListing): boolean {
  const { state, ends_at_epoch_s: ended } = before;
  return state !== 'inactive' || ended === null || (ends !== null && ends > ended);
}

/** The daily limit counts the fee from the commit that has `activation_intended_at`. */
function keepFee({ change, ports }: Context, isPaid: boolean): void {
  const fee = MARKETPLACE_FACTS.listing_fee_usd;
  change.paid_usd = fee;
  change.activation_intended_at ??= ports.clock.now().toISOString();
  if (isPaid) return;
  change.warnings.push({
    code: 'fee_charged',
    fields: ['state'],
    reason: { code: 'fee_charged', params: { fee_usd: fee } },
  });
}

/** A job activates a listing once: the consent covers one fee. */
function buildOver({ again, change }: Context, state: ListingState): StepError {
  // A stock write whose response was lost may have set the stock, and a buyer may have taken it.
  const isBeforeStock = change.is_inventory_sent !== true;
  return new StepError(
    { code: 'off_sale_again', params: { state, is_before_stock: isBeforeStock, again } },
    null,
  );
}

import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import type { Target } from '../../ports/listing/target.js';
import type { Inventory, MarketplaceListing } from '../../ports/marketplace_listing.js';
import { withAxes } from '../decide/decide_inventory.js';
import { compareSnapshots } from '../snapshot/compare.js';
import { indexProducts, toProductKey, OF_PRODUCT, ON_PROPERTY } from '../snapshot/compare_inventory.js';
import { isSameValue } from '../snapshot/difference.js';
import { RESTORED } from '../listing_fields.js';
import type { Context } from './context.js';

/**
 * Accepts sales and manual edits made since the decision in fields that the update does not write. Their new values
 * become the state before, so that the update neither overwrites them, nor reports them as its own, nor undoes them
 * later. This matters most for prices and SKUs, which are written with the whole inventory. It does not apply to
 * translations and photos of variations: writes of other parts remove them, and later steps restore them.
 */
export function rebaseOnOtherEdits({ change, fresh, plan }: Context): void {
  const { before, target } = change;
  if (!before || !target) return;
  const since = rebaseBefore(before, fresh, target);
  if (target.inventory && since.inventory && before.inventory && fresh.inventory) {
    const inventory = rebaseInventory(target.inventory, fresh.inventory, before.inventory, target);
    change.target = { ...target, inventory: withAxes(inventory.products, inventory) };
  }
  const taken = compareSnapshots(before, since, plan.names).filter(({ ref }) => ref.part !== 'state');
  change.taken_over = [...change.taken_over, ...taken];
  change.before = since;
}

/** The listing before an update, with the later values of fields that the update does not write. */
function rebaseBefore(
  before: Partial<ListingSnapshot>,
  fresh: Partial<ListingSnapshot>,
  target: Target,
): Partial<ListingSnapshot> {
  return {
    ...before,
    ...pickUntouched(before, fresh, target),
    ...(before.listing && fresh.listing && { listing: rebase(before.listing, fresh.listing, target) }),
    ...(before.inventory &&
      fresh.inventory &&
      target.inventory && {
        inventory: rebaseInventory(before.inventory, fresh.inventory, before.inventory, target),
      }),
  };
}

/**
 * Whole parts that the update read, and that neither the update nor, as its consequence, the marketplace writes.
 */
function pickUntouched(
  before: Partial<ListingSnapshot>,
  fresh: Partial<ListingSnapshot>,
  target: Target,
): Partial<ListingSnapshot> {
  const isMoved = target.fields?.taxonomy_id !== undefined;
  const parts = [
    ...(['images', 'videos', 'files', 'questions'] as const),
    // A new category removes attributes that do not fit it, and putting the listing on sale sets stock.
    ...(isMoved ? [] : (['attributes'] as const)),
    ...(isMoved || target.state !== undefined ? [] : (['inventory'] as const)),
  ];
  const untouched = parts.filter((part) => before[part] && fresh[part] && !target[part]);
  return Object.fromEntries(untouched.map((part) => [part, fresh[part]]));
}

function rebase(
  before: MarketplaceListing,
  fresh: MarketplaceListing,
  { fields = {}, state }: Target,
): MarketplaceListing {
  const others = RESTORED.filter((field) => !(field in fields) && !isSameValue(before[field], fresh[field]));
  return {
    ...before,
    ...Object.fromEntries(others.map((field) => [field, fresh[field]])),
    // The last sale, and the end of the four months, also change the state.
    ...(state === undefined && { state: fresh.state }),
  };
}

const NOT_ACTIVATED = OF_PRODUCT.filter((field) => field !== 'is_enabled');

/** One of two inventories, with the later values of fields that the update does not write. */
function rebaseInventory(
  own: Inventory,
  fresh: Inventory,
  before: Inventory,
  { inventory: target, state }: Target,
): Inventory {
  const [had, has, wanted] = [before, fresh, target].map(indexProducts);
  // Putting the listing on sale sets the stock, and offers the first combination.
  const fields = state === 'active' ? NOT_ACTIVATED : ([...OF_PRODUCT, 'quantity'] as const);
  const products = own.products.map((product) => {
    const key = toProductKey(product);
    const [was, is, will] = [had?.get(key), has?.get(key), wanted?.get(key)];
    return was && is && will ? { ...product, ...pickUnwritten(fields, was, will, is) } : product;
  });
  return { ...own, ...(target && pickUnwritten(ON_PROPERTY, before, target, fresh)), products };
}

function pickUnwritten<Field extends string>(
  fields: readonly Field[],
  before: Record<Field, unknown>,
  target: Record<Field, unknown>,
  fresh: Record<Field, unknown>,
): object {
  const unwritten = fields.filter((field) => isSameValue(before[field], target[field]));
  return Object.fromEntries(unwritten.map((field) => [field, fresh[field]]));
}

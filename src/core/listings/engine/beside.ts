import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import type { Target } from '../../ports/listing/target.js';
import type { Inventory, MarketplaceListing } from '../../ports/marketplace_listing.js';
import { compareSnapshots } from '../snapshot/compare.js';
import { indexProducts, toProductKey, OF_PRODUCT, ON_PROPERTY } from '../snapshot/compare_inventory.js';
import { isSameValue } from '../snapshot/difference.js';
import { RESTORED } from '../listing_fields.js';
import type { Changing } from './context.js';

/**
 * Sales and manual edits, made since the decision, in fields that the change does not write: their new values count as the state
 * before, so that the change neither overwrites them, nor reports them as its own, nor undoes them later. This matters most for
 * prices and SKUs, which are written with the whole inventory. Translations and photos of variations are not among them: writes of
 * other parts remove them, and they are restored.
 */
export function takeOverBeside({ progress, fresh, update }: Changing): void {
  const { before, target } = progress;
  if (!before || !target) return;
  const since = rebaseBefore(before, fresh, target);
  if (target.inventory && since.inventory && before.inventory && fresh.inventory) {
    const inventory = rebaseInventory(target.inventory, fresh.inventory, before.inventory, target);
    progress.target = { ...target, inventory };
  }
  const taken = compareSnapshots(before, since, update.names).filter(({ ref }) => ref.part !== 'state');
  progress.taken_over = [...progress.taken_over, ...taken];
  progress.before = since;
}

/** The listing before a change, where fields that the change does not write are as they were read later. */
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

/** Whole parts that were read for the change, or with it, and that neither it nor the marketplace because of it writes. */
function pickUntouched(
  before: Partial<ListingSnapshot>,
  fresh: Partial<ListingSnapshot>,
  target: Target,
): Partial<ListingSnapshot> {
  const isMoved = target.fields?.taxonomy_id !== undefined;
  const parts = [
    ...(['images', 'videos', 'files', 'questions'] as const),
    // Another category takes what does not fit it, and putting on sale sets stock.
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
  const beside = RESTORED.filter((field) => !(field in fields) && !isSameValue(before[field], fresh[field]));
  return {
    ...before,
    ...Object.fromEntries(beside.map((field) => [field, fresh[field]])),
    // The last sale, and the end of the four months, change the state too.
    ...(state === undefined && { state: fresh.state }),
  };
}

/** One of two inventories, with the values that were read later where the change does not write them. */
function rebaseInventory(
  own: Inventory,
  fresh: Inventory,
  before: Inventory,
  { inventory: target, state }: Target,
): Inventory {
  const [had, has, wanted] = [before, fresh, target].map(indexProducts);
  // Being put on sale sets the stock.
  const fields = state === 'active' ? OF_PRODUCT : ([...OF_PRODUCT, 'quantity'] as const);
  const products = own.products.map((product) => {
    const key = toProductKey(product);
    const [was, is, will] = [had?.get(key), has?.get(key), wanted?.get(key)];
    return was && is && will ? { ...product, ...pickBeside(fields, was, will, is) } : product;
  });
  return { ...own, ...(target && pickBeside(ON_PROPERTY, before, target, fresh)), products };
}

function pickBeside<Field extends string>(
  fields: readonly Field[],
  before: Record<Field, unknown>,
  target: Record<Field, unknown>,
  fresh: Record<Field, unknown>,
): object {
  const beside = fields.filter((field) => isSameValue(before[field], target[field]));
  return Object.fromEntries(beside.map((field) => [field, fresh[field]]));
}

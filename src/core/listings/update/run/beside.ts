import type { Inventory, ListingChanges, MarketplaceListing } from '../../../ports/marketplace_listing.js';
import { compareSnapshots } from '../../snapshot/compare.js';
import { indexProducts, toProductKey } from '../../snapshot/compare_inventory.js';
import { isSameValue } from '../../snapshot/difference.js';
import type { ListingSnapshot } from '../../snapshot/snapshot.js';
import { WRITABLE } from '../decide/writable.js';
import type { Target } from '../plan.js';
import type { Changing } from './changing.js';

/**
 * Edits by hand, made since the decision, in what the change does not touch: their new values count as the state before, so that the
 * change neither overwrites them, nor reports them as its own, nor undoes them later. This matters most for prices and SKUs, which are
 * written with the whole inventory; stock that the change does not touch is read again right before the write. Translations and
 * photos of variations are not among it: writes of other parts remove them, and they are restored.
 */
export function takeOverBeside({ progress, fresh, update }: Changing): void {
  const { before, target } = progress;
  if (!before || !target) return;
  const since: Partial<ListingSnapshot> = {
    ...pickUntouched(before, fresh, target),
    ...(before.listing &&
      fresh.listing && { listing: rebase(before.listing, fresh.listing, target.fields ?? {}) }),
    ...(before.inventory &&
      fresh.inventory &&
      target.inventory && {
        inventory: rebaseInventory(before.inventory, fresh.inventory, before.inventory, target.inventory),
      }),
  };
  if (target.inventory && since.inventory && before.inventory && fresh.inventory) {
    const inventory = rebaseInventory(target.inventory, fresh.inventory, before.inventory, target.inventory);
    progress.target = { ...target, inventory };
  }
  progress.taken_over = [...progress.taken_over, ...compareSnapshots(before, since, update.names)];
  progress.before = { ...before, ...since };
}

/** Whole parts that were read for the change, or with it, and that neither it nor the marketplace because of it writes. */
function pickUntouched(
  before: Partial<ListingSnapshot>,
  fresh: Partial<ListingSnapshot>,
  target: Target,
): Partial<ListingSnapshot> {
  const is_moved = target.fields?.taxonomy_id !== undefined;
  const parts = [
    ...(['images', 'videos', 'files', 'questions'] as const),
    // Another category takes what does not fit it, and putting on sale sets stock.
    ...(is_moved ? [] : (['attributes'] as const)),
    ...(is_moved || target.state !== undefined ? [] : (['inventory'] as const)),
  ];
  const untouched = parts.filter((part) => before[part] && fresh[part] && !target[part]);
  return Object.fromEntries(untouched.map((part) => [part, fresh[part]]));
}

function rebase(
  before: MarketplaceListing,
  fresh: MarketplaceListing,
  written: ListingChanges,
): MarketplaceListing {
  const beside = WRITABLE.filter((field) => !(field in written) && !isSameValue(before[field], fresh[field]));
  return { ...before, ...Object.fromEntries(beside.map((field) => [field, fresh[field]])) };
}

/** One of two inventories, with the current values where both are the same. */
function rebaseInventory(own: Inventory, fresh: Inventory, before: Inventory, target: Inventory): Inventory {
  const [had, has, wanted] = [before, fresh, target].map(indexProducts);
  const products = own.products.map((product) => {
    const key = toProductKey(product);
    const [was, is, will] = [had?.get(key), has?.get(key), wanted?.get(key)];
    return was && is && will ? { ...product, ...pickBeside(OF_PRODUCT, was, will, is) } : product;
  });
  return { ...own, ...pickBeside(ON_PROPERTY, before, target, fresh), products };
}

const OF_PRODUCT = ['price', 'sku', 'is_enabled', 'readiness_state_id'] as const;
const ON_PROPERTY = [
  'price_on_property',
  'quantity_on_property',
  'sku_on_property',
  'readiness_state_on_property',
] as const;

function pickBeside<Field extends string>(
  fields: readonly Field[],
  before: Record<Field, unknown>,
  target: Record<Field, unknown>,
  fresh: Record<Field, unknown>,
): object {
  const beside = fields.filter((field) => isSameValue(before[field], target[field]));
  return Object.fromEntries(beside.map((field) => [field, fresh[field]]));
}

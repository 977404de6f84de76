import { MarketplaceError, type Inventory } from '../../../../ports/index.js';
import { indexProducts, toProductKey } from '../../../snapshot/compare_inventory.js';
import { StepError } from '../../../publish/steps/step.js';
import { takeOverBeside } from '../beside.js';
import { withVariationImages, writeOnce, type Changing, type ChangeStep } from '../changing.js';
import { expectNoDrift } from '../drift_check.js';
import type { ShopUpdateProgress } from '../progress.js';
import { readParts } from '../read.js';
import { buildInventory } from '../wanted.js';

/**
 * The whole inventory in one write, read back at once: the write removes photos of variations, and restoring them needs ids that only
 * a read has.
 */
export const inventoryStep: ChangeStep = {
  name: 'inventory',
  isNeeded: isOpen,
  async run(changing) {
    const { ports, shop, update, stale, progress } = changing;
    // The steps before took time, in which buyers may have bought, so the inventory is read again.
    if (stale.size > 0 && changing.fresh.inventory) {
      await readParts(changing, ['listing', 'inventory']);
      expectOwnInventory(changing);
    }
    if (!isOpen(changing)) return;
    let inventory = buildSent(changing);
    let replaced = changing.fresh.inventory;
    let may_be_done = progress.is_inventory_sent === true;
    progress.is_inventory_sent = true;
    await writeOnce(
      changing,
      withVariationImages(changing, ['listing', 'inventory']),
      (options) =>
        ports.marketplace
          .updateInventory(shop, update.listing_id, inventory, options)
          .catch((cause: unknown) => {
            may_be_done ||= !(cause instanceof MarketplaceError) || cause.failure === 'unknown';
            if (!may_be_done) delete progress.is_inventory_sent;
            throw cause;
          }),
      async () => {
        await readParts(changing, ['listing', 'inventory']);
        if (!isOpen(changing)) return true;
        inventory = buildSent(changing);
        replaced = changing.fresh.inventory;
        return false;
      },
      async () => {
        await readParts(changing, ['listing', 'inventory']);
        expectOwnInventory(changing);
        inventory = buildSent(changing);
        replaced = changing.fresh.inventory;
        progress.is_inventory_sent = true;
      },
    );
    leaveSold(progress, replaced);
    changing.report('price, stock and SKUs');
    // Where this read fails, the write is still done: the steps that need its ids, and the read-back, read again.
    changing.fresh = { ...changing.fresh };
    delete changing.fresh.inventory;
    await readParts(changing, ['listing', 'inventory']).catch((cause: unknown) => {
      if (!(cause instanceof MarketplaceError)) throw cause;
    });
    if (changing.fresh.variation_images?.length) changing.fresh.variation_images = [];
  },
};

function isOpen(changing: Changing): boolean {
  const wanted = buildInventory(changing);
  return wanted !== undefined && !isSameInventory(wanted, changing.fresh.inventory);
}

/** The inventory is written whole: values that the change does not touch are written as they are now. */
function expectOwnInventory(changing: Changing): void {
  takeOverBeside(changing);
  expectNoDrift(changing, { inventory: changing.fresh.inventory });
}

function buildSent(changing: Changing): Inventory {
  const inventory = buildInventory(changing);
  if (!inventory) throw new Error('an inventory is written where one is wanted');
  if (inventory.products.some(({ is_enabled, quantity }) => is_enabled && quantity > 0)) return inventory;
  throw new StepError(
    'The last piece was sold meanwhile, and the marketplace takes no listing without stock',
    null,
  );
}

/** An undo goes back to the stock that the write has replaced: what was sold since the decision, up to the last read, stays sold. */
function leaveSold(progress: ShopUpdateProgress, replaced: Inventory | undefined): void {
  const { before } = progress;
  if (!before?.inventory || before.listing?.state === 'sold_out') return;
  const last = indexProducts(replaced);
  const products = before.inventory.products.map((product) => {
    const quantity = last.get(toProductKey(product))?.quantity ?? product.quantity;
    return { ...product, quantity: Math.min(product.quantity, quantity) };
  });
  progress.before = { ...before, inventory: { ...before.inventory, products } };
}

function isSameInventory(wanted: Inventory, known: Inventory | undefined): boolean {
  if (known?.products.length !== wanted.products.length) return false;
  const products = indexProducts(known);
  return wanted.products.every((product) => {
    const found = products.get(toProductKey(product));
    return (
      found !== undefined &&
      toCents(found.price) === toCents(product.price) &&
      found.quantity === product.quantity &&
      found.sku === product.sku &&
      found.is_enabled === product.is_enabled &&
      found.readiness_state_id === product.readiness_state_id
    );
  });
}

function toCents(price: number): number {
  return Math.round(price * 100);
}

import { MarketplaceError, type Inventory } from '../../ports/index.js';
import type { ShopUpdateProgress } from '../../ports/listing/progress.js';
import { hasProducts, indexProducts, OFFERING_FIELDS, toProductKey } from '../snapshot/compare_inventory.js';
import type { Changing } from '../engine/context.js';
import { StepError } from '../engine/failures.js';
import type { ChangeStep } from '../engine/step.js';
import { withVariationImages, write } from '../engine/write.js';
import { takeOverBeside } from '../engine/beside.js';
import { expectNoDrift } from '../engine/drift_check.js';
import { readParts } from '../engine/read.js';
import { buildInventory } from '../engine/wanted.js';

/**
 * The whole inventory in one write, read back at once: the write removes photos of variations, and restoring them needs ids that only
 * a read has.
 */
export const inventoryStep: ChangeStep = {
  name: 'inventory',
  isOpen: isOpen,
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
    let mayBeDone = progress.is_inventory_sent === true;
    progress.is_inventory_sent = true;
    await write(
      changing,
      withVariationImages(changing, ['listing', 'inventory']),
      (options) =>
        ports.marketplace
          .updateInventory(shop, update.listing_id, inventory, options)
          .catch((cause: unknown) => {
            mayBeDone ||= !(cause instanceof MarketplaceError) || cause.failure === 'unknown';
            if (!mayBeDone) delete progress.is_inventory_sent;
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
  throw new StepError({ code: 'last_piece_sold', params: {} }, null);
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

function isSameInventory({ products }: Inventory, known: Inventory | undefined): boolean {
  return known?.products.length === products.length && hasProducts(known, products, OFFERING_FIELDS);
}

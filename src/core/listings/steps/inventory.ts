import type { Warning } from '../../../../schemas/job.js';
import { MarketplaceError, type Inventory } from '../../ports/index.js';
import { hasProducts, indexProducts, OFFERING_FIELDS, toProductKey } from '../snapshot/compare_inventory.js';
import { isSameValue } from '../snapshot/difference.js';
import { getListingId, type Context } from '../engine/context.js';
import { StepError } from '../engine/failures.js';
import type { Write } from '../engine/step.js';
import { markStale, withVariationImages, write } from '../engine/write.js';
import { readParts, readToWrite } from '../engine/read.js';
import { buildInventory } from '../engine/wanted.js';

/** Writes the whole inventory at once. Values the target leaves unchanged are written as last read. */
export const inventoryStep: Write = {
  isOpen,
  async run(cx) {
    const { ports, shop, policy, journal } = cx;
    // Buyers may have bought while the earlier steps ran, so the inventory is read again.
    if (cx.stale.size > 0 && cx.fresh.inventory) await readToWrite(cx, ['listing', 'inventory'], 'inventory');
    if (!isOpen(cx)) return;
    let inventory = buildSent(cx);
    let replaced = cx.fresh.inventory;
    let mayBeDone = journal.is_inventory_sent === true;
    const noteSent = () => {
      if (!policy.repeats_writes) journal.is_inventory_sent = true;
    };
    noteSent();
    const answer = await write(
      cx,
      withVariationImages(cx, ['listing', 'inventory']),
      (options) =>
        ports.marketplace
          .updateInventory(shop, getListingId(cx), inventory, options)
          .catch((cause: unknown) => {
            mayBeDone ||= !(cause instanceof MarketplaceError) || cause.failure === 'unknown';
            if (!mayBeDone) delete journal.is_inventory_sent;
            throw cause;
          }),
      async () => {
        await readParts(cx, ['listing', 'inventory']);
        if (!isOpen(cx)) return true;
        inventory = buildSent(cx);
        replaced = cx.fresh.inventory;
        return false;
      },
      async () => {
        await readToWrite(cx, ['listing', 'inventory'], 'inventory');
        inventory = buildSent(cx);
        replaced = cx.fresh.inventory;
        noteSent();
      },
    );
    leaveSold(cx, replaced);
    cx.report(policy.words.inventory(inventory));
    const stored = policy.trusts_answers ? answer : undefined;
    await keepStored(cx, stored);
    return { warnings: stored ? compareInventory(inventory, stored) : [] };
  },
};

function isOpen(cx: Context): boolean {
  const wanted = buildInventory(cx);
  return wanted !== undefined && !isSameInventory(wanted, cx.fresh.inventory);
}

function buildSent(cx: Context): Inventory {
  const inventory = buildInventory(cx);
  if (!inventory) throw new Error('an inventory is written where one is wanted');
  if (inventory.products.some(({ is_enabled, quantity }) => is_enabled && quantity > 0)) return inventory;
  throw new StepError({ code: 'last_piece_sold', params: {} }, null);
}

/**
 * An undo returns to the stock that the write replaced: pieces sold between the decision and the last read stay
 * sold.
 */
function leaveSold(cx: Context, replaced: Inventory | undefined): void {
  const { before } = cx;
  if (!before.inventory || before.listing?.state === 'sold_out') return;
  const last = indexProducts(replaced);
  const products = before.inventory.products.map((product) => {
    const quantity = last.get(toProductKey(product))?.quantity ?? product.quantity;
    return { ...product, quantity: Math.min(product.quantity, quantity) };
  });
  cx.before = { ...before, inventory: { ...before.inventory, products } };
}

/**
 * Keeps the response to the write. Photos of variations, which the write removes, need the shop's own value ids,
 * which no response contains. If there is no trusted response, or such photos will be set, reads the inventory
 * again. If that read fails, the write still counts as done; the steps that need the ids read again and report the
 * error.
 */
async function keepStored(cx: Context, stored: Inventory | undefined): Promise<void> {
  const { inventory: _, ...others } = cx.fresh;
  cx.fresh = { ...others, ...(stored && { inventory: stored }) };
  markStale(cx, ['inventory']);
  if (!stored || cx.target.variation_images) {
    await readParts(cx, cx.fresh.listing ? ['listing', 'inventory'] : ['inventory']).catch(
      (cause: unknown) => {
        if (!(cause instanceof MarketplaceError)) throw cause;
      },
    );
  }
  if (cx.fresh.variation_images?.length) cx.fresh.variation_images = [];
}

function isSameInventory({ products }: Inventory, known: Inventory | undefined): boolean {
  return known?.products.length === products.length && hasProducts(known, products, OFFERING_FIELDS);
}

/**
 * Warns about values the marketplace stored differently. Matches products by their values, since each write changes
 * all ids.
 */
function compareInventory(sent: Inventory, stored: Inventory): Warning[] {
  const known = indexProducts(stored);
  const lost = sent.products.filter((product) => !known.has(toProductKey(product))).length;
  const changed = OFFERING_FIELDS.filter((field) =>
    sent.products.some((product) => {
      const found = known.get(toProductKey(product));
      return found !== undefined && !isSameValue(product[field], found[field]);
    }),
  );
  const fields = [
    ...(lost > 0 ? ['variations'] : []),
    ...changed.map((field) => `variations.offerings[].${field}`),
  ];
  if (fields.length === 0) return [];
  const reason = { code: 'inventory_differs' as const, params: { missing: lost, fields: changed } };
  return [{ code: 'marketplace_changed', fields, reason }];
}

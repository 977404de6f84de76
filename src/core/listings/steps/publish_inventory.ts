import type { Warning } from '../../../../schemas/job.js';
import { MarketplaceError, type Inventory } from '../../ports/index.js';
import { indexProducts, OFFERING_FIELDS, toProductKey } from '../snapshot/compare_inventory.js';
import { isSameValue } from '../snapshot/difference.js';
import { writeRepeatably } from '../engine/attempt.js';
import { type Publishing, getListingId } from '../engine/context.js';
import { readParts } from '../engine/read.js';
import type { PublishStep } from '../engine/step.js';

/** The whole inventory in one write, which may be repeated: it replaces everything. What comes back is held against what was sent. */
export const publishInventoryStep: PublishStep = {
  name: 'inventory',
  // A file turns a listing digital and removes variations; so files come first.
  needs: ['create', 'files'],
  part: 'inventory',
  listLeft: () => ['variations'],
  async run(publishing) {
    const { target, shop, ports } = publishing;
    const { inventory } = target;
    if (!inventory) return {};
    const stored = await writeRepeatably(publishing, () =>
      ports.marketplace.updateInventory(shop, getListingId(publishing), inventory),
    );
    publishing.fresh = { ...publishing.fresh, inventory: stored };
    publishing.stale.add('inventory');
    publishing.report(inventory.products.length > 1 ? `${inventory.products.length} variations` : 'SKU');
    if (target.variation_images) await readValueIds(publishing);
    return { warnings: compareInventory(inventory, stored) };
  },
};

/**
 * Photos of variations need the shop's own value ids, which are in no answer to a write. They are read here, in parallel with the
 * images, instead of after the last one. If that fails, the step that needs them reads again and reports the error.
 */
async function readValueIds(publishing: Publishing): Promise<void> {
  try {
    await readParts(publishing, ['inventory']);
  } catch (cause) {
    if (!(cause instanceof MarketplaceError)) throw cause;
  }
}

/** Products are matched by their values: every id changes with each write. */
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

import { formatCount } from '../../../text/format_count.js';
import type { Warning } from '../../../../../schemas/job.js';
import { MarketplaceError, type Inventory, type InventoryProduct } from '../../../ports/index.js';
import { callRepeatably, toStepError, writeRepeatably } from './attempt.js';
import { getListingId, type Publishing, type Step } from './step.js';

/** The whole inventory in one write, which may be repeated: it replaces everything. What comes back is held against what was sent. */
export const inventoryStep: Step = {
  name: 'inventory',
  // A file turns a listing digital and removes variations; so files come first.
  needs: ['create', 'files'],
  isNeeded: (_plan, shop_plan) => shop_plan.inventory !== undefined,
  listLeft: () => ['variations'],
  async run(publishing) {
    const { plan, shop, shop_plan, ports } = publishing;
    const { inventory } = shop_plan;
    if (!inventory) return {};
    try {
      const stored = await writeRepeatably(publishing, () =>
        ports.marketplace.updateInventory(shop, getListingId(publishing), inventory),
      );
      publishing.told.inventory = stored;
      publishing.report(inventory.products.length > 1 ? `${inventory.products.length} variations` : 'SKU');
      if (plan.variation_images) await readValueIds(publishing);
      return { warnings: compareInventory(inventory, stored) };
    } catch (cause) {
      throw toStepError(cause, 'The variations and prices were not accepted');
    }
  },
};

/**
 * Photos of variations need the shop's own value ids, which are in no answer to a write. They are read here, beside the
 * images, and not when the last image is there; where that fails, the step that needs them asks again and says so.
 */
async function readValueIds(publishing: Publishing): Promise<void> {
  try {
    publishing.inventory = await readInventory(publishing);
    publishing.told.inventory = publishing.inventory;
  } catch (cause) {
    if (!(cause instanceof MarketplaceError)) throw cause;
  }
}

/** The inventory as it is after the write. */
export function readInventory(publishing: Publishing): Promise<Inventory> {
  const { shop, ports } = publishing;
  return callRepeatably(publishing, () => ports.marketplace.getInventory(shop, getListingId(publishing)));
}

/** Products are matched by their values: every id changes with each write. */
export function compareInventory(sent: Inventory, stored: Inventory): Warning[] {
  const byValues = new Map(stored.products.map((product) => [toKey(product), product]));
  const lost = sent.products.filter((product) => !byValues.has(toKey(product))).length;
  const changed = (['price', 'quantity', 'sku', 'is_enabled', 'readiness_state_id'] as const).filter(
    (field) =>
      sent.products.some((product) => {
        const found = byValues.get(toKey(product));
        return found !== undefined && !isSame(product[field], found[field]);
      }),
  );
  const fields = [
    ...(lost > 0 ? ['variations'] : []),
    ...changed.map((field) => `variations.offerings[].${field}`),
  ];
  if (fields.length === 0) return [];
  const what =
    lost > 0
      ? `${formatCount(lost, 'combination')} ${lost === 1 ? 'is' : 'are'} missing`
      : `${changed.join(', ')} came back differently`;
  return [{ code: 'marketplace_changed', fields, reason: `Read back after the write, ${what}.` }];
}

function toKey({ property_values }: InventoryProduct): string {
  const values = property_values.map(({ property_id, values: [value = ''] }) => [
    property_id,
    value.normalize('NFC').trim(),
  ]);
  return JSON.stringify(values.sort(([a], [b]) => Number(a) - Number(b)));
}

function isSame(sent: unknown, stored: unknown): boolean {
  return typeof sent === 'number' && typeof stored === 'number'
    ? Math.round(sent * 100) === Math.round(stored * 100)
    : sent === stored;
}

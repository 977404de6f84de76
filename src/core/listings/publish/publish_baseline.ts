import { MarketplaceError, type Snapshot } from '../../ports/index.js';
import type { PlannedFile } from './plan.js';
import { readSnapshot, SNAPSHOT_PARTS } from '../snapshot/read.js';
import type { KeptSnapshot } from '../snapshot/snapshot.js';
import type { Publishing } from './steps/step.js';

/**
 * The marketplace's answers to an earlier run are lost, so the listing is read again. Without that, the first edit by hand would pass
 * for what was written. Where it cannot be read, the baseline stays unknown.
 * @returns whether something was read
 */
export async function readUntold({
  ports,
  shop,
  listing_pk,
  listing_id,
  is_new,
  progress,
  plan,
  told,
}: Publishing): Promise<boolean> {
  if (is_new || listing_id === null || progress.failure) return false;
  const kept = await ports.store.listings.listSnapshots(shop.account_id, listing_pk);
  const known = { ...kept.find(({ shop_id }) => shop_id === shop.shop_id)?.snapshot, ...told };
  const asked = SNAPSHOT_PARTS.filter(
    (part) =>
      (part !== 'files' || plan.files.length > 0) && (part !== 'variation_images' || plan.variation_images),
  );
  const untold = asked.filter((part) => known[part] === undefined);
  if (untold.length === 0) return false;
  try {
    const read = await readSnapshot(ports.marketplace, shop, listing_id, untold);
    Object.assign(told, { ...read, ...told });
    return true;
  } catch (cause) {
    if (!(cause instanceof MarketplaceError)) throw cause;
    return false;
  }
}

/** The snapshot of a listing at the end of its publishing, from the answers and reads on the way; empty when there were none. */
export function listBaseline(publishing: Publishing): Snapshot[] {
  if (Object.keys(publishing.told).length === 0) return [];
  const { shop, told, fresh, progress, plan, is_new } = publishing;
  const snapshot: KeptSnapshot = { ...told };
  // Being put live has changed it since it was read; the answer to that write tells neither SKUs nor production partners.
  const { listing } = told;
  if (listing && fresh) {
    const { skus, production_partner_ids } = listing;
    snapshot.listing = { ...fresh, skus, production_partner_ids };
  }
  if (is_new && listing) {
    snapshot.inventory ??= buildOnlyProduct(publishing);
    if (plan.attributes.length === 0) snapshot.attributes ??= [];
  }
  // An attribute that was refused, or whose answer was empty, is not known.
  if ((told.attributes ?? []).length < plan.attributes.length) delete snapshot.attributes;
  snapshot.sources = {
    images: name(Object.entries(progress.images), plan.images, ({ listing_image_id }) => listing_image_id),
    videos: name(Object.entries(progress.videos), plan.videos, ({ video_id }) => video_id),
    files: name(Object.entries(progress.files), plan.files, ({ listing_file_id }) => listing_file_id),
  };
  return [{ shop_id: shop.shop_id, snapshot }];
}

function name<Item>(
  items: [string, Item][],
  planned: readonly PlannedFile[],
  getId: (item: Item) => number,
): Record<string, string> {
  return Object.fromEntries(
    items.flatMap(([position, item]) => {
      const file = planned[Number(position)];
      return file ? [[getId(item), file.url]] : [];
    }),
  );
}

/** The inventory that creating the draft makes, where no inventory is written. */
function buildOnlyProduct({ shop_plan: { draft, inventory } }: Publishing): KeptSnapshot['inventory'] {
  if (inventory) return undefined;
  const { price, quantity, readiness_state_id = null } = draft;
  return {
    products: [{ sku: '', property_values: [], price, quantity, is_enabled: true, readiness_state_id }],
    price_on_property: [],
    quantity_on_property: [],
    sku_on_property: [],
    readiness_state_on_property: [],
  };
}

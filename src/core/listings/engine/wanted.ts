import type { ChangeProgress, MediaKind } from '../../ports/listing/progress.js';
import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import type { Target } from '../../ports/listing/target.js';
import type { Inventory } from '../../ports/marketplace_listing.js';
import { indexProducts, toProductKey, OF_PRODUCT } from '../snapshot/compare_inventory.js';
import { withAxes } from '../decide/decide_inventory.js';
import { projectTarget } from '../decide/project.js';
import { getTarget, type Context } from './context.js';
import { findMediaId, findSuccessor, toChangedMedia } from './media_ids.js';

/** The listing after the update, with the ids of sent media. */
export function projectWanted(change: ChangeProgress): Partial<ListingSnapshot> {
  return projectTarget(change.before ?? {}, withKnownIds(change));
}

function withKnownIds(change: ChangeProgress): Target {
  const target = getTarget(change);
  const cx = { target, sent: toChangedMedia(change) };
  const fill = <Item extends { id: number | null }>(kind: MediaKind, items: Item[]) =>
    items.map((item, index) => ({ ...item, id: findMediaId(cx, kind, index) }));
  return {
    ...target,
    ...(target.images && { images: fill('images', target.images) }),
    ...(target.videos && { videos: fill('videos', target.videos) }),
    ...(target.files && { files: fill('files', target.files) }),
    ...(target.variation_images && {
      variation_images: target.variation_images.map(({ image, ...one }) => {
        const id = 'id' in image ? findSuccessor(cx, image.id) : findMediaId(cx, 'images', image.position);
        return { ...one, image: id === null ? image : { id } };
      }),
    }),
  };
}

/**
 * The inventory to write. Pieces sold in the meantime stay sold: a quantity that should not change is the one last
 * read, and a quantity that was already written, and is now lower, is not written again.
 */
export function buildInventory(cx: Context): Inventory | undefined {
  const { inventory } = cx.target;
  if (!inventory) return undefined;
  const [before, fresh] = [cx.before.inventory, cx.fresh.inventory].map(indexProducts);
  const products = inventory.products.map((product) => {
    const key = toProductKey(product);
    const had = before?.get(key)?.quantity;
    const has = fresh?.get(key)?.quantity;
    if (has === undefined) return product;
    const isAsBefore = had === product.quantity && !isRenewed(cx);
    const isKept = isAsBefore || isSold(cx, had, has, product.quantity);
    return isKept ? { ...product, quantity: has } : product;
  });
  return withAxes(products, inventory);
}

/**
 * The listing as the update wrote it. Pieces sold before it was read are not part of the update, and an undo counts
 * them as sold since.
 */
export function withSold(cx: Context, seen: Partial<ListingSnapshot>): Partial<ListingSnapshot> {
  const { change } = cx;
  const { inventory } = seen;
  const isWritten = change.done_at?.inventory !== undefined || findWritten(cx) === true;
  if (!inventory || !change.target?.inventory || !isWritten) return seen;
  const [before, target] = [change.before?.inventory, change.target.inventory].map(indexProducts);
  const products = inventory.products.map((product) => {
    const key = toProductKey(product);
    const [had, will] = [before?.get(key)?.quantity, target?.get(key)?.quantity];
    const isSoldFrom = will !== undefined && had !== will && product.quantity < will;
    return isSoldFrom ? { ...product, quantity: will } : product;
  });
  return { ...seen, inventory: { ...inventory, products } };
}

/**
 * Whether a quantity may have been written and then lowered by sales. Without proof, only a value between both
 * shows that it was.
 */
function isSold(cx: Context, had: number | undefined, has: number, will: number): boolean {
  if (has >= will) return false;
  const isWritten = findWritten(cx);
  if (isWritten !== undefined) return isWritten;
  if (has === had || isAsRenewed(cx)) return false;
  const { journal, is_new } = cx;
  if (journal.is_inventory_sent) return true;
  return !is_new && had !== undefined && had < has;
}

/**
 * Whether a sent write was done; undefined if unknown. An inventory is written whole, so one value that only this
 * write can have set proves that it was done, and one it would have replaced proves that it was not. Lower stock
 * proves nothing, since sales lower it too.
 */
function findWritten(cx: Context): boolean | undefined {
  if (!cx.journal.is_inventory_sent) return undefined;
  const [before, now] = [cx.before.inventory, cx.fresh.inventory].map(indexProducts);
  const proofs = (cx.target.inventory?.products ?? []).flatMap((product) => {
    const [was, is] = [before, now].map((products) => products?.get(toProductKey(product)));
    if (!was || !is) return [];
    const isRaised = is.quantity === product.quantity && product.quantity > was.quantity;
    // For a listing that is put on sale, prices were written before.
    const fields = isRenewed(cx) ? [] : OF_PRODUCT;
    const set = fields
      .filter((field) => product[field] !== was[field])
      .flatMap((field) => (is[field] === product[field] ? [true] : is[field] === was[field] ? [false] : []));
    return isRaised ? [true, ...set] : set;
  });
  if (proofs.length === 0) return undefined;
  return proofs.includes(true);
}

/** Whether a sold-out listing is put on sale: the marketplace then sets a quantity of 1, whatever its stock was. */
function isRenewed({ before, target }: Context): boolean {
  return before.listing?.state === 'sold_out' && target.state === 'active';
}

/**
 * Whether a listing has the quantity with which the marketplace puts it back on sale: its stock is not written yet.
 */
function isAsRenewed(cx: Context): boolean {
  if (!isRenewed(cx)) return false;
  const products = cx.fresh.inventory?.products ?? [];
  return products.reduce((sum, { quantity }) => sum + quantity, 0) <= 1;
}

import type { MediaKind, ShopUpdateProgress } from '../../ports/listing/progress.js';
import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import type { Target } from '../../ports/listing/target.js';
import type { Inventory } from '../../ports/marketplace_listing.js';
import { indexProducts, toProductKey, OF_PRODUCT } from '../snapshot/compare_inventory.js';
import { projectTarget } from '../decide/project.js';
import { getTarget, type Changing } from './context.js';
import { findMediaId, findSuccessor, toChangedMedia } from './media_ids.js';

/** The listing once the change is done, with the ids that sent media have got. */
export function projectWanted(progress: ShopUpdateProgress): Partial<ListingSnapshot> {
  return projectTarget(progress.before ?? {}, withKnownIds(progress));
}

function withKnownIds(progress: ShopUpdateProgress): Target {
  const target = getTarget(progress);
  const cx = { target, sent: toChangedMedia(progress) };
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
 * The inventory to write. Pieces that were sold since stay sold: a quantity that is not to change is the one that was read last, and
 * a quantity that was written before, and is lower now, is not written again.
 */
export function buildInventory(changing: Changing): Inventory | undefined {
  const { inventory } = changing.target;
  if (!inventory) return undefined;
  const before = indexProducts(changing.progress.before?.inventory);
  const fresh = indexProducts(changing.fresh.inventory);
  const products = inventory.products.map((product) => {
    const key = toProductKey(product);
    const had = before.get(key)?.quantity;
    const has = fresh.get(key)?.quantity;
    if (has === undefined) return product;
    const isAsBefore = had === product.quantity && !isRenewed(changing);
    const isKept = isAsBefore || isSold(changing, had, has, product.quantity);
    return isKept ? { ...product, quantity: has } : product;
  });
  return { ...inventory, products };
}

/**
 * The listing as the change has written it: pieces that were sold by the time it was read are not part of the change, and an undo
 * counts them as sold since.
 */
export function withSold(changing: Changing, seen: Partial<ListingSnapshot>): Partial<ListingSnapshot> {
  const { progress } = changing;
  const { inventory } = seen;
  const isWritten = progress.done_at.inventory !== undefined || findWritten(changing) === true;
  if (!inventory || !progress.target?.inventory || !isWritten) return seen;
  const [before, target] = [progress.before?.inventory, progress.target.inventory].map(indexProducts);
  const products = inventory.products.map((product) => {
    const key = toProductKey(product);
    const [had, will] = [before?.get(key)?.quantity, target?.get(key)?.quantity];
    const isSoldFrom = will !== undefined && had !== will && product.quantity < will;
    return isSoldFrom ? { ...product, quantity: will } : product;
  });
  return { ...seen, inventory: { ...inventory, products } };
}

/** Whether a quantity may have been written and sold from since. Without a proof, only a value between both tells that it was. */
function isSold(changing: Changing, had: number | undefined, has: number, will: number): boolean {
  if (has >= will) return false;
  const isWritten = findWritten(changing);
  if (isWritten !== undefined) return isWritten;
  if (has === had || isAsRenewed(changing)) return false;
  const { progress, is_new } = changing;
  if (progress.is_inventory_sent) return true;
  return !is_new && had !== undefined && had < has;
}

/**
 * Whether a sent write was done; undefined if that is unknown. An inventory is written whole, so one value that only this write can
 * have set proves that it was, and one that it would have replaced proves that it was not. Lower stock proves nothing, since sales
 * lower it too.
 */
function findWritten(changing: Changing): boolean | undefined {
  const { progress, fresh } = changing;
  const { is_inventory_sent, target } = progress;
  if (!is_inventory_sent) return undefined;
  const [before, now] = [progress.before?.inventory, fresh.inventory].map(indexProducts);
  const proofs = (target?.inventory?.products ?? []).flatMap((product) => {
    const [was, is] = [before, now].map((products) => products?.get(toProductKey(product)));
    if (!was || !is) return [];
    const isRaised = is.quantity === product.quantity && product.quantity > was.quantity;
    // Of a listing that is put on sale, prices were written before.
    const fields = isRenewed(changing) ? [] : OF_PRODUCT;
    const set = fields
      .filter((field) => product[field] !== was[field])
      .flatMap((field) => (is[field] === product[field] ? [true] : is[field] === was[field] ? [false] : []));
    return isRaised ? [true, ...set] : set;
  });
  if (proofs.length === 0) return undefined;
  return proofs.includes(true);
}

/** Whether a sold-out listing is put on sale: the marketplace sets a quantity of 1 then, whatever stock it had. */
function isRenewed({ progress }: Changing): boolean {
  return progress.before?.listing?.state === 'sold_out' && progress.target?.state === 'active';
}

/** Whether a listing has the quantity with which the marketplace puts it on sale again: its stock is not written yet. */
function isAsRenewed(changing: Changing): boolean {
  if (!isRenewed(changing)) return false;
  const products = changing.fresh.inventory?.products ?? [];
  return products.reduce((sum, { quantity }) => sum + quantity, 0) <= 1;
}

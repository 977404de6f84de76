import type { Inventory } from '../../../ports/marketplace_listing.js';
import { indexProducts, toProductKey } from '../../snapshot/compare_inventory.js';
import type { ListingSnapshot } from '../../snapshot/snapshot.js';
import { projectTarget } from '../decide/project.js';
import type { Target } from '../plan.js';
import { getTarget, type Changing } from './changing.js';
import { findMediaId } from './steps/media_ids.js';

/** How the listing looks once the change is done, with the ids that what was sent has got. */
export function projectWanted(changing: Changing): Partial<ListingSnapshot> {
  return projectTarget(changing.progress.before ?? {}, withKnownIds(changing));
}

function withKnownIds(changing: Changing): Target {
  const target = getTarget(changing);
  const fill = <Item extends { id: number | null }>(kind: 'images' | 'videos' | 'files', items: Item[]) =>
    items.map((item, index) => ({ ...item, id: findMediaId(changing, kind, index) }));
  return {
    ...target,
    ...(target.images && { images: fill('images', target.images) }),
    ...(target.videos && { videos: fill('videos', target.videos) }),
    ...(target.files && { files: fill('files', target.files) }),
    ...(target.variation_images && {
      variation_images: target.variation_images.map(({ image, ...one }) => {
        const id = 'id' in image ? image.id : findMediaId(changing, 'images', image.position);
        return { ...one, image: id === null ? image : { id } };
      }),
    }),
  };
}

/** What is to be written. What was sold since stays sold: a quantity that is not to change is that which was read last. */
export function buildInventory(changing: Changing): Inventory | undefined {
  const { inventory } = getTarget(changing);
  if (!inventory) return undefined;
  const before = indexProducts(changing.progress.before?.inventory);
  const fresh = indexProducts(changing.fresh.inventory);
  const products = inventory.products.map((product) => {
    const key = toProductKey(product);
    const had = before.get(key)?.quantity;
    const has = fresh.get(key)?.quantity;
    return had === product.quantity && has !== undefined ? { ...product, quantity: has } : product;
  });
  return { ...inventory, products };
}

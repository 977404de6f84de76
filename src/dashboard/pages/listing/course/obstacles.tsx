import type { ConnectedShop } from '../../../../core/ports/index.js';
import { Foreign } from '../../../../pages/index.js';
import { PREFIX, toListingPath, toShopPath } from '../../../routes.js';
import type { Detail } from '../detail.js';

/** A problem that must be solved first, and the page where that can be done. */
export type Obstacle = { sentence: string; href: string; way: string };

/** Problems that prevent publishing the listing at all. */
export function listShopObstacles(detail: Detail, connected: readonly ConnectedShop[]): Obstacle[] {
  return detail.shop_ids.flatMap((shop_id): Obstacle[] => {
    const shop = connected.find((known) => String(known.shop_id) === shop_id);
    if (!shop) {
      const name =
        detail.results.find((result) => result.shop_id === shop_id)?.shop_name ?? 'One of its shops';
      return [{ sentence: `${name} is no longer connected.`, href: `${PREFIX}/shops`, way: 'Connect it' }];
    }
    if (!shop.is_reconnect_required) return [];
    const sentence = `Etsy no longer lets this service access ${shop.details.shop_name}.`;
    return [{ sentence, href: toShopPath(shop_id), way: 'Connect it again' }];
  });
}

/** Problems that prevent activating it. */
export function listLiveObstacles(detail: Detail, connected: readonly ConnectedShop[]): Obstacle[] {
  const photos = detail.request.images?.length ?? 0;
  const missing: Obstacle = {
    sentence: 'It has no photos. Add at least one before you publish it.',
    href: `${toListingPath(detail.listing_pk)}/add-photos`,
    way: 'Add photos',
  };
  return [...(photos === 0 ? [missing] : []), ...listShopObstacles(detail, connected)];
}

/** Why a button cannot be used, shown next to it. */
export function Obstacles({ obstacles, id }: { obstacles: readonly Obstacle[]; id?: string }) {
  return (
    <ul class="obstacles" id={id}>
      {obstacles.map(({ sentence, href, way }) => (
        <li key={sentence}>
          <Foreign text={sentence} /> <a href={href}>{way}</a>
        </li>
      ))}
    </ul>
  );
}

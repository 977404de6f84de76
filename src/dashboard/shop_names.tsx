import type { ConnectedShop } from '../core/ports/index.js';
import { Foreign } from '../pages/index.js';
import type { Operations } from './operations.js';

type ShopIdentity = { shop_name: string; currency_code: string };

/** By shop_id. */
export type NamesById = ReadonlyMap<string, ShopIdentity>;

export async function listShopNames(operations: Operations): Promise<NamesById> {
  const { stores } = await operations.call('stores_list', {});
  return new Map(stores.map((store) => [store.shop_id, store]));
}

export function toNames(shops: readonly ConnectedShop[]): NamesById {
  return new Map(shops.map(({ shop_id, details }) => [String(shop_id), details]));
}

/** At most three names; a shop that is no longer connected is shown by its number. */
export function ShopNames({ shop_ids, names }: { shop_ids: readonly string[]; names: NamesById }) {
  const shown = shop_ids.slice(0, 3);
  const rest = shop_ids.length - shown.length;
  return (
    <>
      {shown.map((shop_id, index) => (
        <>
          {index > 0 && ', '}
          <Foreign text={names.get(shop_id)?.shop_name ?? `shop ${shop_id}`} />
        </>
      ))}
      {rest > 0 && ` and ${rest} more`}
    </>
  );
}

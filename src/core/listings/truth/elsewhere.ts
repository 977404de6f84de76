import type { Ports } from '../../ports/index.js';
import type { Naming } from '../names.js';
import { listDiffering } from './differs.js';

/** A listing that other hands have changed in a shop since it was written here. */
export type ChangedElsewhere = {
  listing_pk: number;
  title: string;
  /** In the request's paths. Stock is none of them: sales change it. */
  fields: string[];
  shop_names: string[];
};

/** So many listings are looked at, those that were changed last first: it is for a page that a person waits for. */
const LOOKED_AT = 100;

export type ListChangedElsewhere = (account_id: string) => Promise<ChangedElsewhere[]>;

/** By what was last seen in the shops; nothing is asked of the marketplace. */
export function createListChangedElsewhere(
  { store }: Pick<Ports, 'store'>,
  naming: Naming,
): ListChangedElsewhere {
  return async (account_id) => {
    const { items } = await store.listings.listListings(account_id, {
      limit: LOOKED_AT,
      offset: 0,
      sort: 'changed',
    });
    const nameShop = await naming.nameShops(account_id);
    return items.flatMap(({ listing_pk, title, request, places }) => {
      const found = places.flatMap(({ shop_id, shown }) => {
        const shop = nameShop(shop_id);
        if (!shown || !shop) return [];
        const differing = listDiffering(request, { shop_id, currency_code: shop.currency_code }, shown);
        const fields = differing.map(({ field }) => field).filter((field) => field !== 'listing.quantity');
        return fields.length === 0 ? [] : [{ shop_name: shop.shop_name, fields }];
      });
      if (found.length === 0) return [];
      const fields = [...new Set(found.flatMap((place) => place.fields))];
      return [{ listing_pk, title, fields, shop_names: found.map(({ shop_name }) => shop_name) }];
    });
  };
}

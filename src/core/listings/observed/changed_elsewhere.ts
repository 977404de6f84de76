import type { Ports } from '../../ports/index.js';
import type { Naming } from '../names.js';
import { listDiffering } from './differences.js';

/** A listing that was edited in a shop by hand since it was written here. */
export type ChangedElsewhere = {
  listing_pk: number;
  title: string;
  /** Paths in the request. Stock is left out, since sales change it. */
  fields: string[];
  shop_names: string[];
};

/** Listings compared at most, the most recently changed first: a person waits for the page. */
const LOOKED_AT = 100;

export type ListChangedElsewhere = (account_id: string) => Promise<ChangedElsewhere[]>;

/** Compares with the last sightings; makes no call of the marketplace. */
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

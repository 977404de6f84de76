import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Ports, SeenPlace } from '../../ports/index.js';
import { isStock, toLabel } from '../snapshot/field_refs.js';
import type { Naming } from '../names.js';
import { toShopRequest } from '../requests/own_changes.js';
import { listDiffering } from './differences.js';

/** A listing that is otherwise in a shop than it is saved here for that shop. */
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
    const changed: ChangedElsewhere[] = [];
    for (const { listing_pk, title, request, places } of items) {
      // What one shop has of its own may differ although the listing's does not; a listing of one shop has nothing of its own.
      if (places.length === 1 && compare(places, () => request).length === 0) continue;
      const publications = await store.listings.listPublications(account_id, listing_pk);
      const found = compare(places, (shop_id) => toShopRequest(request, publications, shop_id));
      if (found.length === 0) continue;
      const fields = [...new Set(found.flatMap((place) => place.fields))];
      changed.push({ listing_pk, title, fields, shop_names: found.map(({ shop_name }) => shop_name) });
    }
    return changed;

    function compare(places: readonly SeenPlace[], getRequest: (shop_id: number) => ListingRequest) {
      return places.flatMap(({ shop_id, shown }) => {
        const shop = nameShop(shop_id);
        if (!shown || !shop) return [];
        const { currency_code, shop_name } = shop;
        const differing = listDiffering(getRequest(shop_id), { shop_id, currency_code }, shown);
        const fields = differing.filter(({ ref }) => !isStock(ref)).map(({ ref }) => toLabel(ref));
        return fields.length === 0 ? [] : [{ shop_name, fields }];
      });
    }
  };
}

import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Ports, SeenPlace } from '../../ports/index.js';
import { isStock, toLabel } from '../snapshot/field_refs.js';
import type { Naming } from '../names.js';
import { toShopRequest } from '../requests/own_changes.js';
import { listDiffering } from './differences.js';

/** A listing whose values in a shop differ from those saved here for that shop. */
export type ChangedElsewhere = {
  listing_pk: number;
  title: string;
  /** Paths in the request. Excludes stock, since sales change it. */
  fields: string[];
  shop_names: string[];
};

/** Compares at most this many listings, the most recently changed first: a person waits for the page. */
const MOST_CHECKED = 100;

export type ListChangedElsewhere = (account_id: string) => Promise<ChangedElsewhere[]>;

/** Compares with the last sightings; makes no marketplace calls. */
export function createListChangedElsewhere(
  { store }: Pick<Ports, 'store'>,
  naming: Naming,
): ListChangedElsewhere {
  return async (account_id) => {
    const { items } = await store.listings.listListings(account_id, {
      limit: MOST_CHECKED,
      offset: 0,
      sort: 'changed',
    });
    const nameShop = await naming.nameShops(account_id);
    const changed: ChangedElsewhere[] = [];
    for (const { listing_pk, title, request, places } of items) {
      // A shop's own values may differ even if the listing's do not; a listing in one shop has no own values.
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

import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { ShownFields } from '../../ports/index.js';
import { foldList, foldText } from '../publish/compare.js';
import { toPlainText } from '../rules/html.js';
import { roundPrice } from '../rules/money.js';

/** A field whose value in the shop differs from our copy; `field` is its path in the request. */
export type Difference = { field: string; ours: unknown; theirs: unknown };

/**
 * The fields whose values in the shop differ from our copy, as far as one read of the listing shows them. It does not show price and
 * quantity of each variation.
 */
export function listDiffering(
  { listing, shops, variations }: ListingRequest,
  { shop_id, currency_code }: { shop_id: number; currency_code: string | undefined },
  shown: ShownFields,
): Difference[] {
  const index = shops.findIndex((target) => target.shop_id === shop_id);
  const own_price = shops[index]?.price;
  const price = own_price ?? listing.price;
  const found: (Difference | false)[] = [
    foldText(listing.title) !== foldText(shown.title) && {
      field: 'listing.title',
      ours: listing.title,
      theirs: shown.title,
    },
    foldText(toPlainText(listing.description).text) !== foldText(shown.description) && {
      field: 'listing.description',
      ours: listing.description,
      theirs: shown.description,
    },
    foldList(listing.tags ?? []) !== foldList(shown.tags) && {
      field: 'listing.tags',
      ours: listing.tags ?? [],
      theirs: shown.tags,
    },
  ];
  if (variations === undefined) {
    const rounded =
      price === undefined || currency_code === undefined ? price : roundPrice(price, currency_code);
    found.push(
      rounded !== undefined &&
        Math.round(rounded * 100) !== Math.round(shown.price * 100) && {
          field: own_price === undefined ? 'listing.price' : `shops[${index}].price`,
          ours: price,
          theirs: shown.price,
        },
      listing.quantity !== undefined &&
        listing.quantity !== null &&
        // Less is what sales make of it.
        listing.quantity < shown.quantity && {
          field: 'listing.quantity',
          ours: listing.quantity,
          theirs: shown.quantity,
        },
    );
  }
  return found.filter((difference) => difference !== false);
}

import type { ListingRequest, ShopTarget } from '../../../../schemas/listing_request.js';
import type { ShownFields } from '../../ports/index.js';
import { foldList, foldText } from '../publish/compare.js';
import { compileProducts } from '../preflight/shop_part.js';
import { toPlainText } from '../rules/html.js';
import { roundPrice } from '../rules/money.js';
import { toFieldPath, toProductKey } from '../snapshot/compare_inventory.js';

/** A field whose value in the shop differs from our copy; `field` is its path in the request. */
export type Difference = { field: string; ours: unknown; theirs: unknown };

/** The fields whose values in the shop differ from our copy, as far as the sighting has them. It has no stock of single variations. */
export function listDiffering(
  request: ListingRequest,
  { shop_id, currency_code }: { shop_id: number; currency_code: string | undefined },
  shown: ShownFields,
): Difference[] {
  const { listing, shops, variations } = request;
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
    found.push(
      price !== undefined &&
        !isSamePrice(price, shown.price, currency_code) && {
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
  const target = shops[index];
  if (variations !== undefined && target && shown.prices) {
    found.push(...listPrices(request, target, shown.prices, currency_code));
  }
  return found.filter((difference) => difference !== false);
}

/** Prices of combinations that are on sale both here and there. */
function listPrices(
  request: ListingRequest,
  target: ShopTarget,
  prices: NonNullable<ShownFields['prices']>,
  currency_code: string | undefined,
): Difference[] {
  const products = compileProducts(request, target, undefined, null)?.inventory.products ?? [];
  return products.flatMap((product) => {
    const theirs = prices[toProductKey(product)];
    if (!product.is_enabled || theirs === undefined || isSamePrice(product.price, theirs, currency_code)) {
      return [];
    }
    return [{ field: toFieldPath(product, 'price'), ours: product.price, theirs }];
  });
}

function isSamePrice(ours: number, theirs: number, currency_code: string | undefined): boolean {
  const rounded = currency_code === undefined ? ours : roundPrice(ours, currency_code);
  return Math.round(rounded * 100) === Math.round(theirs * 100);
}

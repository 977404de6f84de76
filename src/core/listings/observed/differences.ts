import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { ListingRequest, ShopTarget } from '../../../../schemas/listing_request.js';
import type { ShownFields } from '../../ports/index.js';
import { foldList } from '../snapshot/compare_draft.js';
import { compileProducts } from '../preflight/shop_part.js';
import { toPlainText } from '../rules/html.js';
import { roundPrice } from '../rules/money.js';
import { foldText } from '../rules/text.js';
import { toOfferingRef, toProductKey } from '../snapshot/compare_inventory.js';

/**
 * The fields in the shop that differ from our copy, as far as the sighting includes them. A sighting has no stock
 * of single variations.
 */
export function listDiffering(
  request: ListingRequest,
  { shop_id, currency_code }: { shop_id: number; currency_code: string | undefined },
  shown: ShownFields,
): FieldDifference[] {
  const { listing, shops, variations } = request;
  const index = shops.findIndex((target) => target.shop_id === shop_id);
  const own_price = shops[index]?.price;
  const price = own_price ?? listing.price;
  const found: (FieldDifference | false)[] = [
    foldText(listing.title) !== foldText(shown.title) && {
      ref: { part: 'fields', field: 'title' },
      before: listing.title,
      after: shown.title,
      kind: 'set',
    },
    foldText(toPlainText(listing.description).text) !== foldText(shown.description) && {
      ref: { part: 'fields', field: 'description' },
      before: listing.description,
      after: shown.description,
      kind: 'set',
    },
    foldList(listing.tags ?? []) !== foldList(shown.tags) && {
      ref: { part: 'fields', field: 'tags' },
      before: listing.tags ?? [],
      after: shown.tags,
      kind: 'set',
    },
  ];
  if (variations === undefined) {
    found.push(
      price !== undefined &&
        !isSamePrice(price, shown.price, currency_code) && {
          ref: {
            part: 'inventory',
            offering: [],
            field: 'price',
            ...(own_price !== undefined && { shop_index: index }),
          },
          before: price,
          after: shown.price,
          kind: 'set',
        },
      listing.quantity !== undefined &&
        listing.quantity !== null &&
        // Sales explain a lower quantity.
        listing.quantity < shown.quantity && {
          ref: { part: 'inventory', offering: [], field: 'quantity' },
          before: listing.quantity,
          after: shown.quantity,
          kind: 'set',
        },
    );
  }
  const target = shops[index];
  if (variations !== undefined && target && shown.prices) {
    found.push(...listPrices(request, target, shown.prices, currency_code));
  }
  return found.filter((difference) => difference !== false);
}

/** Prices of combinations on sale both here and in the shop. */
function listPrices(
  request: ListingRequest,
  target: ShopTarget,
  prices: NonNullable<ShownFields['prices']>,
  currency_code: string | undefined,
): FieldDifference[] {
  const products = compileProducts(request, target, undefined, null)?.inventory.products ?? [];
  return products.flatMap((product): FieldDifference[] => {
    const theirs = prices[toProductKey(product)];
    if (!product.is_enabled || theirs === undefined || isSamePrice(product.price, theirs, currency_code)) {
      return [];
    }
    return [{ ref: toOfferingRef(product, 'price'), before: product.price, after: theirs, kind: 'set' }];
  });
}

function isSamePrice(ours: number, theirs: number, currency_code: string | undefined): boolean {
  const rounded = currency_code === undefined ? ours : roundPrice(ours, currency_code);
  return Math.round(rounded * 100) === Math.round(theirs * 100);
}

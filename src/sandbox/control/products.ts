import { INVENTED } from '../requests/messages.js';
import { buildRefusal } from '../requests/refusal.js';
import type { Product } from '../store/inventory.js';
import type { Listing } from '../store/listings.js';
import { parseObject } from './requests.js';
import type { JsonObject } from './requests.js';

/** The one product that `sku` or `values` ({"Size": "Large"}) names; undefined if the body has neither. */
export function findNamedProduct({ inventory }: Listing, body: JsonObject): Product | undefined {
  const { sku, values } = body;
  if (sku === undefined && values === undefined) return undefined;
  const wanted = values === undefined ? [] : Object.entries(parseObject(values));
  const found = inventory.products.filter(
    (product) =>
      (sku === undefined || product.sku === sku) &&
      wanted.every(([name, value]) =>
        product.property_values.some((own) => own.property_name === name && own.values[0] === value),
      ),
  );
  const [product] = found;
  if (!product || found.length > 1) throw buildRefusal(400, INVENTED.product_not_one);
  return product;
}

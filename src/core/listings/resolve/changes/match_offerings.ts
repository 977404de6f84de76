import type { ListingRequest, Offering } from '../../../../../schemas/listing_request.js';
import { MARKETPLACE_FACTS } from '../../../../../schemas/marketplace_facts.js';
import type { OfferingChange } from '../../../ports/listing/changes.js';
import type { InventoryProduct } from '../../../ports/marketplace_listing.js';
import { cutChars, isSameText } from '../../rules/text.js';
import { isOfferingKeyOf } from '../../rules/variation_rules.js';

/** Offerings of the request that a change matches, by SKU or by option values. */
export function findOfferings(
  { variations }: ListingRequest,
  { sku, values = [] }: OfferingChange['match'],
): Offering[] {
  return (variations?.offerings ?? []).filter((offering) => {
    if (sku !== undefined && offering.sku !== sku) return false;
    return values.every(({ name, value }) => {
      const key = Object.keys(offering).find((candidate) => isOfferingKeyOf(candidate, name));
      const own = key === undefined ? undefined : offering[key];
      return typeof own === 'string' && isSameText(own, value);
    });
  });
}

/** Whether a change applies to this combination: its SKU and option values match those the change names. */
export function matchesProduct(
  { match: { sku, values = [] } }: OfferingChange,
  product: InventoryProduct,
): boolean {
  if (sku !== undefined && product.sku !== cutChars(sku, MARKETPLACE_FACTS.sku_sent_chars)) return false;
  return values.every(({ name, property_id, value: wanted }) =>
    product.property_values.some(
      (own) =>
        (own.property_id === property_id || isSameText(own.property_name, name)) &&
        isSameText(own.values.join(', '), wanted),
    ),
  );
}

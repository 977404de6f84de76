import { VERBATIM } from '../requests/messages.js';
import { buildRefusal } from '../requests/refusal.js';
import type { Database } from '../store/database.js';
import { findShopValue, takeShopValueId } from '../store/inventory.js';
import type { PropertyValue } from '../store/inventory.js';
import type { Listing } from '../store/listings.js';
import { findProperty } from '../taxonomy.js';
import type { PropertySeed } from '../world/properties.js';
import type { SentValue } from './inventory_request.js';

/** The two properties that can have a name of the seller's own. */
const CUSTOM_PROPERTY_IDS: ReadonlySet<number> = new Set([513, 514]);

/** One value of a product as stored: with the shop's own value id, which stays the same for the same text. */
export function resolveValue(db: Database, listing: Listing, sent: SentValue): PropertyValue {
  const property = findProperty(listing.fields.taxonomy_id, sent.property_id);
  if (!property?.supports_variations) {
    throw buildRefusal(400, `The property ${sent.property_id} does not support variations in this category.`);
  }
  const isCustom = CUSTOM_PROPERTY_IDS.has(sent.property_id);
  if (isCustom && !sent.property_name) throw buildRefusal(400, VERBATIM.property_name_missing);
  checkScale(property, sent);
  const [text = ''] = sent.values;
  const [value_id] = sent.value_ids;
  if (sent.value_ids.length > 1) {
    throw buildRefusal(400, 'Each property of a product must have exactly one value.');
  }
  if (value_id !== undefined) checkValueId(db, listing, property, sent, value_id);
  return {
    property_id: sent.property_id,
    property_name: isCustom ? (sent.property_name ?? '') : property.display_name,
    scale_id: sent.scale_id,
    value_ids: [takeShopValueId(db, listing.shop_id, sent.property_id, toValueKey(text, sent.scale_id))],
    values: [text],
  };
}

/** Values of different scales are different values, even with the same text. */
function toValueKey(text: string, scale_id: number | null): string {
  return scale_id === null ? text : `${scale_id}:${text}`;
}

function checkScale(property: PropertySeed, sent: SentValue): void {
  if (sent.scale_id === null) return;
  if (!property.scales.some((scale) => scale.scale_id === sent.scale_id)) {
    throw buildRefusal(
      400,
      `The scale_id ${sent.scale_id} does not belong to the property ${sent.property_id}.`,
    );
  }
}

// An id is either one of the category's own or one that this shop received earlier, for this text and scale.
function checkValueId(
  db: Database,
  listing: Listing,
  property: PropertySeed,
  sent: SentValue,
  value_id: number,
): void {
  const possible = property.values.find((value) => value.value_id === value_id);
  const isPossible =
    possible !== undefined && (possible.scale_id === null || possible.scale_id === sent.scale_id);
  if (isPossible) return;
  const known = findShopValue(db, listing.shop_id, sent.property_id, value_id);
  if (known !== toValueKey(sent.values[0] ?? '', sent.scale_id)) {
    throw buildRefusal(400, `The value_id ${value_id} is not valid for the property ${sent.property_id}.`);
  }
}

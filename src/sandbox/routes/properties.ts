import { toPropertyValue } from '../answers/inventory.js';
import { NO_CONTENT, ok, toList } from '../requests/call.js';
import type { Call, Route } from '../requests/call.js';
import { getPathId, parseIds, parseInteger, parseTexts, requireFields } from '../requests/fields.js';
import { VERBATIM } from '../requests/messages.js';
import { getListing, getOwnListing } from '../requests/ownership.js';
import { buildRefusal } from '../requests/refusal.js';
import { deleteProperty, listProperties, saveProperty } from '../store/attachments.js';
import type { PropertyValue } from '../store/inventory.js';
import { touchListing } from '../store/listings.js';
import type { Listing } from '../store/listings.js';
import { findAnyProperty, findProperty } from '../taxonomy.js';
import type { PropertySeed } from '../world/properties.js';

const BASE = '/shops/:shop_id/listings/:listing_id/properties';

export const PROPERTY_ROUTES: readonly Route[] = [
  {
    operation: 'getListingProperties',
    method: 'GET',
    path: BASE,
    scopes: [],
    run: (call) => {
      const { listing_id, fields } = getListing(call);
      return toList(
        listProperties(call.db, listing_id).map((value) => toPropertyValue(value, fields.taxonomy_id)),
      );
    },
  },
  {
    operation: 'updateListingProperty',
    method: 'PUT',
    path: `${BASE}/:property_id`,
    scopes: ['listings_w'],
    body: 'form',
    run: (call) => {
      const { listing } = getOwnListing(call);
      const value = parseAttribute(call, listing);
      saveProperty(call.db, listing.listing_id, value);
      touchListing(call.db, listing.listing_id, call.now_ms);
      return ok(toPropertyValue(value, listing.fields.taxonomy_id));
    },
  },
  {
    operation: 'deleteListingProperty',
    method: 'DELETE',
    path: `${BASE}/:property_id`,
    scopes: ['listings_w'],
    run: (call) => {
      const { listing } = getOwnListing(call);
      const property_id = getPathId(call, 'property_id');
      if (!deleteProperty(call.db, listing.listing_id, property_id))
        throw buildRefusal(404, VERBATIM.not_found);
      touchListing(call.db, listing.listing_id, call.now_ms);
      return NO_CONTENT;
    },
  },
];

function parseAttribute(call: Call, listing: Listing): PropertyValue {
  const property_id = getPathId(call, 'property_id');
  // An active listing must have the attributes of its next category before it moves there.
  const property = findProperty(listing.fields.taxonomy_id, property_id) ?? findAnyProperty(property_id);
  if (!property?.supports_attributes) {
    throw buildRefusal(400, `The property ${property_id} does not support attributes in this category.`);
  }
  requireFields(call.fields, ['value_ids', 'values']);
  const value_ids = parseIds(call.fields, 'value_ids') ?? [];
  const values = parseTexts(call.fields, 'values') ?? [];
  const scale_id = parseInteger(call.fields, 'scale_id') ?? null;
  checkAttribute(property, value_ids, values, scale_id);
  return { property_id, property_name: property.display_name, scale_id, value_ids, values };
}

function checkAttribute(
  property: PropertySeed,
  value_ids: readonly number[],
  values: readonly string[],
  scale_id: number | null,
): void {
  if (value_ids.length !== values.length) {
    throw buildRefusal(400, 'value_ids and values must have the same length.');
  }
  if (value_ids.length > (property.max_values_allowed ?? 1)) {
    throw buildRefusal(400, `The property takes at most ${property.max_values_allowed ?? 1} values.`);
  }
  if (values.some((value) => /[()]/.test(value))) {
    throw buildRefusal(400, 'Parentheses are not allowed in values.');
  }
  if (scale_id !== null && !property.scales.some((scale) => scale.scale_id === scale_id)) {
    throw buildRefusal(400, `The scale_id ${scale_id} does not belong to the property.`);
  }
  for (const value_id of value_ids) {
    const possible = property.values.find((value) => value.value_id === value_id);
    if (!possible) throw buildRefusal(400, `The value_id ${value_id} is not valid for the property.`);
    if (possible.scale_id !== null && possible.scale_id !== scale_id) {
      throw buildRefusal(400, `The value_id ${value_id} belongs to the scale ${possible.scale_id}.`);
    }
  }
}

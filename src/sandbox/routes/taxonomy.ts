import { toList } from '../requests/call.js';
import type { Route } from '../requests/call.js';
import { getPathId } from '../requests/fields.js';
import { VERBATIM } from '../requests/messages.js';
import { buildRefusal } from '../requests/refusal.js';
import { findCategory, listChildren } from '../taxonomy.js';
import type { Category } from '../taxonomy.js';
import type { PropertySeed } from '../world/properties.js';

export const TAXONOMY_ROUTES: readonly Route[] = [
  {
    operation: 'getSellerTaxonomyNodes',
    method: 'GET',
    path: '/seller-taxonomy/nodes',
    scopes: [],
    run: () => toList(listChildren(null).map(toNode)),
  },
  {
    operation: 'getPropertiesByTaxonomyId',
    method: 'GET',
    path: '/seller-taxonomy/nodes/:taxonomy_id/properties',
    scopes: [],
    run: (call) => {
      const category = findCategory(getPathId(call, 'taxonomy_id'));
      if (!category) throw buildRefusal(404, VERBATIM.not_found);
      return toList(category.properties.map(toProperty));
    },
  },
];

function toNode(category: Category): Record<string, unknown> {
  return {
    id: category.id,
    level: category.level,
    name: category.name,
    parent_id: category.parent_id,
    children: listChildren(category.id).map(toNode),
    full_path_taxonomy_ids: category.full_path_taxonomy_ids,
  };
}

function toProperty(property: PropertySeed): Record<string, unknown> {
  return {
    property_id: property.property_id,
    name: property.name,
    display_name: property.display_name,
    scales: property.scales,
    is_required: property.is_required,
    supports_attributes: property.supports_attributes,
    supports_variations: property.supports_variations,
    is_multivalued: property.max_values_allowed !== null,
    max_values_allowed: property.max_values_allowed,
    possible_values: property.values.map((value) => ({ ...value, equal_to: [] })),
    selected_values: [],
  };
}

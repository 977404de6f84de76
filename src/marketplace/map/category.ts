import type { AttributeSchema, VariationPropertySchema } from '../../../schemas/category.js';
import type { Category } from '../../core/ports/index.js';
import { toNumberOrNull, toStringOrNull, type Reader, type Wire } from './read.js';

/** Deeper than the marketplace's own tree; a tree that never ends is not followed. */
const MAX_DEPTH = 16;

/** The tree as a list, parents before children. */
export function toCategories(read: Reader, roots: readonly Wire[]): Category[] {
  return roots.flatMap((root) => toBranch(read, root, [], MAX_DEPTH));
}

function toBranch(read: Reader, wire: Wire, above: readonly string[], depth: number): Category[] {
  if (depth === 0) return [];
  const name = read.string(wire, 'name');
  const full_path = [...above, name];
  const children = read.list(wire, 'children');
  const own = { category_id: read.number(wire, 'id'), name, full_path, is_leaf: children.length === 0 };
  return [own, ...children.flatMap((child) => toBranch(read, child, full_path, depth - 1))];
}

/** A property may serve as attribute, as variation, or as both. */
export function toCategoryProperties(
  read: Reader,
  properties: readonly Wire[],
): { attributes: AttributeSchema[]; variations: VariationPropertySchema[] } {
  const attributes = properties.filter((wire) => wire['supports_attributes'] === true);
  const variations = properties.filter((wire) => wire['supports_variations'] === true);
  return {
    attributes: attributes.map((wire) => ({
      ...toVariationProperty(read, wire),
      is_required: wire['is_required'] === true,
      is_multivalued: wire['is_multivalued'] === true,
      max_values: toNumberOrNull(wire['max_values_allowed']),
    })),
    variations: variations.map((wire) => toVariationProperty(read, wire)),
  };
}

function toVariationProperty(read: Reader, wire: Wire): VariationPropertySchema {
  const name = read.string(wire, 'name');
  return {
    property_id: read.number(wire, 'property_id'),
    name,
    display_name: toStringOrNull(wire['display_name']) ?? name,
    possible_values: read.list(wire, 'possible_values').map((value) => ({
      value_id: toNumberOrNull(value['value_id']),
      name: read.string(value, 'name'),
      scale_id: toNumberOrNull(value['scale_id']),
    })),
    scales: read.list(wire, 'scales').map((scale) => ({
      scale_id: read.number(scale, 'scale_id'),
      display_name: toStringOrNull(scale['display_name']) ?? '',
      description: toStringOrNull(scale['description']) ?? '',
    })),
  };
}
